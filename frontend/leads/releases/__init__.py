"""The pages on which leads see, build and retract releases."""
