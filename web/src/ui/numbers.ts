// Numbers with their units, as people read them.

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const cents = new Intl.NumberFormat("en-GB", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const short = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });

/** "1,234" */
export const count = (value: number): string => whole.format(value);

/** "1 message", "1,234 messages". */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

const SIZES = ["bytes", "kB", "MB", "GB", "TB"];

/** "12.3 MB" */
export function bytes(value: number): string {
  let size = value;
  let step = 0;
  while (size >= 999.95 && step < SIZES.length - 1) {
    size /= 1000;
    step += 1;
  }
  return step === 0 && value === 1 ? "1 byte" : `${short.format(size)} ${SIZES[step]}`;
}

/** "$0.0042", "$1.50": small costs keep two digits that say something. */
export function dollars(value: number): string {
  if (value === 0) return "$0";
  if (Math.abs(value) >= 0.1) return `$${cents.format(value)}`;
  return `$${Number(value.toPrecision(2)).toFixed(Math.min(8, digitsAfterPoint(value)))}`;
}

const digitsAfterPoint = (value: number): number => 1 - Math.floor(Math.log10(Math.abs(value)));

/** "42 %" */
export const percent = (part: number): string => `${short.format(part * 100)} %`;
