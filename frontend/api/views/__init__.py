"""The views of the API: each finds its row by `frontend.access`, calls a service, and answers."""
