// A screen's requests: what is added to them, and what follows when one arrives, fails, or finds nobody signed in.
import { isLeaving } from "./leaving.js";
import { hush, make, notice } from "./say.js";
import { askToSignIn } from "./signin.js";
import { erase, shared, viewKey } from "./storage.js";
/** @import { Screen } from "./screen.js" */

export class Requests {
  #screen; #cut = false; #asked = false; // whether the person has pressed *Send again*
  sending = false; // an answer is on its way

  /** @param {Screen} screen */
  constructor(screen) { this.#screen = screen; }

  // Send an answer that was kept on this device, under its original idempotency key: if it did arrive after all, it
  // counts once.
  /** @param {{ submission_key?: string }} options */
  sendKept({ submission_key }) {
    const { root, form, voice } = this.#screen;
    form.elements.submission_key.value = submission_key;
    notice(root, "sending", { text: voice.text("sending-kept") });
    this.#screen.commit();
  }

  // Add traces and concurrency fields to a commit or a skip.
  /** @param {Element} element @param {Record<string, unknown>} parameters */
  adds(element, parameters) {
    if (!this.#commits(element) && !element.matches?.("[data-skip]")) return;
    parameters.trace = this.#screen.traces?.take() ?? "";
    parameters.sent = Date.now();
    parameters.client = this.#screen.client;
    parameters.stage = this.#screen.stage;
  }

  /** @param {Element} element */
  sends(element) {
    if (this.#commits(element)) this.sending = true;
    if (this.leaves(element)) this.#screen.drafts?.hold();
  }

  // The answer to a request is there, or it won't come.
  /** @param {Element} element */
  ends(element) { if (this.#commits(element)) this.sending = false; }

  /** @param {Element} element @param {XMLHttpRequest} xhr */
  arrived(element, xhr) {
    if (this.#commits(element)) {
      this.#screen.outbox.done();
      erase(viewKey(this.#screen.id, this.#screen.stage));
    }
    if (!this.leaves(element)) return;
    // The page that asks why one leaves comes first: the work may go on.
    if (xhr.getResponseHeader("HX-Redirect")?.includes("/explain/")) this.#screen.drafts?.resume();
    else this.#screen.drafts?.finish();
  }

  /** @param {HTMLFormElement} element @param {number} status */
  failed(element, status) {
    const { root, drafts, outbox, tabs, voice } = this.#screen;
    if (tabs.overtaken) return;
    const sent = this.#commits(element);
    if (!status) this.connected(false);
    if (this.leaves(element)) drafts?.resume();
    if (status === 409 || status === 422) { // the response says what is wrong
      if (sent) outbox.done();
      return;
    }
    const send = () => {
      this.#asked = true;
      if (sent) this.#screen.commit(); else element.requestSubmit?.();
    };
    const again = make("button", { class: "btn", type: "button", on: send }, voice.text("send-again"));
    const waits = sent && outbox.hold(status);
    hush(root, "connection");
    const text = voice.text(status && !waits ? "went-wrong" : waits && shared() ? "not-sent-shared" : "not-sent");
    notice(root, "sending", { text, kind: "bad", buttons: [again] });
    if (this.#asked) voice.live(text); // the notice has not changed, and what was asked for has an answer
    this.#asked = false;
  }

  /** @param {Element | null} element */
  #commits(element) { return element === this.#screen.form; }

  /** @param {Element} element */
  leaves(element) { return this.#commits(element) || element.matches?.("[data-leaves]"); }

  // One notice while the connection is lost (an answer that could not be sent has its own), and a word once it is back;
  // a successful save is shown only.
  /** @param {boolean} up */
  connected(up) {
    if (!up && isLeaving()) return; // a page that goes ends its requests
    const { root, voice, traces } = this.#screen;
    traces?.connected(up);
    const [was, sending] = [this.#cut, this.#screen.find("[data-notice=sending]")];
    this.#cut = !up;
    if (up) hush(root, "connection");
    if (up && was) voice.live(voice.text("connected"));
    if (up || was || sending) return;
    notice(root, "connection", { text: voice.text("not-connected"), kind: "bad" });
  }

  // Keep the page as it is; once the person is back, `form` is sent under the same idempotency key.
  /** @param {HTMLFormElement | null} form */
  signedOut(form = null) {
    const { root, voice } = this.#screen;
    this.#screen.drafts?.signedOut();
    const open = () => askToSignIn(this.#screen.find("dialog#sign-in"), () => {
      hush(root, "session");
      this.#screen.drafts?.resume();
      if (this.#commits(form)) this.#screen.commit();
      else form?.requestSubmit?.();
    });
    const button = make("button", { class: "btn", type: "button", on: open }, voice.text("sign-in"));
    notice(root, "session", { text: voice.text("signed-out"), kind: "bad", buttons: [button] });
    open();
  }
}
