"""Texts without a letter or a digit, which no protocol accepts for a question or an answer."""

WORDLESS = (" \n", "?", "...", " … ?", "—", "\u200b", "\u200b\u2060", "\u0301", "👍", "¿?")
SHORT_BUT_WORDS = ("ja", "7", "½", "是", "م", "П?", "e\u0301")
