"""Django's SQLite backend, whose writers of one process take turns."""
