// Labels of tokens to labelled spans of a text, by the rules of Transformers' pipeline for token classification.
import { best, type Choice, mean, probabilities } from './scores.ts';
import type { LabelledToken } from './token-windows.ts';
import type { Aggregation } from './types.ts';

/** A part of a text with a label. Offsets are UTF-16 units. */
export interface Span {
  readonly label: string;
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

/** The spans of a window. */
export function spansOf(
  tokens: readonly LabelledToken[],
  labels: readonly string[],
  aggregation: Aggregation,
): Span[] {
  if (aggregation === 'none' || aggregation === 'simple') {
    const each = tokens.map((token) => labelled([token], best(token.logits), labels));
    return aggregation === 'none' ? each : joined(each);
  }
  const choose = choices[aggregation];
  return joined(wordsOf(tokens).map((word) => labelled(word, choose(word), labels)));
}

/** How the label of a word follows from its tokens. */
const choices: Readonly<
  Record<Exclude<Aggregation, 'none' | 'simple'>, (word: readonly LabelledToken[]) => Choice>
> = {
  first: ([first]) => best((first as LabelledToken).logits),
  max: (word) =>
    word
      .map(({ logits }) => best(logits))
      .reduce((most, choice) => (choice.score > most.score ? choice : most)),
  average: (word) => {
    const rows = word.map(({ logits }) => probabilities(logits));
    const means = Array.from(rows[0] ?? [], (_, label) => mean(rows.map((row) => row[label] ?? 0)));
    const index = Math.max(0, means.indexOf(Math.max(...means)));
    return { index, score: means[index] ?? 0 };
  },
};

function wordsOf(tokens: readonly LabelledToken[]): LabelledToken[][] {
  const words: LabelledToken[][] = [];
  for (const token of tokens) {
    const word = words.at(-1);
    if (word && token.isSubword) {
      word.push(token);
    } else {
      words.push([token]);
    }
  }
  return words;
}

function labelled(
  tokens: readonly LabelledToken[],
  { index, score }: Choice,
  labels: readonly string[],
): Span {
  const [{ start } = { start: 0 }] = tokens;
  return { label: labels[index] ?? '', start, end: tokens.at(-1)?.end ?? 0, score };
}

/** Joins neighbours with the same label. `B-` begins an entity, even after one of the same label. */
function joined(spans: readonly Span[]): Span[] {
  const groups: Span[][] = [];
  for (const span of spans) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const { begins, tag } = tagOf(span.label);
    if (group && last && !begins && tag === tagOf(last.label).tag) {
      group.push(span);
    } else {
      groups.push([span]);
    }
  }
  return groups.map((group) => {
    const [{ label, start } = { label: '', start: 0 }] = group;
    const score = mean(group.map((span) => span.score));
    return { label: groupLabel(label), start, end: group.at(-1)?.end ?? start, score };
  });
}

function tagOf(label: string): { readonly begins: boolean; readonly tag: string } {
  const begins = label.startsWith('B-');
  return { begins, tag: begins || label.startsWith('I-') ? label.slice(2) : label };
}

/** The label of an entity whose first token has this label: what follows the first hyphen. */
export function groupLabel(label: string): string {
  return label.slice(label.indexOf('-') + 1);
}

/** The spans of all windows of a text as one list. Of two that overlap the longer one stays, and of equally long ones the one
 *  with the higher score. */
export function withoutOverlaps(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  let last: Span | undefined;
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    if (last && last.start <= span.start && span.start < last.end) {
      last = better(last, span);
      continue;
    }
    if (last) {
      kept.push(last);
    }
    last = span;
  }
  return last ? [...kept, last] : kept;
}

function better(last: Span, span: Span): Span {
  const longer = span.end - span.start - (last.end - last.start);
  return longer > 0 || (longer === 0 && span.score > last.score) ? span : last;
}
