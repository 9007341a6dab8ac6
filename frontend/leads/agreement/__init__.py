"""Agreement as its leads see it: what is asked for, what is shown, and its plot."""
