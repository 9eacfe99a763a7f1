"""What a change is: operations on values, where places move, and why nothing is changed. No text."""
