// What the page says of an answer: how sure the model is, and the place in the passage. Works without a page.

const certainties: readonly (readonly [least: number, words: string])[] = [
  [0.8, 'The model is very sure.'],
  [0.5, 'The model is fairly sure.'],
  [0.2, 'The model is not sure.'],
  [0, 'This is no more than a guess.'],
];

/** How sure the model is, in words. */
export function certaintyOf(score: number): string {
  return certainties.find(([least]) => score >= least)?.[1] ?? '';
}

export interface Excerpt {
  readonly before: string;
  readonly answer: string;
  readonly after: string;
}

/** So much of the passage is shown on each side of the answer. */
const room = 120;

/** The answer with the words around it. A cut is at a space where there is one, and has an ellipsis. */
export function excerptOf(passage: string, start: number, end: number): Excerpt {
  const before = passage.slice(0, start);
  const after = passage.slice(end);
  return {
    before: before.length <= room ? before : `… ${lastWords(before)}`,
    answer: passage.slice(start, end),
    after: after.length <= room ? after : `${firstWords(after)} …`,
  };
}

function lastWords(text: string): string {
  const cut = wellFormed(text.slice(-room));
  const space = cut.search(/\s/);
  return space < 0 ? cut : cut.slice(space).trimStart();
}

function firstWords(text: string): string {
  const cut = wellFormed(text.slice(0, room));
  const space = cut.search(/\s\S*$/);
  return space <= 0 ? cut : cut.slice(0, space);
}

/** Without half of a character at either end. */
const wellFormed = (text: string): string => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
