// The side chat of shared work. Its panel is not part of the screen, so that it stays while screens come and go.
import { fragmentOf, get, OneAtATime, pause, post } from "./fetching.js";
import { make, Voice } from "./say.js";
import { clearTimeout, setTimeout } from "./settled.js";
import { isOver, isSignedOut } from "./signin.js";
import { chatKey, keep, kept, typedKey, write } from "./storage.js";
/** @import { Screen } from "./screen.js" */

const NEAR = 40; // this close to the end, the newest message stays in view
const CLOSED = 409;
const REFUSED = 422;
const narrow = matchMedia("(max-width: 60rem)");

// Not crypto.randomUUID, which only exists over HTTPS.
const handle = () => [...crypto.getRandomValues(new Uint8Array(16))].map(
  (byte) => byte.toString(16).padStart(2, "0"),
).join("");

/** @typedef {{ key: string, text: string, toLead: boolean }} Unsent */

/** @type {Chat | null} */
let chat = null;

// A screen is shown: its button and its key open the chat, if the work has one.
/** @param {Screen} screen */
export function joinChat(screen) {
  const panel = document.querySelector("[data-chat]");
  if (!panel) return;
  chat ??= new Chat(panel);
  chat.join(screen);
}

// The last message has this number, says the server.
/** @param {number} number */
export function newestMessage(number) { chat?.newest(number); }

// Open it with this turn's number in the box, unless something is written there already.
/** @param {string} turn */
export function discuss(turn) { chat?.discuss(turn); }

class Chat {
  #panel; #words; #form; #lines; #last = 0; #loaded = false;
  #sending = false; #failed = 0;
  #news = new OneAtATime(() => this.#fetch());
  /** @type {Screen | null} */
  #screen = null;
  /** @type {HTMLElement | null} */
  #before = null;
  /** @type {number | null} */
  #timer = null;
  /** @type {{ read: number, open: boolean }} */
  #state; // `read`: the number of the last message that was read
  /** @type {{ text: string, toLead: boolean, waiting: Unsent[] }} */
  #typed; // `text`, `toLead`: in the box; `waiting`: sent and not acknowledged

  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.#panel = panel;
    this.#words = new Voice(panel);
    this.#form = panel.querySelector("form[data-chat-form]");
    this.#lines = panel.querySelector("[data-chat-lines]");
    this.#state = { read: 0, open: false, ...kept(chatKey(panel.dataset.work)) };
    this.#typed = { text: "", toLead: false, waiting: [], ...kept(typedKey(panel.dataset.work)) };
    const { text, to_lead: toLead } = this.#form.elements;
    text.value = this.#typed.text;
    toLead.checked = this.#typed.toLead;
    this.#form.addEventListener("input", () => this.#type());
    this.#form.addEventListener("submit", (event) => { event.preventDefault(); this.#submit(); });
    panel.addEventListener("keydown", (event) => this.#pressed(event));
    panel.querySelector("[data-chat-close]").addEventListener("click", () => this.#toggle(false));
    document.addEventListener("visibilitychange", () => this.#draw());
    addEventListener("online", () => this.#send());
    narrow.addEventListener("change", () => this.#draw());
    this.#news.ask();
    this.#send();
  }

  /** @param {Screen} screen */
  join(screen) {
    this.#screen = screen;
    screen.root.addEventListener("click", (event) => {
      if (event.target.closest("[data-chat-toggle]")) this.#toggle(!this.#state.open);
    }, { signal: screen.signal });
    screen.keys.bind("Alt+c", () => this.#toggle(!this.#state.open), { label: this.#words.text("key"), general: true });
    this.#draw();
  }

  /** @param {number} number */
  newest(number) {
    if (number > this.#last) this.#news.ask();
    if (!this.#timer) this.#send();
  }

  /** @param {string} turn */
  discuss(turn) {
    const { text } = this.#form.elements;
    text.value ||= this.#words.text("discuss", { turn });
    this.#type();
    this.#toggle(true);
    text.setSelectionRange(text.value.length, text.value.length);
  }

  #save() {
    const { work } = this.#panel.dataset;
    write(chatKey(work), JSON.stringify(this.#state));
    keep(typedKey(work), this.#typed);
  }

  #type() {
    const { text, to_lead: toLead } = this.#form.elements;
    Object.assign(this.#typed, { text: text.value, toLead: toLead.checked });
    this.#problem("");
    this.#save();
  }

  /** @param {KeyboardEvent & { target: HTMLElement }} event */
  #pressed(event) {
    const isText = event.target === this.#form.elements.text;
    if (event.key === "Enter" && isText && !event.shiftKey) {
      event.preventDefault();
      this.#form.requestSubmit();
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.#toggle(false);
    }
  }

  // The focus goes back to where it was before, unless that has gone with its screen.
  /** @param {boolean} open */
  #toggle(open) {
    if (open) this.#before = /** @type {HTMLElement} */ (document.activeElement);
    this.#state.open = open;
    this.#save();
    this.#draw();
    const back = this.#before?.isConnected && this.#before !== document.body ? this.#before : this.#button;
    if (!open) back?.focus();
    // By touch, the box would open the keyboard of the phone. Either way Esc closes the panel.
    else if (matchMedia("(pointer: fine)").matches) this.#form.elements.text.focus();
    else this.#panel.querySelector("[data-chat-close]").focus();
    if (open) this.#lines.scrollTop = this.#lines.scrollHeight;
  }

  get #button() { return this.#screen?.find("[data-chat-toggle]"); }

  #draw() {
    const { open } = this.#state;
    this.#panel.hidden = !open;
    this.#button?.setAttribute("aria-expanded", open);
    const main = this.#screen?.find("main");
    if (main && !this.#screen.tabs.overtaken) main.inert = open && narrow.matches; // the panel lies over it
    if (open && !document.hidden && this.#last > this.#state.read) {
      this.#state.read = this.#last;
      this.#save();
    }
    const others = [...this.#lines.querySelectorAll("[data-number]:not(.mine)")];
    const unread = others.filter((line) => Number(line.dataset.number) > this.#state.read).length;
    const badge = this.#button?.querySelector("[data-chat-unread]");
    if (!badge) return;
    badge.hidden = !unread;
    badge.querySelector(".num").textContent = String(unread);
  }

  async #fetch() {
    const answer = await get(`${this.#panel.dataset.chat}?after=${this.#last}`);
    if (answer?.ok && !answer.redirected) this.#take(await answer.text()); // otherwise the next poll asks again
  }

  /** @param {string} html */
  #take(html) {
    const { scrollTop, clientHeight, scrollHeight } = this.#lines;
    const wasAtEnd = scrollTop + clientHeight > scrollHeight - NEAR;
    const found = [...fragmentOf(html).querySelectorAll("[data-number]")];
    const fresh = found.filter((line) => Number(line.dataset.number) > this.#last);
    this.#lines.append(...fresh);
    if (fresh.length) this.#last = Number(fresh.at(-1).dataset.number);
    const stored = new Set(fresh.map((line) => line.dataset.key));
    this.#typed.waiting = this.#typed.waiting.filter(({ key }) => !stored.has(key));
    this.#save();
    this.#wait();
    if (wasAtEnd) this.#lines.scrollTop = this.#lines.scrollHeight;
    if (this.#loaded) this.#speak(fresh);
    this.#loaded = true;
    this.#draw();
  }

  // What others have just written is spoken, whether or not the panel is open.
  /** @param {HTMLElement[]} lines */
  #speak(lines) {
    const said = lines.filter((line) => line.dataset.who !== "me").map((line) => (
      this.#words.text(line.dataset.who, { text: line.querySelector("p").textContent })
    ));
    if (said.length) this.#screen?.voice.live(said.join(" "));
  }

  // Show what is not stored yet below what is, or that there is nothing.
  #wait() {
    for (const line of this.#lines.querySelectorAll("[data-pending]")) line.remove();
    const how = this.#words.text(this.#failed ? "not-sent" : "sending");
    for (const { text } of this.#typed.waiting) {
      const line = make("li", { class: "mine", "data-pending": true }, make("p", { dir: "auto" }, text));
      line.append(make("span", {}, how));
      this.#lines.append(line);
    }
    if (!this.#lines.children.length) {
      this.#lines.append(make("li", { class: "quiet", "data-pending": true }, this.#words.text("empty")));
    }
  }

  #submit() {
    const { text, to_lead: toLead } = this.#form.elements;
    if (!text.value.trim()) return;
    this.#typed.waiting.push({ key: handle(), text: text.value.trim(), toLead: toLead.checked });
    text.value = "";
    toLead.checked = false;
    this.#type();
    this.#wait();
    this.#lines.scrollTop = this.#lines.scrollHeight;
    this.#send();
  }

  // One at a time, in order, each under its own key: what arrived although no answer came is stored once.
  async #send() {
    const [one] = this.#typed.waiting;
    if (!one || this.#sending) return;
    this.#sending = true;
    clearTimeout(this.#timer);
    this.#timer = null;
    const { key, text, toLead } = one;
    const fields = { key, text, after: this.#last, ...(toLead ? { to_lead: "on" } : {}) };
    const answer = await post(this.#panel.dataset.chat, fields);
    const shown = await answer?.text().catch(() => "");
    this.#sending = false;
    if (answer && isSignedOut(answer)) return this.#screen?.requests.signedOut();
    if (answer?.ok && !answer.redirected) this.#arrived(one, shown);
    else if (answer && (isOver(answer) || [CLOSED, REFUSED].includes(answer.status))) this.#refused(one, answer, shown);
    else this.#later();
    return undefined;
  }

  /** @param {Unsent} options @param {string} html */
  #arrived({ key }, html) {
    this.#failed = 0;
    this.#typed.waiting = this.#typed.waiting.filter((one) => one.key !== key);
    this.#take(html);
    this.#send();
  }

  // It comes back into the box, if nothing else is there.
  /** @param {Unsent} one @param {Response} options @param {string} sentence */
  #refused(one, { status }, sentence) {
    this.#typed.waiting = this.#typed.waiting.filter(({ key }) => key !== one.key);
    const { text } = this.#form.elements;
    text.value ||= one.text;
    this.#type();
    this.#wait();
    this.#problem(status === REFUSED ? sentence : this.#words.text("over"));
  }

  #later() {
    this.#failed += 1;
    this.#wait();
    this.#timer = setTimeout(() => this.#send(), pause(this.#failed));
  }

  /** @param {string} sentence */
  #problem(sentence) { this.#panel.querySelector("[data-chat-problem]").textContent = sentence; }
}
