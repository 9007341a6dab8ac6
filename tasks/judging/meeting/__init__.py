"""The meeting of a judging round: its raters see what differs, argue, and settle marks that all of them confirm."""
