// Rules about correctness only; how the code looks is left to whoever writes it.
import js from "@eslint/js";
import globals from "globals";

const correctness = {
  ...js.configs.recommended.rules,
  "no-control-regex": "off", // the white space of Python's str.split has some of these characters
  "no-empty": ["error", { allowEmptyCatch: true }],
  "no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
  "array-callback-return": "error",
  eqeqeq: "error",
  "no-constructor-return": "error",
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-new-func": "error",
  "no-promise-executor-return": "error",
  "no-script-url": "error",
  "no-self-compare": "error",
  "no-template-curly-in-string": "error",
  "no-throw-literal": "error",
  "no-unmodified-loop-condition": "error",
  "no-unreachable-loop": "error",
  "no-unused-expressions": "error",
  "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
  "no-useless-assignment": "error",
  "prefer-promise-reject-errors": "error",
};

export default [
  { ignores: ["frontend/static/vendor/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" }, rules: correctness },
  {
    files: ["frontend/static/**/*.js", "annotation/protocols/*/static/**/*.js"],
    languageOptions: { globals: { ...globals.browser, htmx: "readonly" } },
  },
  {
    // Parts of one script: each uses what the others declare, whose names `tsc` checks.
    files: ["frontend/frame/*.js"],
    languageOptions: { sourceType: "script", globals: globals.browser },
    rules: { "no-undef": "off", "no-unused-vars": ["error", { vars: "local", argsIgnorePattern: "^_" }] },
  },
  {
    files: ["tests/js/**/*.js"],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
];
