// Selectors that a page is read with. The page is read tag by tag, so a selector is about one element: its name, classes, id
// and attributes.
import { AmbryError } from 'ambry/encoder';
import type { Attributes } from './page-facts.ts';

export type Matcher = (name: string, attributes: Attributes) => boolean;

const simple = /[.#][\w-]+|\[[\w:-]+(?:=(?:"[^"]*"|'[^']*'|[^\]"']+))?\]/g;
const compound = new RegExp(`^(\\*|[a-z][\\w-]*)?((?:${simple.source})*)$`, 'i');
const comma = /,(?![^[]*\])/;

/**
 * Matches elements that one of the selectors fits, divided by commas: `.note, h1[data-title], div#main`. Without any,
 * nothing matches. Throws `BadValue` at `path`.
 */
export function matcherOf(selectors: string | undefined, path: string): Matcher {
  if (selectors === undefined) {
    return () => false;
  }
  const matchers = selectors.split(comma).map((selector) => compoundMatcher(selector.trim(), path));
  return (name, attributes) => matchers.some((matches) => matches(name, attributes));
}

function compoundMatcher(selector: string, path: string): Matcher {
  const parts = compound.exec(selector);
  if (selector === '' || !parts) {
    const message = `"${selector}" is no selector of one element, such as "main", ".note", "#top" or "h1[data-title]".`;
    throw new AmbryError('BadValue', message, { path });
  }
  const wanted = (parts[1] ?? '*').toLowerCase();
  const conditions = (parts[2] ?? '').match(simple)?.map(conditionOf) ?? [];
  return (name, attributes) =>
    (wanted === '*' || wanted === name) && conditions.every((holds) => holds(attributes));
}

function conditionOf(text: string): (attributes: Attributes) => boolean {
  const value = text.slice(1);
  if (text.startsWith('.')) {
    return (attributes) => (attributes['class'] ?? '').split(/\s+/).includes(value);
  }
  if (text.startsWith('#')) {
    return (attributes) => attributes['id'] === value;
  }
  const [, name = '', stated] = /^([\w:-]+)(?:=["']?(.*?)["']?)?\]$/.exec(value) ?? [];
  const key = name.toLowerCase();
  if (stated === undefined) {
    return (attributes) => key in attributes;
  }
  return (attributes) => attributes[key] === stated;
}
