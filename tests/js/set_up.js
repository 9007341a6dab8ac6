// Before each file of tests: node --import ./tests/js/set_up.js tests/js/keys.test.js
import { register } from "node:module";

register("./resolving.js", import.meta.url);
process.env.TZ = "UTC";

// Node 18, which Debian 12 has, does not have these yet; browsers do since 2023.
Array.prototype.toSorted ??= function toSorted(order) { return [...this].sort(order); };
Array.prototype.toReversed ??= function toReversed() { return [...this].reverse(); };
