"""Two people talk about a text that only one of them sees; later, others answer what was asked."""
