// Time zones: their names as people write them, and finding one.

/** Every zone the browser knows, and UTC, which some leave out. */
export const ZONES: readonly string[] = [
  ...new Set([...Intl.supportedValuesOf("timeZone"), "UTC"]),
].sort();

/** "America/New_York" → "America / New York" */
export const zoneWords = (zone: string): string => zone.replaceAll("_", " ").replace("/", " / ");

const folded = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[\s_/]+/g, " ")
    .trim();

/** Those that hold every word; those whose city begins with them first. */
export function findZones(query: string, zones: readonly string[] = ZONES): string[] {
  const wanted = folded(query);
  if (!wanted) return [...zones];
  const words = wanted.split(" ");
  const city = (zone: string) => folded(zone.slice(zone.lastIndexOf("/") + 1));
  return zones
    .filter((zone) => words.every((word) => folded(zone).includes(word)))
    .sort((a, b) => Number(city(b).startsWith(wanted)) - Number(city(a).startsWith(wanted)));
}

/** "UTC+1", now; empty for a zone the browser does not know. */
export function offset(zone: string, at: number): string {
  try {
    const parts = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      timeZoneName: "shortOffset",
    }).formatToParts(at);
    const said = parts.find((part) => part.type === "timeZoneName")?.value ?? "";
    return said.replace("GMT", "UTC").replace("-", "−");
  } catch {
    return "";
  }
}

/** The zone of this machine. */
export const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
