// Find the modules that a page has below one address: /static/goldfinch/… and /static/squad/… are in several folders
// here. A query, as in "drafts.js?fresh=2", is passed on to what a module imports: a page with fresh modules.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PROTOCOLS = ["coqa", "dureader", "nq", "qasper", "squad"];
const ROOTS = ["frontend", ...PROTOCOLS.map((name) => `annotation/protocols/${name}`)]
  .map((folder) => new URL(`../../${folder}/static/`, import.meta.url));
const OURS = /\/(?:frontend|annotation\/protocols\/[a-z]+)\/static\//;

export async function resolve(specifier, context, next) {
  const parent = context.parentURL ?? "";
  if (!specifier.startsWith("/static/") && !OURS.test(parent)) return next(specifier, context);
  const { pathname, search } = new URL(specifier, parent);
  const path = pathname.slice(pathname.indexOf("/static/") + "/static/".length);
  const found = ROOTS.map((root) => new URL(path, root)).find((url) => existsSync(fileURLToPath(url)));
  if (!found) throw new Error(`No script is served at ${specifier}`);
  found.search = search || new URL(parent).search;
  return { url: found.href, shortCircuit: true };
}

// No package.json says that these files are modules; the pages do.
export async function load(url, context, next) {
  return next(url, OURS.test(url) ? { ...context, format: "module" } : context);
}
