// The answerer says whether the conversation ends.
import { choosing } from "./choosing.js";
import { follow } from "./talk.js";
/** @import { Screen } from "../goldfinch/screen.js" */

/** @param {Screen} screen */
export function start(screen) {
  follow(screen);
  if (!screen.form) return null;
  return choosing(screen, { name: "agreed", missing: "say-closing" });
}
