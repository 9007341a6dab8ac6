"""Material at the limits of what is shown, in the work screen."""
