// Cuts the sections of a page into passages that are short enough for a vector each. Cuts are between paragraphs where
// possible, else between sentences, else between words.
import { checkLimit } from '../shared/limits.ts';
import type { PageContent, PageSection } from './html/page-content.ts';

/** Tokens of a passage, with the heading that is embedded before it. */
export const passageTokens = 128;
/** A paragraph begins a new passage if the one before has so many tokens. */
const enoughTokens = passageTokens / 2;

type CountTokens = (texts: readonly string[]) => Promise<ArrayLike<number>>;

/** A passage: `[start, end)` of the text of a section. */
export interface CutPassage {
  readonly section: number;
  readonly start: number;
  readonly end: number;
  readonly weight: number;
  /** With those of the heading that is embedded before it. */
  readonly tokens: number;
}

/** A sentence, or a piece of one that is too long. */
interface Unit {
  readonly section: number;
  readonly start: number;
  readonly end: number;
  readonly weight: number;
  /** Whether the unit is the first of its paragraph. */
  readonly isFirst: boolean;
  readonly text: string;
}

/** Characters of a sentence before it is divided. Most texts have more tokens than a passage in so many. */
const mostLength = 768;
/** Characters of a passage, however few tokens they have. */
const mostPassage = 4096;
/** Sentences are looked for in so many characters at a time. */
const mostSegmented = 1 << 20;

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

export async function cutPassages(
  { title, sections }: PageContent,
  count: CountTokens,
  path: string,
): Promise<CutPassage[]> {
  const headings = sections.map(({ heading }) => `${heading || title}: `);
  const headingTokens = Array.from(await count(headings));
  const budgets = headingTokens.map((tokens) => Math.max(passageTokens - tokens, enoughTokens));
  const units = sections.flatMap(unitsOf);
  const passages: CutPassage[] = [];
  const sized = await fitted(units, (unit) => budgets[unit.section] as number, count);
  /** The passage that still takes units. It counts the tokens of its text alone. */
  let open: CutPassage | undefined;
  for (const { unit, tokens } of sized) {
    const budget = budgets[unit.section] as number;
    if (open && joins(open, unit, tokens, budget)) {
      open = { ...open, end: unit.end, tokens: open.tokens + tokens };
    } else {
      if (open) {
        passages.push(open);
      }
      const { section, start, end, weight } = unit;
      open = { section, start, end, weight, tokens };
    }
    checkLimit('pagePassages', passages.length, path);
  }
  if (open) {
    passages.push(open);
  }
  return passages.map((passage) => ({
    ...passage,
    tokens: passage.tokens + (headingTokens[passage.section] as number),
  }));
}

function joins(open: CutPassage, unit: Unit, tokens: number, budget: number): boolean {
  if (open.section !== unit.section || open.weight !== unit.weight) {
    return false;
  }
  if (unit.isFirst && open.tokens >= enoughTokens) {
    return false;
  }
  if (unit.end - open.start > mostPassage) {
    return false;
  }
  return open.tokens + tokens <= budget;
}

function unitsOf(section: PageSection, index: number): Unit[] {
  const units: Unit[] = [];
  let at = 0;
  for (const { text, weight } of section.blocks) {
    for (const { start, end } of piecesOf(text)) {
      const place = { section: index, start: at + start, end: at + end, weight };
      units.push({ ...place, isFirst: start === 0, text: text.slice(start, end) });
    }
    at += text.length + 1;
  }
  return units;
}

/** The sentences of a block. Those that are longer than any passage are divided here, because counting their tokens again
 *  and again would take long. */
function* piecesOf(text: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let from = 0; from < text.length; from += mostSegmented) {
    const part = text.slice(from, from + mostSegmented);
    for (const { segment, index } of sentences.segment(part)) {
      const length = segment.trimEnd().length;
      for (let at = 0; at < length; ) {
        const rest = segment.slice(at, length);
        const cut = rest.length > mostLength ? cutAt(rest, mostLength) : rest.length;
        yield { start: from + index + at, end: from + index + at + cut };
        at += cut;
      }
    }
  }
}

interface SizedUnit {
  readonly unit: Unit;
  readonly tokens: number;
}

/** Halves units until each fits its budget. */
async function fitted(
  units: readonly Unit[],
  budgetOf: (unit: Unit) => number,
  count: CountTokens,
): Promise<SizedUnit[]> {
  const counts = await count(units.map(({ text }) => text));
  const sized = units.map((unit, i) => ({ unit, tokens: counts[i] as number }));
  const isLong = ({ unit, tokens }: SizedUnit) => tokens > budgetOf(unit) && unit.text.length > 1;
  const halves = sized.filter(isLong).flatMap(({ unit }) => halved(unit));
  if (halves.length === 0) {
    return sized;
  }
  const shorter = await fitted(halves, budgetOf, count);
  return [...sized.filter((one) => !isLong(one)), ...shorter].sort(
    (a, b) => a.unit.section - b.unit.section || a.unit.start - b.unit.start,
  );
}

/** Two halves, divided at a space if one is near the middle. */
function halved(unit: Unit): Unit[] {
  const { text, start, end } = unit;
  const at = cutAt(text, text.length >> 1);
  const left = { ...unit, end: start + at, text: text.slice(0, at) };
  const right = { ...unit, start: start + at, end, isFirst: false, text: text.slice(at) };
  return [left, right].filter((half) => half.text !== '');
}

/** Where to cut a text near `middle`: after a space, or at least not in a pair of surrogates. */
function cutAt(text: string, middle: number): number {
  const space = text.lastIndexOf(' ', middle - 1);
  if (space >= middle / 2) {
    return space + 1;
  }
  return /[\udc00-\udfff]/.test(text[middle] ?? '') && middle > 1 ? middle - 1 : middle;
}
