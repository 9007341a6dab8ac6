// The same work in two tabs or on two devices: the newer page counts, the older one is told and can take it back.
import { Lease } from "./lease.js";
import { hush, make, notice } from "./say.js";
import { token } from "./token.js";

export class Tabs {
  #screen;
  overtaken = false;

  constructor(screen) { this.#screen = screen; }

  // This page was opened: it counts from now on, and any older one is refused.
  async take() {
    const body = new FormData();
    body.set("client", this.#screen.client);
    body.set("csrfmiddlewaretoken", token(this.#screen.root));
    const answer = await fetch(this.#screen.urls.take, { method: "POST", body, headers: { "X-Requested-With": "fetch" } }).catch(() => null);
    if (answer?.status === 409) location.assign(this.#screen.urls.work); // closed meanwhile: that page says why
    if (!answer?.ok) return null;
    // It has said so: what counted before may be taken back, and counts no more through this page.
    this.#screen.after = this.#screen.client;
    if (this.#screen.form) this.#screen.form.elements.after.value = this.#screen.client;
    return answer.json();
  }

  // Another page counts: what is there stands in the answer to a save of what is here. Or the work is closed, and why.
  ask(refused) {
    if (this.#screen.form) this.#screen.drafts.compare();
    else if (refused === "taken_over") this.giveWay("");
    else location.assign(this.#screen.urls.work);
  }

  // Read-only from now on; `shown` is a dialog with both versions.
  giveWay(shown) {
    this.overtaken = true;
    this.#screen.drafts?.hold();
    this.#screen.lease?.stop();
    this.#screen.find(".saved")?.setAttribute("hidden", ""); // until something is saved from here again
    for (const part of this.#screen.root.querySelectorAll("main, .away")) part.inert = true;
    this.#screen.find("dialog#overtaken")?.remove();
    this.#screen.root.append(document.createRange().createContextualFragment(shown));
    const dialog = this.#screen.find("dialog#overtaken");
    this.#line(dialog);
    if (!dialog) return;
    for (const open of this.#screen.root.querySelectorAll("dialog[open]")) open.close();
    dialog.querySelector("[data-take-back]")?.addEventListener("click", () => this.#takeBack());
    dialog.showModal();
  }

  // The line that stays: another page counts and this one can take the work back, or it was taken from both.
  #line(dialog) {
    const away = dialog?.dataset.away;
    const [label, on] = away ? ["show-why", () => dialog.showModal()] : ["take-back", () => this.#takeBack()];
    const button = make("button", { class: "btn", type: "button", on }, this.#screen.voice.text(label));
    notice(this.#screen.root, "elsewhere", { text: away ?? this.#screen.voice.text("elsewhere"), buttons: [button] });
  }

  // Where the work stands as it did, what is in this tab counts and is saved; else the page is loaded anew.
  async #takeBack() {
    const taken = await this.take();
    if (!taken) return notice(this.#screen.root, "connection", { text: this.#screen.voice.text("not-connected"), kind: "bad" });
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
