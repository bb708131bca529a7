// Parses the values of options.
import { didYouMean } from '../../base/did-you-mean.ts';
import { UsageError } from './failure.ts';
import { choiceFor } from './type-names.ts';

/** Parses an integer of at least `min`. */
export function integer(text: string | undefined, option: string, min = 1): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= min) {
    return value;
  }
  throw new UsageError(`${option} must be an integer of at least ${min}, not "${text}".`, option);
}

/** Parses a number from `min` to `max`. */
export function numberInRange(
  text: string | undefined,
  option: string,
  min: number,
  max = Number.POSITIVE_INFINITY,
): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const value = Number(text);
  const isNumber = text.trim() !== '' && Number.isFinite(value);
  if (isNumber && value >= min && value <= max) {
    return value;
  }
  const range = max === Number.POSITIVE_INFINITY ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new UsageError(`${option} must be a number ${range}, not "${text}".`, option);
}

/** Parses a number above 0. */
export function positiveNumber(text: string | undefined, option: string): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) {
    return value;
  }
  throw new UsageError(`${option} must be a number above 0, not "${text}".`, option);
}

/** Parses one of a few words, in upper or lower case and by the names that other programs have for types. */
export function oneOf<const T extends string>(
  text: string | undefined,
  option: string,
  choices: readonly T[],
): T | undefined {
  if (text === undefined) {
    return undefined;
  }
  const choice = choiceFor(text, choices);
  if (choice !== undefined) {
    return choice;
  }
  const advice = didYouMean(text.toLowerCase(), choices);
  throw new UsageError(
    `${option} must be one of ${choices.join(', ')}, not "${text}".${advice}`,
    option,
  );
}

const byteUnits: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9 };

/** Parses a size such as `512MB`, `1.5G` or `4096`. */
export function byteCount(text: string | undefined, option: string): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const match = /^(\d+(?:\.\d+)?)\s*([kmg]?)b?$/i.exec(text);
  const unit = byteUnits[(match?.[2] ?? '').toLowerCase()] ?? 1;
  const bytes = Math.floor(Number(match?.[1]) * unit);
  if (match && Number.isSafeInteger(bytes) && bytes > 0) {
    return bytes;
  }
  throw new UsageError(`${option} must be a size in bytes, such as 512MB, not "${text}".`, option);
}
