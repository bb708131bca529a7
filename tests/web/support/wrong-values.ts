// Values that few arguments take, and what a call makes of them.
import type { AmbryError } from '../../../web/src/base/errors.ts';

const inItself: unknown[] = [];
inItself.push(inItself);

/** By names for the tables of tests. */
export const wrongValues = {
  undefined: undefined,
  null: null,
  true: true,
  false: false,
  zero: 0,
  'minus one': -1,
  'one and a half': 1.5,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  bigint: 1n,
  symbol: Symbol('wrong'),
  'empty text': '',
  text: 'wrong',
  'half a character': '\ud800',
  function: () => 1,
  'empty list': [],
  'list of null': [null],
  'list of undefined': [undefined],
  'list of holes': new Array(2),
  'list of objects': [{}],
  'list of lists': [[1, 2]],
  'list of fractions': [1.5],
  'list of bigints': [1n],
  'list in itself': inItself,
  object: {},
  'object of others': { wrong: 1 },
  'object without class': Object.create(null),
  date: new Date(0),
  pattern: /wrong/,
  map: new Map(),
  set: new Set([1.5]),
  promise: Promise.resolve('wrong'),
  error: new Error('wrong'),
  blob: new Blob(['wrong']),
  buffer: new ArrayBuffer(3),
  bytes: new Uint8Array(3),
  floats: new Float32Array(3),
  proxy: new Proxy({}, {}),
} as const;
export type WrongName = keyof typeof wrongValues;

/** JavaScript or JSON trips over these. There are few, because each call of a job starts a worker, and the tests of calls
 *  have tried all others. */
export const fewWrong: readonly WrongName[] = [
  'null',
  'bigint',
  'symbol',
  'text',
  'function',
  'list in itself',
  'object without class',
];

/** A call, arguments that it takes, and by position which of the values above are right for it. */
export type Call = readonly [
  name: string,
  run: (...given: never[]) => unknown,
  given: readonly unknown[],
  right: readonly (readonly WrongName[])[],
];

/** A method as a function. */
export const method =
  <T extends object>(owner: T, name: keyof T): Call[1] =>
  (...given) =>
    (owner[name] as Call[1]).call(owner, ...given);

/** What came of a call: it was `taken`, it was `refused` as it should be, or what else was thrown. */
export async function outcomeOf(call: Call[1], given: readonly unknown[]): Promise<string> {
  try {
    const result: unknown = await call(...(given as never[]));
    await (result as Partial<AsyncDisposable> | null | undefined)?.[Symbol.asyncDispose]?.();
    return 'taken';
  } catch (error) {
    return isTyped(error) ? 'refused' : `threw ${describeError(error)}`;
  }
}

/** Whether the error is the package's, which the test does not share a class with, and says something of its own. */
function isTyped(error: unknown): boolean {
  const { name, code, message } = (error ?? {}) as Partial<AmbryError>;
  const isRaw = /is not a function|is not iterable|Cannot read|undefined is not/.test(
    message ?? '',
  );
  return name === 'AmbryError' && code !== 'Crashed' && message !== '' && !isRaw;
}

function describeError(error: unknown): string {
  const { name, code, message } = (error ?? {}) as Partial<AmbryError>;
  return `${name} ${code ?? ''}: ${message}`;
}
