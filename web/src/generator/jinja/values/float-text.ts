// Numbers as texts, digit by digit as Python writes them.
import { fail } from '../base/errors.ts';
import { templateLimits } from '../base/limits.ts';

/** More digits than this would take long. Python itself refuses whole numbers of more than 4,300. */
const mostDigits = 1000;

export function floatRepr(value: number): string {
  if (!Number.isFinite(value)) {
    return special(value);
  }
  const { sign, digits, exponent } = shortest(value);
  if (exponent < -4 || exponent >= 16) {
    return sign + scientific(digits, exponent);
  }
  if (exponent < 0) {
    return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  }
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}

function special(value: number): string {
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
}

/** The fewest digits that give this number again, and the power of ten of the first one. */
function shortest(value: number): { sign: string; digits: string; exponent: number } {
  const [mantissa = '', exponent] = Math.abs(value).toExponential().split('e');
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return { sign, digits: mantissa.replace('.', ''), exponent: Number(exponent) };
}

function scientific(digits: string, exponent: number, mark = 'e'): string {
  const rest = digits.slice(1);
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${digits[0]}${rest && `.${rest}`}${mark}${exponent < 0 ? '-' : '+'}${power}`;
}

/** value · 10^places, as a whole number. Halves go to the even one. */
export function scaled(value: number, places: number): bigint {
  let exponent = 0;
  let mantissa = Math.abs(value);
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent++;
  }
  let [above, below] = [BigInt(mantissa), 1n << BigInt(exponent)];
  if (places >= 0) {
    above *= 10n ** BigInt(places);
  } else {
    below *= 10n ** BigInt(-places);
  }
  const [whole, rest] = [above / below, (above % below) * 2n];
  return rest > below || (rest === below && whole % 2n === 1n) ? whole + 1n : whole;
}

/** Formats `e`, `f`, `g` and `%` of a number that is not negative, also in capitals. `isAlternate` keeps zeros of `g`. */
export function formatFloat(
  value: number,
  kind: string,
  precision: number,
  isAlternate = false,
): string {
  if (precision > mostDigits) {
    fail(`a number with more than ${mostDigits} digits is not supported`);
  }
  const isUpper = kind !== kind.toLowerCase();
  const text = Number.isFinite(value)
    ? finite(value, kind.toLowerCase(), precision, isAlternate)
    : special(value);
  return isUpper ? text.toUpperCase() : text;
}

function finite(value: number, kind: string, precision: number, isAlternate: boolean): string {
  if (kind === '%') {
    return `${fixed(value * 100, precision, isAlternate)}%`;
  }
  if (kind === 'f') {
    return fixed(value, precision, isAlternate);
  }
  const significant = kind === 'e' ? precision + 1 : Math.max(1, precision);
  const { digits, exponent } = rounded(value, significant);
  if (kind === 'e') {
    return scientific(digits, exponent);
  }
  if (exponent < -4 || exponent >= significant) {
    return scientific(isAlternate ? digits : withoutZeros(digits, 1), exponent);
  }
  const text = fixed(value, significant - 1 - exponent, isAlternate);
  return isAlternate || !text.includes('.') ? text : withoutZeros(text, 1).replace(/\.$/, '');
}

function fixed(value: number, places: number, keepsPoint: boolean): string {
  const digits = scaled(value, places)
    .toString()
    .padStart(places + 1, '0');
  const at = digits.length - places;
  return digits.slice(0, at) + (places > 0 || keepsPoint ? `.${digits.slice(at)}` : '');
}

/** So many digits, and the power of ten of the first one. */
function rounded(value: number, significant: number): { digits: string; exponent: number } {
  if (value === 0) {
    return { digits: '0'.repeat(significant), exponent: 0 };
  }
  let { exponent } = shortest(value);
  let digits = scaled(value, significant - 1 - exponent).toString();
  if (digits.length > significant) {
    exponent++;
    digits = scaled(value, significant - 1 - exponent).toString();
  }
  return { digits, exponent };
}

function withoutZeros(text: string, least: number): string {
  let end = text.length;
  while (end > least && text[end - 1] === '0') {
    end--;
  }
  return text.slice(0, end);
}

export function wholeText(value: bigint): string {
  checkBits(value);
  return value.toString();
}

/** Throws for a number that is too large to count with in little time. */
export function checkBits(value: bigint): bigint {
  const bits = templateLimits.bits;
  if (BigInt.asIntN(bits, value) !== value) {
    fail(`whole numbers of more than ${bits} bits are not supported`);
  }
  return value;
}

export function floatOf(value: bigint): number {
  const number = Number(value);
  return Number.isFinite(number) ? number : fail('int too large to convert to float');
}
