// `value[index]` and `value[from:to:step]`.
import type { TemplateBudget } from '../base/budget.ts';
import { fail } from '../base/errors.ts';
import { characterCount, characterSlice, charactersOf } from './chars.ts';
import { hashOf, keyOf } from './keys.ts';
import {
  Dict,
  isList,
  Markup,
  Range,
  Tuple,
  textOf,
  typeName,
  Undefined,
  type Value,
  wholeOf,
} from './types.ts';

/** The item, or `undefined` where Python finds none. */
export function itemAt(value: Value, index: Value, budget: TemplateBudget): Value | undefined {
  if (value instanceof Dict) {
    const key = keyOf(index, budget);
    return key === undefined ? undefined : value.entries.get(key)?.[1];
  }
  if (value instanceof Undefined) {
    fail(value.message);
  }
  const whole = wholeOf(index);
  if (whole === undefined) {
    return undefined;
  }
  const text = textOf(value);
  if (text !== undefined) {
    return characterAt(value, text, Number(whole), budget);
  }
  if (value instanceof Range) {
    const at = placeIn(Number(whole), value.length);
    return at === undefined ? undefined : value.at(at);
  }
  const items = isList(value) ? value : value instanceof Tuple ? value.items : undefined;
  const at = items && placeIn(Number(whole), items.length);
  return at === undefined ? undefined : items?.[at];
}

function characterAt(
  value: Value,
  text: string,
  index: number,
  budget: TemplateBudget,
): Value | undefined {
  budget.work(text.length);
  const at = placeIn(index, characterCount(text));
  if (at === undefined) {
    return undefined;
  }
  const character = characterSlice(text, at, at + 1);
  return value instanceof Markup ? new Markup(character) : character;
}

function placeIn(index: number, length: number): number | undefined {
  const at = index < 0 ? index + length : index;
  return at >= 0 && at < length ? at : undefined;
}

interface Slice {
  readonly from: Value;
  readonly to: Value;
  readonly by: Value;
}

/** Where a slice begins and ends, in so many items. */
function bounds(slice: Slice, length: number): { from: number; to: number; by: number } {
  const by = slice.by === null ? 1 : sliceNumber(slice.by);
  if (by === 0) {
    fail('slice step cannot be zero');
  }
  const [low, high] = by > 0 ? [0, length] : [-1, length - 1];
  const place = (index: Value, otherwise: number) => {
    if (index === null) {
      return otherwise;
    }
    const at = sliceNumber(index);
    return Math.min(high, Math.max(low, at < 0 ? at + length : at));
  };
  return {
    from: place(slice.from, by > 0 ? low : high),
    to: place(slice.to, by > 0 ? high : low),
    by,
  };
}

function sliceNumber(value: Value): number {
  const whole = wholeOf(value);
  return whole === undefined
    ? fail('slice indices must be integers or None or have an __index__ method')
    : Number(whole);
}

export function sliceOf(value: Value, slice: Slice, budget: TemplateBudget): Value {
  const text = textOf(value);
  if (text !== undefined) {
    budget.takeText(text.length);
    const characters = charactersOf(text);
    const { from, to, by } = bounds(slice, characters.length);
    const cut =
      by === 1
        ? characterSlice(text, from, Math.max(from, to))
        : picked(characters, from, to, by).join('');
    return value instanceof Markup ? new Markup(cut) : cut;
  }
  if (value instanceof Range) {
    const { from, to, by } = bounds(slice, value.length);
    const step = value.step * BigInt(by);
    return new Range(
      value.start + BigInt(from) * value.step,
      value.start + BigInt(to) * value.step,
      step,
    );
  }
  const items = isList(value) ? value : value instanceof Tuple ? value.items : undefined;
  if (!items) {
    return failSlice(value, slice, budget);
  }
  const { from, to, by } = bounds(slice, items.length);
  budget.takeItems(items.length);
  const cut = picked(items, from, to, by);
  return isList(value) ? cut : new Tuple(cut);
}

function picked<T>(items: readonly T[], from: number, to: number, by: number): T[] {
  if (by === 1) {
    return items.slice(from, Math.max(from, to));
  }
  const cut: T[] = [];
  for (let at = from; by > 0 ? at < to : at > to; at += by) {
    cut.push(items[at] as T);
  }
  return cut;
}

function failSlice(value: Value, slice: Slice, budget: TemplateBudget): never {
  if (value instanceof Undefined) {
    fail(value.message);
  }
  for (const part of [slice.from, slice.to, slice.by]) {
    hashOf(part, budget);
  }
  return fail(
    value instanceof Dict
      ? "unhashable type: 'slice'"
      : `'${typeName(value)}' object is not subscriptable`,
  );
}
