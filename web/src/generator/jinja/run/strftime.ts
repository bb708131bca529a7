// Dates as Python's `strftime` writes them, in English whatever the language of the machine is.
import type { TemplateBudget } from '../base/budget.ts';

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** A number with the width that it is filled to, and what fills it. */
type Part = string | readonly [number: number, width: number, fill?: string];

const hour12 = (time: Date): number => time.getHours() % 12 || 12;
const yearDay = (time: Date): number => {
  const day = Date.UTC(time.getFullYear(), time.getMonth(), time.getDate());
  return (day - Date.UTC(time.getFullYear(), 0, 1)) / 86_400_000;
};
const weekFrom = (time: Date, firstDay: number): number =>
  Math.floor((yearDay(time) + 7 - ((time.getDay() - firstDay + 7) % 7)) / 7);

/** The week of ISO 8601, and the year that it belongs to. */
function isoWeek(time: Date): { week: number; year: number } {
  const thursday = new Date(time);
  thursday.setHours(12, 0, 0, 0);
  thursday.setDate(time.getDate() + 3 - ((time.getDay() + 6) % 7));
  return { week: Math.floor(yearDay(thursday) / 7) + 1, year: thursday.getFullYear() };
}

const parts: Readonly<Record<string, (time: Date) => Part>> = {
  a: (time) => (days[time.getDay()] as string).slice(0, 3),
  A: (time) => days[time.getDay()] as string,
  b: (time) => (months[time.getMonth()] as string).slice(0, 3),
  h: (time) => (months[time.getMonth()] as string).slice(0, 3),
  B: (time) => months[time.getMonth()] as string,
  C: (time) => [Math.floor(time.getFullYear() / 100), 2],
  d: (time) => [time.getDate(), 2],
  e: (time) => [time.getDate(), 2, ' '],
  f: (time) => String(time.getMilliseconds() * 1000).padStart(6, '0'),
  g: (time) => [isoWeek(time).year % 100, 2],
  G: (time) => [isoWeek(time).year, 1],
  H: (time) => [time.getHours(), 2],
  I: (time) => [hour12(time), 2],
  j: (time) => [yearDay(time) + 1, 3],
  k: (time) => [time.getHours(), 2, ' '],
  l: (time) => [hour12(time), 2, ' '],
  m: (time) => [time.getMonth() + 1, 2],
  M: (time) => [time.getMinutes(), 2],
  n: () => '\n',
  p: (time) => (time.getHours() < 12 ? 'AM' : 'PM'),
  P: (time) => (time.getHours() < 12 ? 'am' : 'pm'),
  s: (time) => [Math.floor(time.getTime() / 1000), 1],
  S: (time) => [time.getSeconds(), 2],
  t: () => '\t',
  u: (time) => [time.getDay() || 7, 1],
  U: (time) => [weekFrom(time, 0), 2],
  V: (time) => [isoWeek(time).week, 2],
  w: (time) => [time.getDay(), 1],
  W: (time) => [weekFrom(time, 1), 2],
  y: (time) => [time.getFullYear() % 100, 2],
  Y: (time) => [time.getFullYear(), 1],
  // The time that templates get has no zone.
  z: () => '',
  Z: () => '',
  '%': () => '%',
};

/** What stands for several others. */
const combined: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
  '+': '%+',
};

export function formatTime(format: string, time: Date, budget: TemplateBudget): string {
  budget.takeText(format.length);
  let length = format.length;
  // The letters E and O ask for other numerals, which English has not. Each goes with some letters only.
  return format.replace(
    /%([-_0^#]*)(\d*)(?:E(?=[cnprstuxyzCPRTXYZ%])|O(?=[bdeghj-npr-uwyzBCGHIMPRSTUVWZ%]))?([\s\S]?)/g,
    (all, flags, width, letter) => {
      const made =
        written(letter, flags, width, time, budget) ??
        filled(all, width, flags.replaceAll('-', ''), ' ', budget);
      length += made.length;
      budget.checkText(length);
      return made;
    },
  );
}

function written(
  letter: string,
  flags: string,
  width: string,
  time: Date,
  budget: TemplateBudget,
): string | undefined {
  const whole = letter !== '+' && Object.hasOwn(combined, letter) ? combined[letter] : undefined;
  if (whole !== undefined) {
    return filled(formatTime(whole, time, budget), width, flags, ' ', budget);
  }
  const read = Object.hasOwn(parts, letter) ? parts[letter] : undefined;
  const part = read?.(time);
  if (part === undefined) {
    return undefined;
  }
  if (typeof part === 'string') {
    const isUpper = flags.includes('^') || (flags.includes('#') && letter !== 'p');
    const text = isUpper ? part.toUpperCase() : flags.includes('#') ? part.toLowerCase() : part;
    return filled(text, width, flags, ' ', budget);
  }
  const [number, digits, fill = '0'] = part;
  const by = flags.includes('_') ? ' ' : flags.includes('0') ? '0' : fill;
  const text = flags.includes('-') ? String(number) : String(number).padStart(digits, by);
  return filled(text, width, flags, by, budget);
}

function filled(
  text: string,
  width: string,
  flags: string,
  fill: string,
  budget: TemplateBudget,
): string {
  const wanted = flags.includes('-') ? 0 : Number(width);
  budget.checkText(wanted);
  return text.padStart(wanted, flags.includes('0') ? '0' : fill);
}
