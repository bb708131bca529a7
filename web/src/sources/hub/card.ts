// What the card of a repository (its README.md) says of the model that it was made of. A card begins with YAML between two
// lines of dashes. Only two of its fields are read; all other YAML is skipped.
import { parseHubName } from './hub-name.ts';

/** What a card says of the base. */
export interface StatedBase {
  /** `owner/name`, each once. */
  readonly names: readonly string[];
  /** `quantized`, `finetune`, `adapter`, `merge`; undefined if nothing says it. */
  readonly relation: string | undefined;
}

/** More names than any merge of models has. */
const mostNames = 100;
/** The front matter of a card has some kilobytes. */
const mostMatter = 1 << 16;

/** What the hub's answer for a revision says. Undefined if it does not say what the card says. */
export function baseInAnswer(answer: unknown): StatedBase | undefined {
  const { cardData, tags } = fieldsOf(answer);
  if (typeof cardData !== 'object' || cardData === null) {
    return undefined;
  }
  const { base_model: base, base_model_relation: relation } = fieldsOf(cardData);
  const stated = statedBase(Array.isArray(base) ? base : [base], relation);
  return { ...stated, relation: stated.relation ?? relationInTags(tags, stated.names) };
}

/** What the text of a card says. */
export function baseInCard(text: string): StatedBase {
  const start = text.slice(0, mostMatter).replace(/^\uFEFF?\s*/, '');
  const [, matter = ''] = /^---[ \t]*\r?\n([\s\S]*?\r?\n)---[ \t]*(?:\r?\n|$)/.exec(start) ?? [];
  const lines = matter.split(/\r?\n/);
  return statedBase(valuesOf(lines, 'base_model'), valuesOf(lines, 'base_model_relation')[0]);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function statedBase(names: readonly unknown[], relation: unknown): StatedBase {
  const valid = names.slice(0, mostNames).filter(isRepository);
  const isPlain = typeof relation === 'string' && /^[a-z_-]{1,40}$/i.test(relation);
  return { names: [...new Set(valid)], relation: isPlain ? relation.toLowerCase() : undefined };
}

function isRepository(name: unknown): name is string {
  if (typeof name !== 'string') {
    return false;
  }
  try {
    const { revision, path } = parseHubName(`hf:${name}`);
    return revision === undefined && path === undefined && !name.endsWith('/');
  } catch {
    return false;
  }
}

/** The hub works out the relation where the card does not say it: `base_model:quantized:owner/name`. */
function relationInTags(tags: unknown, names: readonly string[]): string | undefined {
  for (const tag of Array.isArray(tags) ? tags : []) {
    const [, relation, name = ''] = /^base_model:([a-z]+):(.+)$/.exec(String(tag)) ?? [];
    if (names.includes(name)) {
      return relation;
    }
  }
  return undefined;
}

/** The values of a field of YAML: a text, a list in brackets, or a list with a line for each. */
function valuesOf(lines: readonly string[], name: string): string[] {
  const key = new RegExp(`^(["']?)${name}\\1\\s*:(?=\\s|$)`);
  const at = lines.findIndex((line) => key.test(line));
  if (at < 0) {
    return [];
  }
  const own = withoutComment((lines[at] ?? '').replace(key, ''));
  if (own.startsWith('[')) {
    return inBrackets(own, lines.slice(at + 1));
  }
  if (own !== '') {
    return [unquoted(own)];
  }
  const values: string[] = [];
  for (const line of lines.slice(at + 1)) {
    const [, item] = /^\s*-\s+(.*)$/.exec(line) ?? [];
    if (item !== undefined) {
      values.push(unquoted(withoutComment(item)));
    } else if (withoutComment(line) !== '') {
      break;
    }
  }
  return values;
}

/** A list in brackets may go on in the next lines. */
function inBrackets(first: string, next: readonly string[]): string[] {
  let text = first;
  for (const line of next.slice(0, mostNames)) {
    if (text.includes(']')) {
      break;
    }
    text += ` ${withoutComment(line)}`;
  }
  const end = text.indexOf(']');
  const items = text.slice(1, end < 0 ? 1 : end).split(',');
  return items.map((item) => unquoted(item.trim())).filter((item) => item !== '');
}

const withoutComment = (text: string): string => text.replace(/(^|\s)#.*$/, '').trim();

function unquoted(text: string): string {
  const [, , inside] = /^(["'])(.*)\1$/.exec(text) ?? [];
  return inside ?? text;
}
