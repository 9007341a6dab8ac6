// What opens over the text: dialogs, and on a narrow screen the answer's sheet, the outline and the search field.
import { keyRows } from "./keys.js";
/** @import { Screen } from "./screen.js" */

export class Panels {
  #screen;

  /** @param {Screen} screen */
  constructor(screen) {
    this.#screen = screen;
    const { root, signal } = screen;
    root.addEventListener("click", (event) => this.#click(event), { signal });
    const prompt = screen.find(".prompt");
    const measure = () => root.style.setProperty("--prompt-height", `${prompt.offsetHeight}px`);
    if (prompt) new ResizeObserver(measure).observe(prompt);
    matchMedia("(min-width: 60.01rem)").addEventListener("change", () => this.#closeAll(".answer"), { signal });
  }

  /** @param {MouseEvent & { target: HTMLElement }} event */
  #click(event) {
    const opener = event.target.closest("[data-open]:is(button)");
    if (opener) return this.open(opener.dataset.open);
    if (event.target.closest("[data-close]")) return event.target.closest("dialog").close();
    if (event.target.matches("dialog")) return /** @type {HTMLDialogElement} */ (event.target).close();
    const toggle = event.target.closest("[data-toggles]");
    const panel = toggle && this.#screen.find(`#${toggle.dataset.toggles}`);
    if (panel) this.#show(panel, !panel.hasAttribute("data-open"));
    return undefined;
  }

  // Open the dialog with this id.
  /** @param {string} id */
  open(id) {
    const { root } = this.#screen;
    const dialog = root.querySelector(`dialog#${id}`);
    if (!dialog || dialog.open) return;
    this.#screen.note("dialog_opened", { id });
    const where = dialog.querySelector("input[data-where]");
    const parts = [...root.querySelectorAll("[data-crumbs] li")];
    if (where) where.value = parts.map((part) => part.textContent.trim()).join(" › ");
    if (id === "keys") dialog.querySelector("[data-keymap]").replaceChildren(...keyRows(this.#screen.keys.map()));
    dialog.showModal();
  }

  // The text under an open sheet can't take focus.
  /** @param {HTMLElement} panel @param {boolean} open */
  #show(panel, open) {
    const { root } = this.#screen;
    panel.toggleAttribute("data-open", open);
    for (const button of root.querySelectorAll(`[data-toggles="${panel.id}"]`)) {
      button.setAttribute("aria-expanded", open);
    }
    if (panel.matches(".answer")) for (const text of root.querySelectorAll(".material")) text.inert = open;
    if (open && panel.matches(".find")) panel.querySelector("input").focus();
  }

  // Open a closed sheet if it has errors, which nobody would see otherwise.
  showErrors() {
    if (this.#screen.find('.answer :is([data-wrong]:not([hidden]), [aria-invalid="true"])')) this.showAnswer();
  }

  // Open the answer's sheet; returns whether it was closed. On a wide screen it is always open.
  showAnswer() {
    const sheet = this.#screen.find(".answer");
    const isClosed = this.#screen.find(".answer > .grip")?.checkVisibility() && !sheet.hasAttribute("data-open");
    if (isClosed) this.#show(sheet, true);
    return Boolean(isClosed);
  }

  // Close the panel that is open; returns whether there was one.
  close() {
    const panel = this.#screen.find("[data-open].answer, .rail[data-open], .find[data-open]");
    if (panel) this.#show(panel, false);
    return Boolean(panel);
  }

  closeOutline() { this.#closeAll(".rail"); }

  /** @param {string} which */
  #closeAll(which) {
    for (const panel of this.#screen.root.querySelectorAll(`${which}[data-open]`)) this.#show(panel, false);
  }
}
