"""Agreement of the annotations of a project: read into tables, from which its numbers are computed."""
