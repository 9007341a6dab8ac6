"""What the board of a project shows without reading the whole record: kept by jobs, and made anew from it."""
