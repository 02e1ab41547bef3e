// A block of code: its language, a button that copies it, and the code, coloured when it can be.
import { colour } from "./highlight";

/** Highlighting a block that grows is done again at most this often, in milliseconds. */
const PAUSE = 250;
/** How long "Copied" stays, in milliseconds. */
const TOLD = 2000;

export interface CodeBlock {
  element: HTMLElement;
  /** Shows this code instead; what is coloured and still there stays coloured. */
  show(language: string, code: string): void;
}

export function codeBlock(language: string, code: string): CodeBlock {
  const element = document.createElement("div");
  element.className = "md-code";
  const label = document.createElement("span");
  label.className = "md-language";
  const head = document.createElement("div");
  head.className = "md-code-head";
  const pre = document.createElement("pre");
  pre.tabIndex = 0;
  pre.setAttribute("role", "region");
  const inner = document.createElement("code");
  pre.append(inner);
  const painter = new Painter(inner);
  head.append(
    label,
    copyButton(() => painter.code),
  );
  element.append(head, pre);

  const show = (name: string, text: string) => {
    label.textContent = name === "" ? "Text" : name;
    pre.setAttribute("aria-label", name === "" ? "Code" : `Code in ${name}`);
    painter.show(name, text);
  };
  show(language, code);
  return { element, show };
}

class Painter {
  code = "";
  private language = "";
  /** How much of the code the coloured nodes hold. */
  private coloured = "";
  private readonly tail = document.createTextNode("");
  private due: ReturnType<typeof setTimeout> | null = null;
  private last = 0;

  constructor(private readonly place: HTMLElement) {
    place.append(this.tail);
  }

  show(language: string, code: string): void {
    if (code === this.code && language === this.language) return;
    this.code = code;
    this.language = language;
    if (!code.startsWith(this.coloured)) {
      this.coloured = "";
      this.place.replaceChildren(this.tail);
    }
    this.tail.data = code.slice(this.coloured.length);
    if (this.due === null && language !== "") {
      this.due = setTimeout(() => void this.paint(), Math.max(0, this.last + PAUSE - Date.now()));
    }
  }

  private async paint(): Promise<void> {
    const { code, language } = this;
    const nodes = await colour(language, code);
    this.due = null;
    this.last = Date.now();
    if (nodes !== null && this.code.startsWith(code) && this.language === language) {
      this.coloured = code;
      this.tail.data = this.code.slice(code.length);
      this.place.replaceChildren(nodes, this.tail);
    }
    if (this.code !== code || this.language !== language) this.show(this.language, this.code);
  }
}

function copyButton(code: () => string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "md-copy";
  button.setAttribute("aria-label", "Copy code");
  button.textContent = "Copy";
  button.addEventListener("click", () => {
    void copy(code()).then((done) => {
      button.textContent = done ? "Copied" : "Not copied: select it and press Ctrl+C";
      setTimeout(() => {
        button.textContent = "Copy";
      }, TOLD);
    });
  });
  return button;
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
