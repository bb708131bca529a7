// The parameters of a page's address. Anyone can write a link, so every value has a limit, and a wrong one counts as absent.
// Works without a page.

/** One value in the query string of an address. */
export interface Parameter<Value> {
  readonly name: string;
  /** The value where the address has none. */
  readonly absent: Value;
  /** Returns `absent` for texts that are no value. */
  read(texts: readonly string[]): Value;
  /** No texts for `absent`. */
  write(value: Value): readonly string[];
}

/** The parameters of a page, by the fields of its link. */
export type Parameters<Link> = { readonly [Field in keyof Link]: Parameter<Link[Field]> };

/** Control characters, except the tab and the line break. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it removes
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export const withoutControls = (text: string): string => text.replace(controls, '');

/** The text without control characters. It is cut at the limit, but not inside a character. */
function bounded(text: string, maxLength: number): string {
  const clean = withoutControls(text.slice(0, 2 * maxLength));
  return clean.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}

export function text(name: string, maxLength: number, absent = ''): Parameter<string> {
  return {
    name,
    absent,
    read: ([first = '']) => bounded(first, maxLength).trim() || absent,
    write: (value) => (value === absent ? [] : [value]),
  };
}

/** A text whose spaces count, and which may have several lines. */
export function textAsItIs(name: string, maxLength: number): Parameter<string> {
  return { ...text(name, maxLength), read: ([first = '']) => bounded(first, maxLength) };
}

export function choice<Value extends string>(
  name: string,
  values: readonly Value[],
  absent: NoInfer<Value>,
): Parameter<Value> {
  return {
    name,
    absent,
    read: ([first]) => values.find((value) => value === first) ?? absent,
    write: (value) => (value === absent ? [] : [value]),
  };
}

interface Limits {
  readonly min: number;
  readonly max: number;
  readonly whole?: boolean;
}

export function number<Absent extends number | null>(
  name: string,
  absent: Absent,
  { min, max, whole = false }: Limits,
): Parameter<number | Absent> {
  return {
    name,
    absent,
    read([first = '']) {
      const value = /^\d{1,12}(\.\d{1,17})?$/.test(first) ? Number(first) : Number.NaN;
      const isAllowed = value >= min && value <= max && (!whole || Number.isInteger(value));
      return isAllowed ? value : absent;
    },
    write: (value) => (value === null || value === absent ? [] : [String(value)]),
  };
}

/** A parameter that may come several times. */
export function list(
  name: string,
  { maxCount, maxLength }: { readonly maxCount: number; readonly maxLength: number },
): Parameter<readonly string[]> {
  return {
    name,
    absent: [],
    read(texts) {
      const values = texts.slice(0, maxCount).map((value) => bounded(value, maxLength));
      return [...new Set(values.filter((value) => value !== ''))];
    },
    write: (values) => values,
  };
}

/** Reads the query string of an address. */
export function readLink<Link>(search: string, parameters: Parameters<Link>): Link {
  const found = new URLSearchParams(search);
  const fields = Object.keys(parameters) as (keyof Link)[];
  const read = (field: keyof Link): Link[keyof Link] => {
    const parameter = parameters[field];
    const texts = found.getAll(parameter.name);
    return texts.length === 0 ? parameter.absent : parameter.read(texts);
  };
  return Object.fromEntries(fields.map((field) => [field, read(field)])) as Link;
}

/** Puts a link into the query string of an address. Other parameters stay. */
export function writeLink<Link>(search: string, parameters: Parameters<Link>, link: Link): string {
  const found = new URLSearchParams(search);
  for (const field of Object.keys(parameters) as (keyof Link)[]) {
    const { name, write } = parameters[field];
    found.delete(name);
    for (const value of write(link[field])) {
      found.append(name, value);
    }
  }
  const query = found.toString();
  return query === '' ? '' : `?${query}`;
}
