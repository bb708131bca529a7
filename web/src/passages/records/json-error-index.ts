// Finds the place of an error in JSON. The messages of JavaScript engines differ, and some name no place.

const token =
  /\s*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/uy;

/** What may come next. `first` and `firstKey` may also be the closing bracket of an empty list or object. */
type Expected = 'value' | 'first' | 'key' | 'firstKey' | 'colon' | 'comma' | 'end';
type Bracket = '{' | '[';

/** Returns the index of the first token that is not allowed at its place, or the length if the text ends too
 *  early. */
export function jsonErrorIndex(text: string): number {
  const open: Bracket[] = [];
  let expected: Expected = 'value';
  token.lastIndex = 0;
  for (let at = 0; ; at = token.lastIndex) {
    const begin = at + (/^\s*/.exec(text.slice(at, at + 64))?.[0].length ?? 0);
    const [, sign, string] = token.exec(text) ?? [undefined, 'wrong'];
    const next = expectedAfter(expected, sign, string !== undefined, open);
    if (!next) {
      return begin;
    }
    expected = next;
  }
}

/** Returns what may come after the token, or undefined if the token itself is not allowed. `sign` is its bracket,
 *  comma or colon, and `open` the brackets around it. */
function expectedAfter(
  expected: Expected,
  sign: string | undefined,
  isString: boolean,
  open: Bracket[],
): Expected | undefined {
  const afterValue = (): Expected => (open.length === 0 ? 'end' : 'comma');
  const close = (bracket: Bracket): Expected | undefined =>
    open.pop() === bracket ? afterValue() : undefined;
  if (sign === ']') {
    return expected === 'first' || expected === 'comma' ? close('[') : undefined;
  }
  if (sign === '}') {
    return expected === 'firstKey' || expected === 'comma' ? close('{') : undefined;
  }
  if (expected === 'colon') {
    return sign === ':' ? 'value' : undefined;
  }
  if (expected === 'comma') {
    if (sign !== ',') {
      return undefined;
    }
    return open.at(-1) === '{' ? 'key' : 'value';
  }
  if (expected === 'key' || expected === 'firstKey') {
    return isString ? 'colon' : undefined;
  }
  if (expected === 'end') {
    return undefined;
  }
  if (sign === undefined) {
    return afterValue();
  }
  if (sign !== '{' && sign !== '[') {
    return undefined;
  }
  open.push(sign);
  return sign === '{' ? 'firstKey' : 'first';
}
