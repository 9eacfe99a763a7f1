"""What a tool is, and where in a document tools are."""
