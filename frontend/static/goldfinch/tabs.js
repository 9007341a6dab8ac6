// The same work in two tabs or on two devices: the newest page takes over, and an older one can take it back.
import { fragmentOf, post } from "./fetching.js";
import { Lease } from "./lease.js";
import { hush, make, notice } from "./say.js";
import { isOver, whyOver } from "./signin.js";
/** @import { Screen } from "./screen.js" */

const ELSEWHERE = new Set(["taken_over", "stale_page", "stage_locked"]); // the work is still open, in another page
const TAKEN_AWAY = new Set(["place_taken", "taken_out"]);

export class Tabs {
  #screen;
  overtaken = false;

  /** @param {Screen} screen */
  constructor(screen) { this.#screen = screen; }

  // Take over: from now on this page may write, and any older one is refused.
  async take() {
    const { client, root, stage, urls } = this.#screen;
    const answer = await post(urls.take, { client, stage }, { root });
    if (answer && isOver(answer)) this.closed(whyOver(answer));
    if (!answer?.ok) return null;
    // This page's own id is now the one that it follows.
    this.#screen.after = this.#screen.client;
    if (this.#screen.form) this.#screen.form.elements.after.value = this.#screen.client;
    const taken = await answer.json();
    this.#screen.drafts?.caughtUp(taken.draft);
    this.#screen.lease?.showEnd(taken);
    return taken;
  }

  // Another page has taken over: save, because the 409 response shows its version.
  ask() {
    if (this.#screen.form) this.#screen.drafts.compare();
    else this.giveWay("");
  }

  // The work was closed elsewhere. If it was revoked, the response to a save explains why.
  /** @param {string | null} why */
  closed(why) {
    if (TAKEN_AWAY.has(why) && this.#screen.form && !this.#screen.ended) this.#screen.drafts.compare();
    else this.#screen.over(why);
  }

  // Become read-only; `shown` is the HTML of a dialog with both versions, `why` the server's reason.
  /** @param {string} shown @param {string | null} [why] */
  giveWay(shown, why = "taken_over") {
    if (ELSEWHERE.has(why)) this.#readOnly();
    else this.#screen.over(why);
    this.#screen.find("dialog#overtaken")?.remove();
    this.#screen.root.append(fragmentOf(shown));
    const dialog = this.#screen.find("dialog#overtaken");
    if (!dialog) return;
    for (const open of this.#screen.root.querySelectorAll("dialog[open]")) open.close();
    dialog.querySelector("[data-take-back]")?.addEventListener("click", () => this.#takeBack());
    dialog.showModal();
    dialog.scrollTop = 0; // to its words, though a button below them has the focus
  }

  #readOnly() {
    this.overtaken = true;
    this.#screen.drafts?.hold();
    this.#screen.outbox?.done();
    this.#screen.lease?.stop();
    this.#screen.find(".saved")?.setAttribute("hidden", ""); // until something is saved from here again
    for (const part of this.#screen.root.querySelectorAll("main, .away")) part.inert = true;
    const takeBack = { class: "btn", type: "button", on: () => this.#takeBack() };
    const again = make("button", takeBack, this.#screen.voice.text("take-back"));
    notice(this.#screen.root, "elsewhere", { text: this.#screen.voice.text("elsewhere"), buttons: [again] });
  }

  // If nothing was committed since, continue with what is in this tab and save it; else reload the page.
  async #takeBack() {
    const taken = await this.take();
    if (!taken && this.#screen.ended) return undefined;
    if (!taken) {
      const text = this.#screen.voice.text("not-connected");
      return notice(this.#screen.root, "connection", { text, kind: "bad" });
    }
    const asItWas = this.#screen.form && taken.seen === Number(this.#screen.form.elements.seen.value);
    if (!asItWas || !this.#screen.drafts.touched) return location.assign(this.#screen.urls.work);
    this.overtaken = false;
    const shown = this.#screen.find("dialog#overtaken")?.dataset.seq;
    if (shown) this.#screen.drafts.follow(Number(shown));
    for (const part of this.#screen.root.querySelectorAll("main, .away")) part.inert = false;
    this.#screen.find("dialog#overtaken")?.close();
    hush(this.#screen.root, "elsewhere");
    this.#screen.expiresIn = taken.expires_in;
    this.#screen.lease = new Lease(this.#screen);
    return this.#screen.drafts.resume();
  }
}
