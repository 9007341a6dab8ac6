"""What experts and leads compare and decide: answers side by side, lists of the worst, disputes."""
