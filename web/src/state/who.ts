// Whose messages may be sent. Others may sign in where somebody was signed in before: nothing that
// was left unsent is sent in their name.

let isMet = false;
const fresh = new Set<string>();

/** Whether it is known who is signed in. */
export const isPersonMet = (): boolean => isMet;

export function meetPerson(): void {
  isMet = true;
}

/** Nobody is signed in any more: whoever comes next is not known. */
export function losePerson(): void {
  isMet = false;
  fresh.clear();
}

/** It is said now, so whoever is signed in says it, whether their name is known yet or not. */
export function saidNow(key: string): void {
  fresh.add(key);
}

/** Whether `said`, if that is known, is `user`, who is signed in. */
export const isTheirs = (key: string, said: string | null, user: string | undefined): boolean =>
  fresh.has(key) || (isMet && (said === null || said === user));
