// The examples that a caller gives.
import { AmbryError } from '../../base/errors.ts';
import { isObject } from '../../base/kinds.ts';
import { bad } from '../../classification-head/check-inputs.ts';
import { mostLabelLength, mostLabels } from './limits.ts';
import type { ClassifierExample } from './types.ts';

const mostExamples = 100_000;

export interface CheckedExamples {
  /** In the order in which they first appear. */
  readonly labels: readonly string[];
  readonly texts: readonly string[];
  /** The index of each text's label. */
  readonly targets: Int32Array;
}

/** Throws for what is no example. An example that is given again counts once: otherwise it could be learned from and held out
 *  at the same time. */
export function checkExamples(examples: readonly unknown[]): CheckedExamples {
  if (examples.length > mostExamples) {
    const message = `${examples.length} examples are too many: at most ${mostExamples} are allowed.`;
    throw new AmbryError('LimitExceeded', message, { path: 'examples' });
  }
  const indices = new Map<string, number>();
  const seen = new Set<string>();
  const texts: string[] = [];
  const targets: number[] = [];
  for (const [i, given] of examples.entries()) {
    const { text, label } = checkExample(given, `examples[${i}]`);
    const key = `${label}\0${text}`;
    if (seen.has(key)) {
      continue;
    }
    seen.add(key);
    const index = indices.get(label) ?? indices.size;
    indices.set(label, index);
    texts.push(text);
    targets.push(index);
  }
  const labels = [...indices.keys()];
  checkLabels(labels);
  return { labels, texts, targets: Int32Array.from(targets) };
}

function checkExample(given: unknown, path: string): ClassifierExample {
  if (!isObject(given)) {
    throw bad('An example must be an object with a text and a label.', path);
  }
  const { text, label } = given as Partial<Record<keyof ClassifierExample, unknown>>;
  if (typeof text !== 'string' || text.trim() === '') {
    throw bad(`The text must be a string that is not empty${butIs(text)}.`, `${path}.text`);
  }
  if (typeof label !== 'string' || label.trim() === '') {
    throw bad(`The label must be a string that is not empty${butIs(label)}.`, `${path}.label`);
  }
  if (label.length > mostLabelLength) {
    const message = `The label has ${label.length} characters; at most ${mostLabelLength} are allowed.`;
    throw new AmbryError('LimitExceeded', message, { path: `${path}.label` });
  }
  return { text, label };
}

const butIs = (value: unknown): string =>
  typeof value === 'string' ? '' : `, not ${typeof value}`;

function checkLabels(labels: readonly string[]): void {
  if (labels.length > mostLabels) {
    const message = `${labels.length} labels are too many: at most ${mostLabels} are allowed.`;
    throw new AmbryError('LimitExceeded', message, { path: 'examples' });
  }
  if (labels.length < 2) {
    const have = labels[0] === undefined ? 'There are none' : 'All have the same';
    throw bad(`The examples must have at least two labels. ${have}.`, 'examples');
  }
}
