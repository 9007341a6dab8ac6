"""What a method does on data whose truth is known."""
