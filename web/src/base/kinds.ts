// What arguments and options may be: words for it, and a test. `wrong-value.ts` makes the error of what is found here.

/** What a value must be. */
export interface Kind {
  /** Goes on after "Must be". */
  readonly words: string;
  readonly is: (value: unknown) => boolean;
  /** What the elements must be, where the value is a list. */
  readonly each?: Kind;
  /** The options that it has, where the value is an object. */
  readonly options?: KnownOptions;
  /** The names that it may be, of which one may have been meant. */
  readonly names?: readonly string[];
}

/** The options of a call by their names. `true` stands for one that is checked elsewhere, mostly by the core. */
export type KnownOptions = Readonly<Record<string, true | Kind>>;

/** The arguments of a call by their names, in their order. */
export type KnownArguments = Readonly<Record<string, Kind>>;

/** A value that it must not be. */
export interface WrongValue {
  /** The argument or the option, such as `texts[3]`. */
  readonly path: string;
  readonly kind: Kind;
  readonly value: unknown;
}

/** An option that a call does not have. */
export interface UnknownOption {
  readonly name: string;
  /** The names that there are. */
  readonly known: readonly string[];
  /** What the option is given in, such as `options`. */
  readonly path: string;
}

export type Wrong = WrongValue | UnknownOption;

/** Characters of a name in the error. Longer ones are cut. */
const mostCharacters = 100;

/** Whether the value holds names and values: no list, no function, and no object of another purpose, such as a Map. */
export const isObject = (value: unknown): value is object =>
  Object.prototype.toString.call(value) === '[object Object]';

/** Whether the value is an object of any class. */
export const isSomeObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null;

const isText = (value: unknown): value is string => typeof value === 'string';

export const text: Kind = { words: 'a text', is: isText };

/** The elements are checked where the texts are used. */
export const textOrTexts: Kind = {
  words: 'a text or a list of texts',
  is: (value) => isText(value) || Array.isArray(value),
};

export const list: Kind = { words: 'a list', is: Array.isArray };

export const texts: Kind = { words: 'a list of texts', is: Array.isArray, each: text };

export const object: Kind = { words: 'an object', is: isObject };

/** The options of a call, which may be absent. Their names and values are checked by `refuseUnknown`. */
export const options: Kind = {
  words: 'an object of options',
  is: (value) => value === undefined || isObject(value),
};

export const callback: Kind = { words: 'a function', is: (value) => typeof value === 'function' };

export const flag: Kind = { words: 'true or false', is: (value) => typeof value === 'boolean' };

export const address: Kind = {
  words: 'an address',
  is: (value) => isText(value) || value instanceof URL,
};

/** By what is used of it, because a page may have several classes of this name. */
export const signal: Kind = {
  words: 'an AbortSignal',
  is: (value) => typeof (value as Partial<AbortSignal> | null)?.addEventListener === 'function',
};

/** The range of a number is checked where the number is used. */
export const number: Kind = { words: 'a number', is: (value) => typeof value === 'number' };

export const count: Kind = {
  words: 'an integer of 1 or more',
  is: (value) => Number.isSafeInteger(value) && (value as number) > 0,
};

export const oneOf = (names: readonly string[]): Kind => ({
  words: `one of ${names.join(', ')}`,
  is: (value) => names.includes(value as string),
  names,
});

/** Undefined if the value is of this kind, with all that is in it. */
export function findWrong(value: unknown, kind: Kind, path: string): Wrong | undefined {
  if (!kind.is(value)) {
    return { path, kind, value };
  }
  if (kind.options && isObject(value)) {
    return findWrongOption(value, kind.options, path);
  }
  if (!kind.each || !Array.isArray(value)) {
    return undefined;
  }
  for (const [i, element] of value.entries()) {
    const wrong = findWrong(element, kind.each, `${path}[${i}]`);
    if (wrong) {
      return wrong;
    }
  }
  return undefined;
}

/** Undefined if the call has all these options, and takes their values. One that is undefined is as good as absent. */
export function findWrongOption(
  given: unknown,
  known: KnownOptions,
  path = 'options',
): Wrong | undefined {
  if (!isObject(given)) {
    return { path, kind: options, value: given };
  }
  for (const [name, value] of Object.entries(given)) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (value !== undefined && !kind) {
      return { name: name.slice(0, mostCharacters), known: Object.keys(known), path };
    }
    const wrong =
      value === undefined || typeof kind !== 'object'
        ? undefined
        : findWrong(value, kind, `${path}.${name}`);
    if (wrong) {
      return wrong;
    }
  }
  return undefined;
}
