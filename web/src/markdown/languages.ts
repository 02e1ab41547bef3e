// The languages that code is coloured in, each in a file of its own that is loaded when needed.
import type { HLJSApi, LanguageFn } from "highlight.js";

const LOADERS: Record<string, () => Promise<{ default: LanguageFn }>> = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  diff: () => import("highlight.js/lib/languages/diff"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  go: () => import("highlight.js/lib/languages/go"),
  ini: () => import("highlight.js/lib/languages/ini"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  markdown: () => import("highlight.js/lib/languages/markdown"),
  php: () => import("highlight.js/lib/languages/php"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};

const OTHER_NAMES: Record<string, string> = {
  ...{ "c++": "cpp", "c#": "csharp", cs: "csharp", docker: "dockerfile", golang: "go", h: "c" },
  ...{ hpp: "cpp", html: "xml", js: "javascript", jsonc: "json", jsx: "javascript", kt: "kotlin" },
  ...{ md: "markdown", patch: "diff", py: "python", rb: "ruby", rs: "rust", sh: "bash" },
  ...{ shell: "bash", svg: "xml", toml: "ini", ts: "typescript", tsx: "typescript", yml: "yaml" },
  ...{ zsh: "bash", postgresql: "sql", python3: "python" },
};

/** The name under which a language is known here; null if it is not. */
export function nameOf(language: string): string | null {
  const asked = language.toLowerCase();
  const name = Object.hasOwn(OTHER_NAMES, asked) ? OTHER_NAMES[asked] : asked;
  return name !== undefined && Object.hasOwn(LOADERS, name) ? name : null;
}

/** The highlighter, once it knows this language. */
export async function load(name: string): Promise<HLJSApi> {
  const [core, language] = await Promise.all([import("highlight.js/lib/core"), LOADERS[name]?.()]);
  if (language) core.default.registerLanguage(name, language.default);
  return core.default;
}
