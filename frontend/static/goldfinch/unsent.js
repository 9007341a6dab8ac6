// Local copies that were never sent and conflict with newer work: announced, and shown until dismissed or chosen.
import { hush, make, notice } from "./say.js";
import { answers, draftKey, drafts, erase, keep } from "./storage.js";
import { token } from "./token.js";

const FIELDS = ["seen", "client", "seq", "base", "submission_key"];

// Whether no other page has saved or answered since the page of this copy was rendered.
export function isCurrent(screen, copy) {
  if (copy.seen !== Number(screen.form.elements.seen.value)) return false;
  return screen.seq === 0 || copy.base === screen.seq || (copy.client === screen.draftClient && copy.seq >= screen.seq);
}

// Whether the server's draft contains the copy.
export function isSaved(screen, copy, draft) {
  if (!draft || copy.seen !== Number(screen.form.elements.seen.value)) return false;
  return saysTheSame(copy.data, draft) || (copy.client === screen.draftClient && copy.seq <= screen.seq);
}

export const saysTheSame = (one, other) => canonical(one) === canonical(other);

const canonical = ({ _view, ...fields }) => (
  JSON.stringify(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)))
);

// What the server says about a copy: "stored" (and then erased here), "current", "unknown", or a dialog with both.
async function ask(root, key, entry) {
  const body = new FormData();
  for (const name of FIELDS) body.set(name, entry[name] ?? "");
  body.set("data", JSON.stringify(entry.data));
  body.set("csrfmiddlewaretoken", token(root));
  const sent = { method: "POST", body, headers: { "X-Requested-With": "fetch" } };
  const answer = await fetch(entry.door, sent).catch(() => null);
  if (!answer || answer.redirected || answer.status === 401 || answer.status >= 500) return "unknown";
  if (answer.status === 200) return "current";
  if (answer.status === 409) return document.createRange().createContextualFragment(await answer.text());
  if (answer.status !== 204) return rawFieldsDialog(root, entry);
  erase(key);
  return "stored";
}

// The work is no longer open to this person, so the server won't render the copy: show its raw fields.
function rawFieldsDialog(root, entry) {
  const shown = root.querySelector("template[data-kept-fields]").content.cloneNode(true);
  const filled = Object.entries(entry.data).filter(([name, value]) => name !== "_view" && String(value));
  const lines = filled.map(([name, value]) => `${name}: ${[value].flat().join(", ")}`);
  shown.querySelector("[data-mine]").textContent = lines.join("\n");
  return shown;
}

export class UnsentCopies {
  #root; #onCount; #before; #found = [];

  // `onCount(n)` is called when the number of copies changes; `before` runs before one is shown.
  constructor(root, { onCount, before = () => {} }) {
    this.#root = root;
    this.#onCount = onCount;
    this.#before = before;
  }

  // Ask the server about each [key, entry] and return its verdicts; a choice at the stage `at` opens at once.
  async look(entries, at = null) {
    const verdicts = [];
    for (const [key, entry] of entries) verdicts.push(await ask(this.#root, key, entry));
    this.#found = entries.filter((_, number) => typeof verdicts[number] !== "string");
    this.#tell();
    const choice = verdicts.findIndex((one, number) => (
      typeof one !== "string" && entries[number][1].stage === at && one.querySelector("[data-choose]")
    ));
    if (choice >= 0) this.#open(entries[choice], verdicts[choice]);
    return verdicts;
  }

  #tell() { this.#onCount(this.#found.length); }

  // Show the first, after asking the server again.
  async show() {
    const [one] = this.#found;
    await this.#before();
    const shown = await ask(this.#root, ...one);
    if (shown === "stored" || shown === "current") this.#drop((other) => other === one);
    else if (shown !== "unknown") this.#open(one, shown);
  }

  #open(one, shown) {
    const [, entry] = one;
    // An unsent answer also has a draft with the same text.
    const same = ([, other]) => (
      other.work === entry.work && other.stage === entry.stage && saysTheSame(other.data, entry.data)
    );
    this.#root.querySelector("dialog#kept")?.remove();
    this.#root.append(shown);
    const dialog = this.#root.querySelector("dialog#kept");
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
      const next = { ...entry, submission_key: undefined, base: seq, seq: Math.max(entry.seq, seq) + 1 };
      keep(draftKey(entry.work, entry.stage, "chosen"), next);
      location.assign(`${entry.url}${entry.stage}/`);
    });
    dialog.showModal();
  }

  #drop(these) {
    this.#found = this.#found.filter((one) => !these(one));
    this.#tell();
  }
}

// Announce copies of the work on the screen, except `unsent`, which is sent automatically.
export function announceUnsentCopies(screen, unsent) {
  const work = { work: screen.id };
  const mine = [draftKey(screen.id, screen.stage, screen.client), unsent?.submission_key];
  const others = ([key, { submission_key }]) => !mine.includes(submission_key ?? key);
  const entries = [...answers(work), ...drafts(work)].filter(others);
  const show = make(
    "button", { class: "btn", type: "button", on: () => keeper.show() }, screen.voice.text("kept-show"),
  );
  const onCount = (n) => {
    if (n) notice(screen.root, "kept", { text: screen.voice.text("kept-here"), buttons: [show] });
    else hush(screen.root, "kept");
  };
  const keeper = new UnsentCopies(screen.root, { onCount, before: () => screen.drafts.send() });
  if (entries.length) keeper.look(entries, screen.stage);
}

// Without access to the clipboard the text stays selected, so that the usual keys copy it.
async function copy(dialog) {
  const text = dialog.querySelector("[data-mine]");
  getSelection().selectAllChildren(text);
  try {
    await navigator.clipboard.writeText(text.innerText);
    dialog.querySelector("[data-copied]").hidden = false;
  } catch { /* it stays selected */ }
}
