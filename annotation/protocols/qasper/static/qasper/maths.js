// Renders equations as MathML. Until the library has loaded, or if it can't parse one, the TeX source stays.

/** @type {Promise<typeof temml> | null} */
let loading = null;

/** @param {string} source */
function library(source) {
  loading ??= new Promise((resolve, reject) => {
    const hears = { onload: () => resolve(globalThis.temml), onerror: reject };
    const script = Object.assign(document.createElement("script"), { src: source, ...hears });
    document.head.append(script);
  });
  return loading;
}

// Renders every code.maths below `root` (paper.js makes them).
/** @param {ParentNode} root */
export async function setMaths(root) {
  const source = document.querySelector("template[data-temml]")?.dataset.temml;
  const equations = [...root.querySelectorAll("code.maths")];
  if (!source || !equations.length) return;
  const temml = await library(source).catch(() => null);
  if (!temml) return;
  for (const place of equations) {
    const written = place.textContent;
    const alone = place.closest("p")?.textContent.trim() === written;
    try {
      const math = document.createElement("span");
      temml.render(written.slice(1, -1), math, { displayMode: alone, throwOnError: true });
      place.replaceChildren(...math.childNodes);
      place.classList.add("set");
      place.title = written;
    } catch {
      place.textContent = written;
    }
  }
}
