"""What is in the rarer projects of the pictures, by subject; run inside the site by `tests.screens.furnish`."""
