// Where JSON is wrong. Engines say it each in its way, or not at all.

const kToken =
  /\s*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/uy;

type Awaited = 'value' | 'first' | 'key' | 'firstKey' | 'colon' | 'comma' | 'end';

/** The index of the first token that does not belong where it is, or of the end. */
export function faultIn(text: string): number {
  const open: ('{' | '[')[] = [];
  let awaited: Awaited = 'value';
  kToken.lastIndex = 0;
  for (let at = 0; ; at = kToken.lastIndex) {
    const begin = at + (/^\s*/.exec(text.slice(at, at + 64))?.[0].length ?? 0);
    const [, sign, string] = kToken.exec(text) ?? [undefined, 'wrong'];
    const next = step(awaited, sign, string !== undefined, open);
    if (!next) return begin;
    awaited = next;
  }
}

/** What comes after the token; undefined where it must not stand. */
function step(
  awaited: Awaited,
  sign: string | undefined,
  isString: boolean,
  open: ('{' | '[')[],
): Awaited | undefined {
  const after = (): Awaited => (open.length === 0 ? 'end' : 'comma');
  const close = (bracket: '{' | '['): Awaited | undefined =>
    open.pop() === bracket ? after() : undefined;
  if (sign === ']') return awaited === 'first' || awaited === 'comma' ? close('[') : undefined;
  if (sign === '}') return awaited === 'firstKey' || awaited === 'comma' ? close('{') : undefined;
  if (awaited === 'colon') return sign === ':' ? 'value' : undefined;
  if (awaited === 'comma') {
    if (sign !== ',') return undefined;
    return open.at(-1) === '{' ? 'key' : 'value';
  }
  if (awaited === 'key' || awaited === 'firstKey') return isString ? 'colon' : undefined;
  if (awaited === 'end') return undefined;
  if (sign === undefined) return after();
  if (sign !== '{' && sign !== '[') return undefined;
  open.push(sign);
  return sign === '{' ? 'firstKey' : 'first';
}
