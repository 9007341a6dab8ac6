// What this device kept and never sent while the work went on elsewhere: told of,
// and shown until it is put away or chosen.
import { hush, make, notice } from "./say.js";
import { answers, draftKey, drafts, erase, keep } from "./storage.js";
import { token } from "./token.js";

const FIELDS = ["seen", "client", "seq", "base", "submission_key"];

// Whether nothing has come from elsewhere since the page of this copy was shown.
export function goesOn(screen, copy) {
  if (copy.seen !== Number(screen.form.elements.seen.value)) return false;
  return screen.seq === 0 || copy.base === screen.seq || (copy.client === screen.draftClient && copy.seq >= screen.seq);
}

// Whether the draft that came with the page has all that the copy has.
export function isHere(screen, copy, draft) {
  if (!draft || copy.seen !== Number(screen.form.elements.seen.value)) return false;
  return saysTheSame(copy.data, draft) || (copy.client === screen.draftClient && copy.seq <= screen.seq);
}

export const saysTheSame = (one, other) => said(one) === said(other);

const said = ({ _view, ...fields }) => JSON.stringify(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)));

// How the server says that it stands: "there" (and forgotten here), "fits", "unknown", or a dialog with both versions.
async function ask(root, key, entry) {
  const body = new FormData();
  for (const name of FIELDS) body.set(name, entry[name] ?? "");
  body.set("data", JSON.stringify(entry.data));
  body.set("csrfmiddlewaretoken", token(root));
  const sent = { method: "POST", body, headers: { "X-Requested-With": "fetch" } };
  const answer = await fetch(entry.door, sent).catch(() => null);
  if (!answer || answer.redirected || answer.status === 401 || answer.status >= 500) return "unknown";
  if (answer.status === 200) return "fits";
  if (answer.status === 409) return document.createRange().createContextualFragment(await answer.text());
  if (answer.status !== 204) return inItsFields(root, entry);
  erase(key);
  return "there";
}

// The work is not this person's any more, so that nobody can say it in words: by the names of its fields.
function inItsFields(root, entry) {
  const shown = root.querySelector("template[data-kept-fields]").content.cloneNode(true);
  const filled = Object.entries(entry.data).filter(([name, value]) => name !== "_view" && String(value));
  const lines = filled.map(([name, value]) => `${name}: ${[value].flat().join(", ")}`);
  shown.querySelector("[data-mine]").textContent = lines.join("\n");
  return shown;
}

export class Kept {
  #root; #told; #before; #found = [];

  // `told` says how many there are; `before` runs before one is shown.
  constructor(root, { told, before = () => {} }) {
    this.#root = root;
    this.#told = told;
    this.#before = before;
  }

  // Looks at each [key, entry]; `at` is a stage at which what there is to choose from is shown at once.
  // How each stands.
  async look(entries, at = null) {
    const stand = [];
    for (const [key, entry] of entries) stand.push(await ask(this.#root, key, entry));
    this.#found = entries.filter((_, number) => typeof stand[number] !== "string");
    this.#tell();
    const choice = stand.findIndex((one, number) => (
      typeof one !== "string" && entries[number][1].stage === at && one.querySelector("[data-choose]")
    ));
    if (choice >= 0) this.#open(entries[choice], stand[choice]);
    return stand;
  }

  #tell() { this.#told(this.#found.length); }

  // As it stands by now.
  async show() {
    const [one] = this.#found;
    await this.#before();
    const shown = await ask(this.#root, ...one);
    if (shown === "there" || shown === "fits") this.#drop((other) => other === one);
    else if (shown !== "unknown") this.#open(one, shown);
  }

  #open(one, shown) {
    const [, entry] = one;
    // An answer that was to be sent was a draft of the same words before.
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

// What was kept of the work on the screen and does not go on by itself, as `unsent` does: a line says so, and shows it.
export function lookForKept(screen, unsent) {
  const work = { work: screen.id };
  const mine = [draftKey(screen.id, screen.stage, screen.client), unsent?.submission_key];
  const others = ([key, { submission_key }]) => !mine.includes(submission_key ?? key);
  const entries = [...answers(work), ...drafts(work)].filter(others);
  const show = make(
    "button", { class: "btn", type: "button", on: () => keeper.show() }, screen.voice.text("kept-show"),
  );
  const told = (n) => {
    if (n) notice(screen.root, "kept", { text: screen.voice.text("kept-here"), buttons: [show] });
    else hush(screen.root, "kept");
  };
  const keeper = new Kept(screen.root, { told, before: () => screen.drafts.send() });
  if (entries.length) keeper.look(entries, screen.stage);
}

// Where the browser gives no access to the clipboard, the text is marked, so that the usual keys copy it.
async function copy(dialog) {
  const text = dialog.querySelector("[data-mine]");
  getSelection().selectAllChildren(text);
  try {
    await navigator.clipboard.writeText(text.innerText);
    dialog.querySelector("[data-copied]").hidden = false;
  } catch { /* it is marked */ }
}
