"""Pictures of a lead's pages: drawn by the server as SVG."""
