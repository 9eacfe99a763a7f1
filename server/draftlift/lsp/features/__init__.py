"""What the server can do: each feature is a function of the session and the parameters of a message."""
