// Local copies that were never sent and conflict with newer work: announced, and shown until dismissed or chosen.
import { hush, make, notice, toast } from "./say.js";
import { fragmentOf, post } from "./fetching.js";
import { answers, draftKey, drafts, erase, keep } from "./storage.js";
/** @import { DraftData } from "./drafts.js" */
/** @import { Screen } from "./screen.js" */
/** @import { Entry, LocalCopy } from "./storage.js" */

const FIELDS = /** @type {const} */ (["seen", "client", "seq", "base", "submission_key"]);

// Whether no other page has saved or answered since the page of this copy was rendered.
/** @param {Screen} screen @param {LocalCopy} copy */
export function isCurrent(screen, copy) {
  if (copy.seen !== Number(screen.form.elements.seen.value)) return false;
  return screen.seq === 0 || copy.base === screen.seq || (copy.client === screen.draftClient && copy.seq >= screen.seq);
}

// Whether the server's draft contains the copy.
/** @param {Screen} screen @param {LocalCopy} copy @param {DraftData | null} draft */
export function isSaved(screen, copy, draft) {
  if (!draft || copy.seen !== Number(screen.form.elements.seen.value)) return false;
  return saysTheSame(copy.data, draft) || (copy.client === screen.draftClient && copy.seq <= screen.seq);
}

/** @param {DraftData} one @param {DraftData} other */
export const saysTheSame = (one, other) => canonical(one) === canonical(other);

/** @param {DraftData} options */
const canonical = ({ _view, ...fields }) => (
  JSON.stringify(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)))
);

/** @typedef {"stored" | "current" | "unknown" | DocumentFragment} Verdict */

// What the server says about a copy: "stored" (and then erased here), "current", "unknown", or a dialog with both.
/** @param {HTMLElement} root @param {string} key @param {LocalCopy} entry */
async function ask(root, key, entry) {
  const fields = Object.fromEntries(FIELDS.map((name) => [name, entry[name] ?? ""]));
  const answer = await post(entry.door, { ...fields, data: JSON.stringify(entry.data) }, { root });
  if (!answer || answer.redirected || answer.status === 401 || answer.status >= 500) return "unknown";
  if (answer.status === 200) return "current";
  if (answer.status === 409) return fragmentOf(await answer.text());
  if (answer.status !== 204) return rawFieldsDialog(root, entry);
  erase(key);
  return "stored";
}

// The work is no longer open to this person, so the server won't render the copy: show what its fields say.
/** @param {HTMLElement} root @param {LocalCopy} entry */
function rawFieldsDialog(root, entry) {
  const kept = root.querySelector("template[data-kept-fields]");
  const shown = /** @type {DocumentFragment} */ (kept.content.cloneNode(true));
  /** @param {[string, unknown]} field */
  const isFilled = ([name, value]) => name !== "_view" && !["", "[]"].includes(String(value));
  const filled = Object.entries(entry.data).filter(isFilled);
  const lines = filled.map(([name, value]) => (
    `${name.replaceAll("_", " ")}: ${[value].flat().flatMap(inWords).join("; ")}`
  ));
  shown.querySelector("[data-mine]").textContent = lines.join("\n");
  return shown;
}

// The words in a list of marked places or written texts, as a script keeps it in a hidden field; else the value.
/** @param {unknown} value */
function inWords(value) {
  const text = String(value);
  if (!text.startsWith("[")) return [text];
  try {
    /** @type {{ quote?: string, text?: string }[]} */
    const entries = JSON.parse(text);
    const words = entries.map((entry) => entry.quote || entry.text).filter(Boolean);
    return words.length ? words : [text];
  } catch { return [text]; } // typed so
}

export class UnsentCopies {
  #root; #onCount; #before;
  /** @type {Entry[]} */
  #found = [];

  // `onCount(n)` is called when the number of copies changes; `before` runs before one is shown.
  /** @param {HTMLElement} root @param {{ onCount: (n: number) => void, before?: () => unknown }} options */
  constructor(root, { onCount, before = () => {} }) {
    this.#root = root;
    this.#onCount = onCount;
    this.#before = before;
  }

  // Ask the server about each [key, entry] and return its verdicts; a choice at the stage `at` opens at once.
  /** @param {Entry[]} entries @param {string | null} [at] */
  async look(entries, at = null) {
    /** @type {Verdict[]} */
    const verdicts = [];
    for (const [key, entry] of entries) verdicts.push(await ask(this.#root, key, entry));
    this.#found = entries.filter((_, number) => typeof verdicts[number] !== "string");
    this.#tell();
    const choice = verdicts.findIndex((one, number) => (
      typeof one !== "string" && entries[number][1].stage === at && one.querySelector("[data-choose]")
    ));
    if (choice >= 0) this.#open(entries[choice], /** @type {DocumentFragment} */ (verdicts[choice]));
    return verdicts;
  }

  #tell() { this.#onCount(this.#found.length); }

  // Show the first, after asking the server again; resolves to "arrived" if it needs not be shown any more, to
  // "unknown" if the server did not answer, else to "".
  /** @returns {Promise<"arrived" | "unknown" | "">} */
  async show() {
    const [one] = this.#found;
    await this.#before();
    const shown = await ask(this.#root, ...one);
    if (shown === "unknown") return shown;
    if (typeof shown !== "string") { this.#open(one, shown); return ""; }
    this.#drop((other) => other === one);
    return "arrived";
  }

  /** @param {Entry} one @param {Node} shown */
  #open(one, shown) {
    const [, entry] = one;
    // An unsent answer also has a draft with the same text.
    /** @param {Entry} options */
    const same = ([, other]) => (
      other.work === entry.work && other.stage === entry.stage && saysTheSame(other.data, entry.data)
    );
    this.#root.querySelector("dialog#kept")?.remove();
    this.#root.append(shown);
    const dialog = this.#root.querySelector("dialog#kept");
    /** @param {string} name @param {() => void} run */
    const on = (name, run) => dialog.querySelector(name)?.addEventListener("click", run);
    on("[data-close]", () => dialog.close());
    on("[data-copy]", () => copy(dialog));
    const putAway = () => {
      for (const [key] of this.#found.filter(same)) erase(key);
      this.#drop(same);
    };
    on("[data-put-off]", () => { putAway(); dialog.remove(); });
    on("[data-choose]", () => {
      const seq = Number(dialog.dataset.seq);
      putAway();
      const { submission_key: _, ...draft } = entry;
      const next = { ...draft, base: seq, seq: Math.max(entry.seq, seq) + 1 };
      keep(draftKey(entry.work, entry.stage, "chosen"), next);
      location.assign(`${entry.url}${entry.stage}/`);
    });
    dialog.showModal();
  }

  /** @param {(entry: Entry) => boolean} these */
  #drop(these) {
    this.#found = this.#found.filter((one) => !these(one));
    this.#tell();
  }
}

// Announce copies of the work on the screen, except `unsent`, which is sent automatically.
/** @param {Screen} screen @param {LocalCopy | null} unsent */
export function announceUnsentCopies(screen, unsent) {
  const work = { work: screen.id };
  const mine = [draftKey(screen.id, screen.stage, screen.client), unsent?.submission_key];
  /** @param {Entry} options */
  const others = ([key, { submission_key }]) => !mine.includes(submission_key ?? key);
  const entries = [...answers(work), ...drafts(work)].filter(others);
  const { voice } = screen;
  const on = async () => {
    const verdict = await keeper.show();
    if (verdict === "arrived") toast(voice.text("kept-arrived"));
    if (verdict === "unknown") notice(screen.root, "connection", { text: voice.text("not-connected"), kind: "bad" });
  };
  const show = make("button", { class: "btn", type: "button", on }, voice.text("kept-show"));
  /** @param {number} n */
  const onCount = (n) => {
    if (n) notice(screen.root, "kept", { text: screen.voice.text("kept-here"), buttons: [show] });
    else hush(screen.root, "kept");
  };
  const keeper = new UnsentCopies(screen.root, { onCount, before: () => screen.drafts.send() });
  if (entries.length) keeper.look(entries, screen.stage);
}

// Without access to the clipboard the text stays selected, so that the usual keys copy it.
/** @param {HTMLDialogElement} dialog */
async function copy(dialog) {
  const text = dialog.querySelector("[data-mine]");
  getSelection().selectAllChildren(text);
  try {
    await navigator.clipboard.writeText(text.innerText);
    dialog.querySelector("[data-copied]").hidden = false;
  } catch { /* it stays selected */ }
}
