// Guessing: as answering in a conversation.
import { answering } from "./rationale.js";
import { bindPassage, keepAtTheEnd } from "./talk.js";
/** @import { Screen } from "../goldfinch/screen.js" */

/** @param {Screen} screen */
export function start(screen) {
  bindPassage(screen);
  keepAtTheEnd(screen);
  return screen.form ? answering(screen) : null;
}
