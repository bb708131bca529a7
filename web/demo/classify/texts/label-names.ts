// What people call a label. Works without a page.

/** How models of fastText mark labels. */
const prefix = '__label__';
/** A model tells languages if all of its labels are codes that the browser knows, or half of many: browsers do not know rare
 *  languages. */
const many = 8;
const code = /^[a-z]{2,3}(?:[-_][a-z]{2,8})*$/i;

const withoutPrefix = (label: string): string =>
  label.startsWith(prefix) && label.length > prefix.length ? label.slice(prefix.length) : label;

type NameOf = (label: string) => string;

/** Undefined for what is no code of a language, or for one that this browser does not know. */
function languageNames(): (label: string) => string | undefined {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  return (label) => {
    try {
      return code.test(label) ? names.of(label.replaceAll('_', '-')) : undefined;
    } catch {
      return undefined;
    }
  };
}

/** Codes of languages get their names: `German (de)`. */
export function labelNames(labels: readonly string[]): NameOf {
  const short = labels.map(withoutPrefix);
  const languageOf = languageNames();
  const known = short.filter((label) => languageOf(label) !== undefined).length;
  const least = labels.length < many ? labels.length : labels.length / 2;
  if (labels.length < 3 || known < least) {
    return withoutPrefix;
  }
  return (label) => {
    const own = withoutPrefix(label);
    const name = languageOf(own);
    return name === undefined ? own : `${name} (${own})`;
  };
}
