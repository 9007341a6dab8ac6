"""Pictures of a lead's pages: drawn by the server as SVG, with the numbers behind them as CSV."""
