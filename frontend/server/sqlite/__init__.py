"""Django's SQLite backend with a fair write lock (FIFO) between the threads of a process."""
