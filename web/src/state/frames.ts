// Doing something once before the next picture, however often it is asked for.

/** A tab that is not looked at makes no pictures: then this is soon enough. */
const AT_LATEST = 100;

export class OncePerFrame {
  readonly #run: () => void;
  #frame: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: () => void) {
    this.#run = run;
  }

  soon(): void {
    if (this.#frame !== null) return;
    this.#frame = requestAnimationFrame(() => this.now());
    this.#timer = setTimeout(() => this.now(), AT_LATEST);
  }

  now(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#frame = null;
    this.#run();
  }
}
