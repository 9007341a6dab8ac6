"""Agreement of the annotations of a project, kept up to date from the record. Modules with numpy are imported late."""
