// Changes valid inputs by chance, for tests of what strangers send: bytes, JSON and texts. A seed gives the same changes every
// time, so a failure can be repeated by its number.

/** What texts of strangers hold to fool a terminal or a page, and what trips parsers. */
export const hostileTexts: readonly string[] = [
  '\u001b[2J',
  '\u001b]52;c;aGk=\u0007',
  '\u009b31m',
  '\r',
  '\b\b\b',
  '\n: valid\n',
  '\u202egnp.exe',
  '\u2066\u2069',
  '\u2028\u2029',
  '\u0000',
  '\u007f',
  '\ud800',
  '__proto__',
  'constructor',
  '{{ 1/0 }}',
  '😀'.repeat(40),
  'x'.repeat(5000),
  '',
];

const numbers = [0, -0, -1, 0.5, 1e308, 2 ** 31, 2 ** 53, -(2 ** 63), Number.MIN_VALUE, 1, 7, 1e5];

export class Mutants {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 to below 1 (mulberry32). */
  number(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  below(end: number): number {
    return Math.floor(this.number() * end);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** A copy with one to eight changes: bytes, pieces that are cut, doubled or moved. */
  bytes(given: Uint8Array): Uint8Array<ArrayBuffer> {
    let bytes = new Uint8Array(given);
    for (let i = 1 + this.below(8); i > 0; i--) {
      bytes = this.#changed(bytes);
    }
    return bytes;
  }

  #changed(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const at = this.below(bytes.length + 1);
    const length = 1 + this.below(this.pick([1, 4, 64, 1024]));
    const [head, piece, tail] = [
      bytes.subarray(0, at),
      bytes.subarray(at, at + length),
      bytes.subarray(at + length),
    ];
    switch (this.below(6)) {
      case 0:
        return bytes.slice(0, at);
      case 1:
        return joined(head, tail);
      case 2:
        return joined(head, piece, piece, tail);
      case 3:
        return joined(head, new Uint8Array(length).fill(this.pick([0, 0xff, 0x7f])), tail);
      default: {
        const copy = bytes.slice();
        copy[this.below(copy.length)] = this.below(256);
        return copy;
      }
    }
  }

  /** A text with hostile pieces put in. */
  text(given: string): string {
    const at = this.below(given.length + 1);
    return given.slice(0, at) + this.pick(hostileTexts) + given.slice(at);
  }

  /** A copy of a JSON value in which one to four values were changed, removed or added. */
  json(given: unknown): unknown {
    let value = structuredClone(given);
    for (let i = 1 + this.below(4); i > 0; i--) {
      value = this.#inside(value, 0);
    }
    return value;
  }

  #inside(value: unknown, depth: number): unknown {
    const isObject = typeof value === 'object' && value !== null;
    const entries = isObject ? Object.entries(value) : [];
    if (!isObject || entries.length === 0 || (depth > 0 && this.below(4) === 0)) {
      return this.#other(value);
    }
    const [key, inner] = this.pick(entries);
    const others = entries.filter(([own]) => own !== key);
    const pairs = {
      changed: [...others, [key, this.#inside(inner, depth + 1)]],
      removed: others,
      renamed: [...others, [this.text(key), inner]],
      added: [...entries, [this.pick(hostileTexts), this.#other(inner)]],
    }[this.pick(['changed', 'changed', 'changed', 'changed', 'removed', 'renamed', 'added'])];
    // A name such as `__proto__` stays a name.
    return Array.isArray(value)
      ? pairs?.map(([, item]) => item)
      : Object.fromEntries(pairs as [string, unknown][]);
  }

  #other(value: unknown): unknown {
    if (typeof value === 'string' && this.below(2) === 0) {
      return this.text(value);
    }
    if (typeof value === 'number' && this.below(2) === 0) {
      return this.pick([value + 1, value - 1, -value, value * 1e6, value / 3]);
    }
    return this.pick<() => unknown>([
      () => this.pick(numbers),
      () => this.pick(hostileTexts),
      () => this.pick([null, true, false]),
      () => [],
      () => ({}),
      () => [value, value],
      () => ({ [this.pick(hostileTexts)]: value }),
      () => nested(this.pick([10, 200])),
    ])();
  }
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) {
    value = i % 2 === 0 ? [value] : { a: value };
  }
  return value;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
