// Several files of tests in one process: node --import ./tests/js/set_up.js tests/js/several.js tests/js/keys.test.js …
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

// One module that imports all: a test begins once its file is loaded, and would wait for the loading of the next ones.
const imports = process.argv.slice(2).map((file) => `import ${JSON.stringify(pathToFileURL(resolve(file)).href)};`);
await import(`data:text/javascript,${encodeURIComponent(imports.join(""))}`);
