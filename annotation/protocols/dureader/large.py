write_large = None
