// The fields of an answer that the server has refused: marked as wrong until they are changed.

/** @param {HTMLElement} root @param {HTMLFormElement} form @param {AbortSignal} signal */
export function markWrong(root, form, signal) {
  for (const { dataset } of root.querySelectorAll("[data-problem]")) {
    const found = form.elements.namedItem(dataset.problem);
    if (!found?.type || found.type === "hidden") continue; // several radio buttons, or a field that scripts fill
    found.setAttribute("aria-invalid", "true");
    found.addEventListener("input", () => found.removeAttribute("aria-invalid"), { signal, once: true });
  }
}

// The first field that is wrong.
/** @param {ParentNode} root */
export const firstWrong = (root) => root.querySelector('[aria-invalid="true"]');
