// Answering in a conversation.
import { answering } from "./rationale.js";
import { follow } from "../goldfinch/talk.js";
/** @import { Screen } from "../goldfinch/screen.js" */

/** @param {Screen} screen */
export function start(screen) {
  follow(screen);
  return screen.form ? answering(screen) : null;
}
