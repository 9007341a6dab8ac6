"""What experts see and decide about annotations that disagree."""
