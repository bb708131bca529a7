// Python's format specifications: `>10`, `05d`, `,.2f`.
import { fail } from '../base/errors.ts';
import { characterCount, characterSlice } from '../values/chars.ts';
import { checkBits, floatOf, floatRepr, formatFloat } from '../values/float-text.ts';
import { strOf } from '../values/text.ts';
import { textOf, typeName, type Value, wholeOf } from '../values/types.ts';
import type { Machine } from './machine.ts';
import { padded } from './text-pad.ts';

interface Spec {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  readonly isAlternate: boolean;
  readonly width: number;
  readonly grouping: string;
  readonly precision: number | undefined;
  readonly kind: string;
}

const form = /^(?:(.)?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d*)([,_])?(?:\.(\d+))?([a-zA-Z%])?$/su;

function parseSpec(text: string, type: string): Spec {
  const match = form.exec(text);
  if (!match) {
    return fail(`Invalid format specifier '${text}' for object of type '${type}'`);
  }
  const [
    ,
    fill,
    align,
    sign = '',
    zero,
    hash,
    padding,
    width,
    grouping = '',
    precision,
    kind = '',
  ] = match;
  if (zero) {
    fail("the 'z' of format specifications is not supported");
  }
  const isPadded = padding === '0';
  return {
    fill: fill ?? (isPadded ? '0' : ' '),
    align: align ?? (isPadded && type !== 'str' ? '=' : ''),
    sign,
    isAlternate: hash === '#',
    width: Number(width),
    grouping,
    precision: precision === undefined ? undefined : Number(precision),
    kind,
  };
}

/** As `format(value, spec)`. */
export function formatValue(value: Value, spec: string, machine: Machine): string {
  if (spec === '') {
    return strOf(value, machine.budget);
  }
  const text = textOf(value);
  if (text !== undefined) {
    return ofText(text, parseSpec(spec, 'str'), machine);
  }
  const whole = wholeOf(value);
  if (whole === undefined && typeof value !== 'number') {
    return fail(`unsupported format string passed to ${typeName(value)}.__format__`);
  }
  const parsed = parseSpec(spec, typeName(value));
  const isWhole = whole !== undefined && !/^[eEfFgG%]$/.test(parsed.kind);
  return isWhole
    ? ofWhole(whole, parsed, machine)
    : ofFloat(whole === undefined ? (value as number) : floatOf(whole), parsed, machine);
}

function unknown(kind: string, type: string): never {
  return fail(`Unknown format code '${kind}' for object of type '${type}'`);
}

function ofText(text: string, spec: Spec, machine: Machine): string {
  if (spec.kind !== '' && spec.kind !== 's') {
    unknown(spec.kind, 'str');
  }
  if (spec.align === '=' || spec.sign !== '' || spec.isAlternate || spec.grouping) {
    fail(`'${spec.align || spec.grouping || 'Sign'}' not allowed in string format specifier`);
  }
  const cut = spec.precision === undefined ? text : characterSlice(text, 0, spec.precision);
  return aligned('', cut, { ...spec, align: spec.align || '<' }, machine);
}

const bases: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16 };

function ofWhole(value: bigint, spec: Spec, machine: Machine): string {
  const { kind, grouping } = spec;
  if (spec.precision !== undefined) {
    fail('Precision not allowed in integer format specifier');
  }
  checkBits(value);
  if (kind === 'c' && (spec.sign || spec.isAlternate)) {
    fail("a sign or '#' is not allowed with integer format specifier 'c'");
  }
  if (grouping && (kind === 'c' || kind === 'n' || (grouping === ',' && bases[kind]))) {
    fail(`Cannot specify '${grouping}' with '${kind}'.`);
  }
  if (kind === 'c') {
    if (value < 0n || value > 0x10ffffn) {
      fail('%c arg not in range(0x110000)');
    }
    const character = String.fromCodePoint(Number(value));
    return aligned('', character, { ...spec, align: spec.align || '<' }, machine);
  }
  const base = bases[kind];
  if (base === undefined && !['', 'd', 'n'].includes(kind)) {
    unknown(kind, 'int');
  }
  const digits = (value < 0n ? -value : value).toString(base ?? 10);
  const prefix = spec.isAlternate && base !== undefined ? `0${kind}` : '';
  const shown = kind === 'X' ? digits.toUpperCase() : digits;
  const head = signOf(value < 0n, spec) + prefix;
  return grouped(head, shown, '', spec, base === undefined ? 3 : 4, machine);
}

const signOf = (isNegative: boolean, { sign }: Spec): string =>
  isNegative ? '-' : sign.replace('-', '');

function ofFloat(value: number, spec: Spec, machine: Machine): string {
  const { kind, isAlternate } = spec;
  const isNegative = value < 0 || Object.is(value, -0);
  const size = Math.abs(value);
  if (!/^[eEfFgGn%]?$/.test(kind)) {
    unknown(kind, 'float');
  }
  const text =
    kind === ''
      ? unnamedFloat(size, spec)
      : formatFloat(size, kind === 'n' ? 'g' : kind, spec.precision ?? 6, isAlternate);
  const [, whole = '', rest = ''] = /^(\d*)(.*)$/s.exec(text) as RegExpExecArray;
  return grouped(signOf(isNegative, spec), whole, rest, spec, 3, machine);
}

/** Without a letter a number has one digit after its point at least. */
function unnamedFloat(value: number, { precision, isAlternate }: Spec): string {
  if (precision === undefined) {
    return floatRepr(value);
  }
  const exponent =
    value === 0 ? 0 : Number(formatFloat(value, 'e', Math.max(0, precision - 1)).split('e')[1]);
  const isShort = Number.isFinite(value) && exponent >= -4 && exponent === precision - 1;
  const text = isShort
    ? formatFloat(value, 'e', Math.max(0, precision - 1))
    : formatFloat(value, 'g', precision, isAlternate);
  const trimmed = isShort ? text.replace(/\.?0*(?=e)/, '') : text;
  return /[.einf]/.test(trimmed) ? trimmed : `${trimmed}.0`;
}

/** Puts signs between groups of digits, of which leading zeros are a part. */
function grouped(
  head: string,
  digits: string,
  rest: string,
  spec: Spec,
  size: number,
  machine: Machine,
): string {
  const { grouping, fill, align, width } = spec;
  if (!grouping) {
    return aligned(head, digits + rest, { ...spec, align: align || '>' }, machine);
  }
  const isZeroFilled = fill === '0' && align === '=';
  const room = width - characterCount(head) - rest.length;
  const groups = (text: string) => {
    const first = text.length % size;
    const parts = first > 0 ? [text.slice(0, first)] : [];
    for (let at = first; at < text.length; at += size) {
      parts.push(text.slice(at, at + size));
    }
    return parts.join(grouping);
  };
  let filled = digits;
  machine.budget.checkText(Math.max(0, room));
  if (isZeroFilled && groups(filled).length < room) {
    const wanted = room - Math.floor(room / (size + 1));
    filled = filled.padStart(wanted, '0');
  }
  return aligned(head, groups(filled) + rest, { ...spec, align: align || '>' }, machine);
}

function aligned(
  head: string,
  text: string,
  { fill, align, width }: Spec,
  machine: Machine,
): string {
  const missing = width - characterCount(head) - characterCount(text);
  if (missing <= 0) {
    return head + text;
  }
  if (align === '=') {
    return head + padded(text, missing, 0, fill, machine);
  }
  const before = align === '<' ? 0 : align === '>' ? missing : Math.floor(missing / 2);
  return padded(head + text, before, missing - before, fill, machine);
}
