// While the partner has the word.
import { follow } from "./talk.js";

export function start(screen) {
  follow(screen);
  return null;
}
