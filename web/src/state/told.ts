// Who wants to know that something has changed.

export interface Told<T> {
  /** Calls `listener` at each change. Returns how to stop. */
  on: (listener: (what: T) => void) => () => void;
  tell: (what: T) => void;
}

export function told<T = void>(): Told<T> {
  const listeners = new Set<(what: T) => void>();
  return {
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell: (what) => {
      for (const listener of listeners) listener(what);
    },
  };
}
