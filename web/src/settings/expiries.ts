// How long a token holds.

export const EXPIRIES = [
  { days: 30, label: "30 days" },
  { days: 90, label: "90 days" },
  { days: 365, label: "One year" },
  { days: 0, label: "Until it is revoked" },
] as const;

/** The moment after so many days, as the API writes it; null for never. */
export const expiryAfter = (days: number, now = Date.now()): string | null =>
  days === 0 ? null : `${new Date(now + days * 86_400_000).toISOString().slice(0, 19)}Z`;
