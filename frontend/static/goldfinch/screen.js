// One screen of a stage: its form, draft, lease, keys, dialogs and bottom sheet. The stage's script adds the rest.
import { fill, Drafts } from "./drafts.js";
import { announceUnsentCopies } from "./unsent.js";
import { keyRows, Keys } from "./keys.js";
import { Lease } from "./lease.js";
import { Outbox } from "./outbox.js";
import { keepPlace, placeOf, scrollTo } from "./place.js";
import { hush, icon, make, notice, Voice } from "./say.js";
import { askToSignIn } from "./signin.js";
import { erase, shared, viewKey } from "./storage.js";
import { Tabs } from "./tabs.js";
import { Traces } from "./traces.js";

export class Screen {
  #abort = new AbortController();
  #stage = null; #cut = false;

  constructor(root) {
    const data = root.dataset;
    this.root = root;
    this.id = data.work;
    this.user = data.user;
    this.stage = data.stage;
    this.client = data.client;
    this.after = data.after;
    this.seq = Number(data.seq ?? 0);
    this.draftClient = data.draftClient;
    this.expiresIn = Number(data.expiresIn || 0);
    this.readonly = "readonly" in data;
    this.urls = {
      stage: data.urlStage, draft: data.urlDraft, renew: data.urlRenew, kept: data.urlKept, take: data.urlTake,
      unskip: data.urlUnskip, work: data.urlWork, findQuote: data.urlFindQuote,
    };
    this.form = this.readonly ? null : root.querySelector("form[data-commit]");
    this.signal = this.#abort.signal;
    this.voice = new Voice(root);
    this.tabs = new Tabs(this);
    this.undoSkip = null;
  }

  async start(stage) {
    this.keys = new Keys({ changed: () => this.#stage?.keysChanged?.(), used: (key) => this.traces?.used(key) });
    this.#bindKeys();
    this.#listen();
    this.#openable();
    if (!this.id) return;
    this.lease = new Lease(this);
    this.traces = new Traces(this);
    this.note("stage_entered");
    const { refused } = this.root.dataset;
    if (refused !== undefined) this.note("validation_failed", { by: "server", rules: refused.slice(0, 200) });
    this.drafts = new Drafts(this);
    this.outbox = new Outbox(this);
    const unsent = this.outbox.waiting();
    const draft = this.#restored(unsent);
    if (draft) fill(this.form, draft);
    const view = placeOf(this, draft);
    this.#stage = stage?.start(this, { ...draft, _view: view }) ?? null;
    scrollTo(this, view.y);
    this.#stage?.keysChanged?.();
    // Open a closed sheet if it has errors, which nobody would see otherwise.
    const closed = refused !== undefined && this.find(".answer > .grip")?.checkVisibility();
    if (closed && this.find(".answer [data-wrong]:not([hidden])")) this.#show(this.find(".answer"), true);
    if (unsent) this.#sendKept(unsent);
    announceUnsentCopies(this, unsent);
  }

  // A form that was refused is newer than any draft.
  #restored(unsent) {
    if (!this.form || "refused" in this.root.dataset) return null;
    return this.drafts.restored(this.json("draft"), this.root.dataset.draftAt, unsent);
  }

  // Send it under its original idempotency key: if it did arrive after all, it counts once.
  #sendKept({ submission_key }) {
    this.form.elements.submission_key.value = submission_key;
    notice(this.root, "sending", { text: this.voice.text("sending-kept") });
    this.commit();
  }

  json(id) {
    const text = this.root.querySelector(`template[data-json]#${id}`)?.content.textContent;
    return text ? JSON.parse(text) : null;
  }

  find(selector) { return this.root.querySelector(selector); }

  // Scroll position, and what the stage adds (the box or the word in focus).
  view() { return { y: this.find(".material")?.scrollTop ?? 0, ...this.#stage?.view?.() }; }

  changed() { this.drafts?.changed(); }

  note(kind, data) { this.traces?.note(kind, data); }

  commit() {
    if (!this.form || this.#stage?.ready?.() === false) return;
    this.form.requestSubmit(this.form.querySelector("[type=submit]"));
  }

  problem(sentence) {
    this.note("validation_failed", { by: "page", said: sentence });
    const alert = make("div", { class: "alert bad", role: "alert" }, icon("alert"), make("div", {}, sentence));
    this.find("[data-problems]")?.replaceChildren(alert);
    alert.scrollIntoView({ block: "nearest" });
  }

  noProblem() { this.find("[data-problems]")?.replaceChildren(); }

  #bindKeys() {
    const say = (key) => this.voice.text(key);
    const general = true;
    this.keys.bind("Mod+Enter", () => this.commit(), { label: this.form ? say("key-commit") : "", general });
    const undo = () => (this.undoSkip ?? this.#stage?.undo)?.();
    this.keys.bind("u", undo, { label: this.form ? say("key-undo") : "", general });
    this.keys.bind("Alt+s", () => this.open("skip"), { label: this.form ? say("key-skip") : "", general });
    const renew = () => this.lease?.renew({ asked: true });
    this.keys.bind("Alt+k", renew, { label: this.form ? say("keep-working") : "", general });
    this.keys.bind("Alt+r", () => this.open("report"), { label: this.form ? say("key-report") : "", general });
    for (const which of ["d", "q", "a"]) {
      const label = say(`key-landmark-${which}`);
      this.keys.bind(`Alt+Shift+${which}`, () => this.#landmark(which), { label, general });
    }
    this.keys.bind("Alt+g", () => this.find("[data-guidelines]")?.click(), { label: say("key-guidelines"), general });
    this.keys.bind("?", () => this.open("keys"), { label: say("key-keys"), general });
    this.keys.bind("Escape", () => this.#escape(), { label: say("key-close"), general });
  }

  #landmark(which) {
    const place = { d: "#material", q: "[data-prompt]", a: "[data-answer]" }[which];
    const target = this.find(place);
    (target?.querySelector("iframe") ?? target)?.focus();
  }

  #escape() {
    if (this.#stage?.escape?.()) return;
    const way = this.find("[data-escape]");
    if (way) return way.click();
    const open = this.find("[data-open].answer, .rail[data-open], .find[data-open]");
    if (open) this.#show(open, false);
    return undefined;
  }

  open(id) {
    const dialog = this.root.querySelector(`dialog#${id}`);
    if (!dialog || dialog.open) return;
    this.note("dialog_opened", { id });
    const where = dialog.querySelector("[data-where]");
    const parts = [...this.root.querySelectorAll("[data-crumbs] li")];
    if (where) where.value = parts.map((part) => part.textContent.trim()).join(" › ");
    if (id === "keys") dialog.querySelector("[data-keymap]").replaceChildren(...keyRows(this.keys.map()));
    dialog.showModal();
  }

  #listen() {
    const options = { signal: this.signal };
    this.root.addEventListener("click", (event) => this.#click(event), options);
    for (const type of ["input", "pointerdown", "wheel", "touchmove"]) {
      this.root.addEventListener(type, (event) => this.#acted(event), { ...options, passive: true });
    }
    this.form?.addEventListener("input", (event) => { if (event.target.name) this.changed(); }, options);
    this.form?.addEventListener("submit", (event) => {
      if (this.#stage?.ready?.() === false) { event.preventDefault(); event.stopImmediatePropagation(); }
    }, { ...options, capture: true });
    for (const box of this.root.querySelectorAll("[data-single-keys]")) {
      box.checked = this.keys.singles;
      box.addEventListener("change", () => this.keys.switchSingles(box.checked), options);
    }
    this.find("[data-give-back]")?.addEventListener("submit", () => this.leave(), options);
  }

  #click(event) {
    const open = event.target.closest("[data-open]:is(button)");
    if (open) return this.open(open.dataset.open);
    if (event.target.closest("[data-close]")) return event.target.closest("dialog").close();
    if (event.target.matches("dialog")) return event.target.close();
    const toggle = event.target.closest("[data-toggles]");
    const panel = toggle && this.find(`#${toggle.dataset.toggles}`);
    if (panel) this.#show(panel, !panel.hasAttribute("data-open"));
    return undefined;
  }

  // The sheet, the outline and the search field of a narrow screen. The text under an open sheet can't take focus.
  #show(panel, open) {
    panel.toggleAttribute("data-open", open);
    for (const button of this.root.querySelectorAll(`[data-toggles="${panel.id}"]`)) {
      button.setAttribute("aria-expanded", open);
    }
    if (panel.matches(".answer")) for (const text of this.root.querySelectorAll(".material")) text.inert = open;
    if (open && panel.matches(".find")) panel.querySelector("input").focus();
  }

  closePanels() {
    for (const panel of this.root.querySelectorAll(".rail[data-open]")) this.#show(panel, false);
  }

  #openable() {
    const prompt = this.find(".prompt");
    const measure = () => this.root.style.setProperty("--prompt-height", `${prompt.offsetHeight}px`);
    if (prompt) new ResizeObserver(measure).observe(prompt);
    matchMedia("(min-width: 60.01rem)").addEventListener("change", () => {
      for (const panel of this.root.querySelectorAll(".answer[data-open]")) this.#show(panel, false);
    }, { signal: this.signal });
  }

  press(event) {
    if (this.tabs.overtaken) return;
    this.input();
    this.keys?.press(event);
  }

  // A key pressed in the frame.
  pressed(key) {
    if (this.tabs.overtaken) return;
    this.input();
    this.keys.run(key);
  }

  // Not for the button in the lease notice, which renews by itself: the notice must not vanish under the pointer.
  #acted(event) { if (!event.target.closest?.('[data-notice="lease"]')) this.input(); }

  input() {
    this.lease?.input();
    this.traces?.input();
  }

  // Announced once when the connection is lost and once when it is back; a successful save is shown only.
  connected(up) {
    this.traces?.connected(up);
    if (up === this.#cut) this.voice.live(this.voice.text(up ? "connected" : "not-saved"));
    this.#cut = !up;
  }

  sends(element) {
    if (element === this.form || element.matches?.("[data-leaves]")) this.drafts?.hold();
  }

  // Add traces and concurrency fields to a commit or a skip.
  adds(element, parameters) {
    if (element !== this.form && !element.matches?.("[data-skip]")) return;
    parameters.trace = this.traces?.take() ?? "";
    parameters.sent = Date.now();
    parameters.client = this.client;
    parameters.stage = this.stage;
  }

  arrived(element) {
    if (element === this.form) {
      this.outbox.done();
      erase(viewKey(this.id, this.stage));
    }
    if (element === this.form || element.matches?.("[data-leaves]")) this.drafts?.finish();
  }

  failed(element, status) {
    if (this.tabs.overtaken) return;
    const sent = element === this.form;
    if (!status) this.connected(false);
    if (sent || element.matches?.("[data-leaves]")) this.drafts?.resume();
    if (status === 409 || status === 422) { // the response says what is wrong
      if (sent) this.outbox.done();
      return;
    }
    const send = () => (sent ? this.commit() : element.requestSubmit?.());
    const again = make("button", { class: "btn", type: "button", on: send }, this.voice.text("send-again"));
    const waits = sent && this.outbox.hold(status);
    const text = this.voice.text(status && !waits ? "went-wrong" : waits && shared() ? "not-sent-shared" : "not-sent");
    notice(this.root, "sending", { text, kind: "bad", buttons: [again] });
  }

  // Keep the page as it is; once the person is back, `form` is sent under the same idempotency key.
  signedOut(form = null) {
    this.drafts?.hold();
    const open = () => askToSignIn(this.find("dialog#sign-in"), () => {
      hush(this.root, "session");
      this.drafts?.resume();
      if (form === this.form) this.commit();
      else form?.requestSubmit?.();
    });
    const button = make("button", { class: "btn", type: "button", on: open }, this.voice.text("sign-in"));
    notice(this.root, "session", { text: this.voice.text("signed-out"), kind: "bad", buttons: [button] });
    open();
  }

  // The work was closed elsewhere: stop saving and renewing; what is on the page stays, to be read and copied.
  over(why = null) {
    this.ended = true;
    this.lease?.stop();
    this.drafts?.hold();
    this.outbox?.stop();
    this.find(".saved")?.setAttribute("hidden", "");
    for (const name of ["connection", "lease", "sending"]) hush(this.root, name);
    const text = this.voice.text(`over-${why}`) || this.voice.text("over");
    const link = make("a", { class: "btn", href: this.urls.work }, this.voice.text("go-on"));
    notice(this.root, "closed", { text, buttons: [link] });
  }

  leave() {
    if (this.tabs.overtaken || !this.id) return;
    keepPlace(this);
    if (this.drafts?.waits) this.drafts.send({ leaving: true });
    else if (this.form) this.traces?.send();
  }

  stop() {
    this.lease?.stop();
    this.drafts?.hold();
    this.outbox?.stop();
    this.#abort.abort();
  }
}
