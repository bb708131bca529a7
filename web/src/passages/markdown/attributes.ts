// Attributes in braces, which several dialects of Markdown know: `{#id}`, `{.class key="value"}`, `{: .class}`, `{-}`.

const item = /(?:[#.][^\s{}"'=]+|-|[\w:@-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'{}]+))(?:\s+|$)/y;
/** Longer ones are no attributes. */
const maxUnits = 400;
const atEnd = /(?:^|[\s`)\]*_])(\{[^{}]*\})\s*$/;
const comment = /\s*\{\s*\/\*[^{}]*\*\/\s*\}\s*$/;
const ownLine = /^[ \t]*\{:[^{}\n]*\}[ \t]*(?:\n|$)/gm;

/** Whether a text in braces has attributes only. */
export function areAttributes(braced: string): boolean {
  if (braced.length > maxUnits) {
    return false;
  }
  const inner = braced.slice(1, -1).replace(/^\s*:?\s*/, '');
  let at = 0;
  while (at < inner.length) {
    item.lastIndex = at;
    if (!item.test(inner)) {
      return false;
    }
    at = item.lastIndex;
  }
  return inner !== '';
}

/** The source of a heading or paragraph without the attributes at its end, and without lines of attributes. Those at the end begin
 *  with an id, a class or a dash, because `{x=1}` may be text. */
export function withoutAttributes(source: string): string {
  if (!source.includes('{')) {
    return source;
  }
  const text = source.replace(ownLine, '\n').replace(comment, '');
  const braced = atEnd.exec(text.slice(-maxUnits))?.[1];
  const isId = braced !== undefined && /^\{\s*:?\s*(?:[#.]|-\s*\})/.test(braced);
  if (!isId || !areAttributes(braced)) {
    return text;
  }
  return text.slice(0, text.lastIndexOf(braced)).trimEnd();
}
