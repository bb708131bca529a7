// Filters that make texts for web pages, or texts of them.
import { fail } from '../base/errors.ts';
import { optionalText, textArgument, wholeArgument } from '../methods/arguments.ts';
import type { Bound, Machine } from '../methods/machine.ts';
import { characterCount, characterSlice, compareTexts, spaceClass } from '../values/chars.ts';
import { isTrue, itemsOf, iterate } from '../values/iterate.ts';
import { escaped, strOf } from '../values/text.ts';
import { Dict, Markup, textOf, Undefined, type Value, View } from '../values/types.ts';
import { type Filters, filter } from './filter.ts';
import { withoutTags } from './strip-tags.ts';
import { linkedText } from './url-links.ts';

const spaces = new RegExp(`[${spaceClass}]+`);
const scheme = /^[\p{L}\p{N}_.+-]{2,}:\/{0,2}$/u;

function urlize(value: Value, args: Bound, machine: Machine): Value {
  const [limit = null, nofollow = false, target = null, rel, schemes = null] = args;
  const { budget } = machine;
  const relations = new Set((optionalText(rel) ?? '').split(spaces).filter(Boolean));
  relations.add('noopener');
  if (isTrue(nofollow)) {
    relations.add('nofollow');
  }
  const extra = schemes === null ? [] : [...iterate(schemes, budget)].map(textArgument);
  const wrong = extra.find((name) => !scheme.test(name));
  if (wrong !== undefined) {
    fail(`'${wrong}' is not a valid URI scheme prefix.`);
  }
  const attribute = (name: string, text: string) =>
    text === '' ? '' : ` ${name}="${escaped(text, budget).text}"`;
  return linkedText(escaped(value, budget).text, machine, {
    attributes:
      attribute('rel', [...relations].sort(compareTexts).join(' ')) +
      attribute('target', isTrue(target) ? strOf(target, budget) : ''),
    shown: (address) => shortened(address, limit),
    schemes: extra,
  });
}

function shortened(text: string, limit: Value): string {
  const length = characterCount(text);
  const most = limit === null ? length : wholeArgument(limit);
  const end = most < 0 ? Math.max(0, length + most) : most;
  return length > most ? `${characterSlice(text, 0, end)}...` : text;
}

function urlQuoted(value: Value, isForQuery: boolean, { budget }: Machine): string {
  const text = strOf(value, budget);
  budget.takeText(text.length * 3);
  const quoted = encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd')).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return isForQuery ? quoted.replaceAll('%20', '+') : quoted.replaceAll('%2F', '/');
}

function urlEncode(value: Value, machine: Machine): Value {
  const { budget } = machine;
  const items =
    textOf(value) === undefined
      ? value instanceof Dict
        ? new View('items', value)
        : itemsOf(value, budget)
      : undefined;
  if (!items) {
    return urlQuoted(value, false, machine);
  }
  const parts: string[] = [];
  for (const item of items) {
    const [key, other, ...more] = iterate(item, budget);
    if (key === undefined || other === undefined || more.length > 0) {
      fail('urlencode needs pairs');
    }
    parts.push(`${urlQuoted(key, true, machine)}=${urlQuoted(other, true, machine)}`);
  }
  return parts.join('&');
}

function xmlAttributes(
  value: Value,
  [autospace = true]: readonly (Value | undefined)[],
  { budget }: Machine,
): Value {
  if (!(value instanceof Dict)) {
    return fail('xmlattr needs a dict');
  }
  const parts: string[] = [];
  for (const [key, item] of value.entries.values()) {
    if (item === null || item instanceof Undefined) {
      continue;
    }
    const name = textArgument(key);
    if (/[\t-\r />=]/.test(name)) {
      fail(`Invalid character in attribute name: ${name}`);
    }
    parts.push(`${escaped(name, budget).text}="${escaped(item, budget).text}"`);
  }
  return (isTrue(autospace) && parts.length > 0 ? ' ' : '') + parts.join(' ');
}

export const htmlFilters: Filters = {
  escape: filter('', (value, _, { budget }) => escaped(value, budget)),
  e: filter('', (value, _, { budget }) => escaped(value, budget)),
  forceescape: filter('', (value, _, { budget }) => escaped(strOf(value, budget), budget)),
  safe: filter('', (value, _, { budget }) => new Markup(strOf(value, budget))),
  urlencode: filter('', (value, _, machine) => urlEncode(value, machine)),
  xmlattr: filter('autospace?', xmlAttributes),
  striptags: filter('', (value, _, machine) => withoutTags(strOf(value, machine.budget), machine)),
  urlize: filter('trim_url_limit? nofollow? target? rel? extra_schemes?', urlize),
};
