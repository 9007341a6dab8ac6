// The page that lists the API and tries it: Swagger UI, which the classic script before this one brings.

const place = /** @type {HTMLElement} */ (document.querySelector("[data-schema]"));
const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)");

/** Swagger UI goes by a class; the page by the theme that was chosen, or else the system's. */
function followTheme() {
  root.classList.toggle("dark-mode", root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
}

followTheme();
dark.addEventListener("change", followTheme);
new MutationObserver(followTheme).observe(root, { attributeFilter: ["data-theme"] });

/**
 * Its parts without those that the page has itself: its heading and its main part.
 *
 * @param {{ React: any }} system
 */
function layout({ React }) {
  /** @param {{ getComponent: Function, specSelectors: any }} props */
  const Calls = ({ getComponent, specSelectors }) => {
    /** @param {string} name */
    const part = (name) => React.createElement(getComponent(name, true));
    /** @param {string} name @param {...any} inside */
    const within = (name, ...inside) => React.createElement("div", { className: name }, ...inside);
    // Where the schema could not be fetched, the errors say so.
    const calls = specSelectors.loadingStatus() === "success" && [
      within("scheme-container", within("schemes wrapper", part("AuthorizeBtnContainer"))),
      within("wrapper", part("operations")),
    ];
    return within("swagger-ui", part("SvgAssets"), part("errors"), ...(calls || []));
  };
  return { components: { Calls } };
}

// @ts-expect-error: the bundle is a classic script that has no types.
globalThis.SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  layout: "Calls",
  plugins: [layout],
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  // The fields of an answer, closed: nine refusals have the same ones.
  defaultModelRendering: "model",
  defaultModelExpandDepth: 0,
  // A token stays on this page only: it is not kept in the browser.
  persistAuthorization: false,
  validatorUrl: null,
});
