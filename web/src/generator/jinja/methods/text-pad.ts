// Texts between other characters.
import { characterCount } from '../values/chars.ts';
import type { Machine } from './machine.ts';

/** Puts a text between `before` and `after` of a character. */
export function padded(
  text: string,
  before: number,
  after: number,
  fill: string,
  { budget }: Machine,
): string {
  budget.takeText(text.length + Math.max(0, before) + Math.max(0, after));
  return fill.repeat(Math.max(0, before)) + text + fill.repeat(Math.max(0, after));
}

export function centered(text: string, width: number, fill: string, machine: Machine): string {
  const pad = width - characterCount(text);
  const before = pad > 0 ? Math.floor(pad / 2) + (pad & width & 1) : 0;
  return padded(text, before, pad - before, fill, machine);
}

export function joined(separator: string, texts: readonly string[], machine: Machine): string {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  machine.budget.takeText(characters + separator.length * Math.max(0, texts.length - 1));
  return texts.join(separator);
}
