// Enter asks the frame to choose its box in focus. The answer comes a moment later, and what the person does in that
// moment (undo, a reason, the commit) has to wait for it: otherwise the answer would replace what they did last.
import { setTimeout } from "../goldfinch/settled.js";

const TIMEOUT = 1000; // ms

export class Takes {
  /** @type {(() => void)[][]} */
  #waiting = []; // one list of actions for each question that the frame has not answered, the oldest first

  // A question was sent to the frame.
  sent() {
    /** @type {(() => void)[]} */
    const actions = [];
    this.#waiting.push(actions);
    const giveUp = () => { while (this.#waiting.includes(actions)) this.answered(); };
    setTimeout(giveUp, TIMEOUT); // a stopped frame is silent
  }

  get pending() { return this.#waiting.length > 0; }

  // Run an action, after the answers that are outstanding.
  /** @param {() => void} action */
  after(action) {
    if (this.pending) this.#waiting.at(-1).push(action);
    else action();
  }

  // The frame has answered the oldest question.
  answered() { for (const action of this.#waiting.shift() ?? []) action(); }

  // The frame was loaded anew: it answers nothing that was asked before.
  forget() { this.#waiting = []; }
}
