"""What leads do with a project: the views of their pages, for scripts."""
