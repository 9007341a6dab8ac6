// Answering in a conversation.
import { answering } from "./rationale.js";
import { follow } from "./talk.js";

export function start(screen) {
  follow(screen);
  return screen.form ? answering(screen) : null;
}
