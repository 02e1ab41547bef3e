// The box to write in, for those who put something into it from elsewhere.

interface Box {
  /** Takes the place of what is there only if that is blank; else it goes behind it. */
  add: (text: string) => void;
  focus: () => void;
}

let box: Box | null = null;

export function offerBox(one: Box): () => void {
  box = one;
  return () => {
    if (box === one) box = null;
  };
}

/** Puts text into the box and goes there. */
export function fillBox(text: string): void {
  box?.add(text);
}

export function focusBox(): void {
  box?.focus();
}

/** The same where it costs nothing: a phone would show its keyboard. */
export function refocus(): void {
  if (matchMedia("(hover: hover)").matches) focusBox();
}
