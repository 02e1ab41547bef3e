// Times as people say them, in the user's zone; the full date is always there on hover.

const LOCALE = "en-GB";
let zone;
const formats = new Map();

export function useZone(name) {
  zone = name;
  formats.clear();
}

function format(moment, options) {
  const key = JSON.stringify(options);
  if (!formats.has(key)) {
    formats.set(key, new Intl.DateTimeFormat(LOCALE, { timeZone: zone, ...options }));
  }
  return formats.get(key).format(moment);
}

const dayKey = (moment) => format(moment, { year: "numeric", month: "2-digit", day: "2-digit" });
const daysAgo = (days) => new Date(Date.now() - days * 86_400_000);
const isToday = (moment) => dayKey(moment) === dayKey(daysAgo(0));
const isYesterday = (moment) => dayKey(moment) === dayKey(daysAgo(1));
const isThisYear = (moment) =>
  format(moment, { year: "numeric" }) === format(new Date(), { year: "numeric" });

export const clock = (moment) => format(moment, { hour: "2-digit", minute: "2-digit" });

export const full = (moment) =>
  format(moment, {
    weekday: "long", day: "numeric", month: "long", year: "numeric",
    hour: "2-digit", minute: "2-digit", second: "2-digit", timeZoneName: "short",
  });

export function dayName(moment) {
  if (isToday(moment)) return "Today";
  if (isYesterday(moment)) return "Yesterday";
  const year = isThisYear(moment) ? {} : { year: "numeric" };
  return format(moment, { weekday: "long", day: "numeric", month: "long", ...year });
}

// Short, for lists: "now", "5 min", "14:05", "yesterday", "14 Feb", "Feb 2024".
export function ago(moment) {
  const minutes = Math.floor((Date.now() - moment) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  if (isToday(moment)) return clock(moment);
  if (isYesterday(moment)) return "yesterday";
  const rest = isThisYear(moment) ? { day: "numeric" } : { year: "numeric" };
  return format(moment, { month: "short", ...rest });
}

export function when(moment) {
  if (isToday(moment) || isYesterday(moment)) return `${dayName(moment).toLowerCase()}, ${clock(moment)}`;
  return `${format(moment, { day: "numeric", month: "short", year: "numeric" })}, ${clock(moment)}`;
}

// A time window, whose end is exclusive, as people say it: "in March 2026", "on 14 February 2026".
export function spokenWindow({ from, to }) {
  const [first, end] = [from, to].map((iso) => iso && new Date(iso));
  if (!first) return `before ${when(end)}`;
  if (!end) return `since ${when(first)}`;
  if (!isMidnight(first) || !isMidnight(end)) return `from ${when(first)} to ${when(end)}`;
  const last = new Date(end - 3_600_000); // on the last day
  if (dateOf(first) === dateOf(last)) return `on ${dateOf(first)}`;
  if (isFirstOfMonth(first) && isFirstOfMonth(end) && monthOf(first) === monthOf(last)) return `in ${monthOf(first)}`;
  return `from ${dateOf(first)} to ${dateOf(last)}`;
}

const dateOf = (moment) => format(moment, { day: "numeric", month: "long", year: "numeric" });
const monthOf = (moment) => format(moment, { month: "long", year: "numeric" });
const isMidnight = (moment) => clock(moment) === "00:00" && moment % 60_000 === 0;
const isFirstOfMonth = (moment) => format(moment, { day: "numeric" }) === "1";

export function time(iso, say) {
  const moment = new Date(iso);
  const node = document.createElement("time");
  node.dateTime = iso;
  node.title = full(moment);
  node.textContent = say(moment);
  return node;
}
