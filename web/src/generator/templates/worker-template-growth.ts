// How much the filters and functions of a template make, known before they make it.
import type { TemplateBudget } from './worker-template-budget.ts';
import type { Value } from './worker-template-environment.ts';

/** A filter with its arguments, and the size of what it filters. */
interface Filtering {
  readonly operand: unknown;
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  readonly items: number;
  readonly levels: number;
}

/** The most characters that a filter adds to the text of its operand. */
export const growths = {
  tojson({ named, items, levels }: Filtering): number {
    const indent = named.get('indent')?.value;
    const separators = named.get('separators')?.value;
    const lengths = Array.isArray(separators) ? separators.map(({ value }) => lengthOf(value)) : [];
    const ofLine = typeof indent === 'number' ? 1 + indent * levels : 0;
    // An item has a line and both separators, and a list has a line at its end.
    return items * (2 * ofLine + lengths.reduce((sum, length) => sum + length, 0));
  },
  join({ operand, args, named }: Filtering): number {
    const separator = args[0] ?? named.get('separator');
    return lengthOf(operand) * lengthOf(separator?.value);
  },
  indent({ operand, args, named }: Filtering): number {
    const width = (args[0] ?? named.get('width'))?.value;
    const lines = typeof operand === 'string' ? countOf(operand, '\n') + 1 : 0;
    return typeof width === 'number' ? lines * width : 0;
  },
};

export function checkReplace(
  text: string,
  [from, to, most]: readonly Value[],
  budget: TemplateBudget,
): void {
  const [old, fresh] = [from?.value, to?.value];
  if (typeof old !== 'string' || typeof fresh !== 'string') {
    return;
  }
  budget.checkReplaced(old.length);
  const given =
    most?.value instanceof Map ? (most.value.get('count') as Value)?.value : most?.value;
  const limit = typeof given === 'number' && given >= 0 ? given : Number.POSITIVE_INFINITY;
  const count = Math.min(limit, old === '' ? text.length + 1 : countOf(text, old));
  budget.checkText(text.length + count * Math.max(0, fresh.length - old.length));
}

export function checkSplit(
  text: string,
  [separator]: readonly Value[],
  budget: TemplateBudget,
): void {
  const by = separator?.value;
  if (typeof by === 'string') {
    if (by !== '') {
      budget.checkItems(countOf(text, by));
    }
    return;
  }
  let words = 0;
  for (const _ of text.matchAll(/\S+/g)) {
    budget.checkItems(++words);
  }
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 0;
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    count++;
  }
  return count;
}
