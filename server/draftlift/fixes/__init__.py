"""Changes of text: operations become edits, and each is proved on the very text before it leaves the house."""
