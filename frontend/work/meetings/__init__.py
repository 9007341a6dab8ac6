"""The pages of a meeting of a judging round: the room, and what is done there."""
