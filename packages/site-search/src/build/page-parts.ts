// Divides a page into parts: each is stored as one text and found by one vector.
import type { PartSection, PartText } from '../shared/part-text.ts';
import { languageCode } from '../shared/stems.ts';
import type { CutPassage } from './cut-passages.ts';
import { type PageSection, sectionText } from './html/page-content.ts';
import type { SitePage } from './page-reader.ts';
import type { PartWords } from './writing/word-index.ts';

/** Tokens of a part, about. Fewer parts need fewer vectors; shorter ones need fewer bytes for a result. */
export const partTokens = 256;
/** The first passage says what the page is about: its words count so many times as often. */
const leadWeight = 2;

export interface PagePart {
  readonly text: PartText;
  readonly words: PartWords;
  /** Names of what the part describes. */
  readonly symbols: readonly string[];
}

export function pageParts(page: SitePage, passages: readonly CutPassage[]): PagePart[] {
  const parts: PagePart[] = [];
  // Made once: parts of one long section would each keep a copy of all of it.
  const texts = page.content.sections.map(sectionText);
  let first = 0;
  for (const end of partEnds(passages)) {
    parts.push(partOf(page, texts, passages, first, end));
    first = end;
  }
  return parts;
}

/** Where parts end, so that those of a page are about as long as each other. */
function partEnds(passages: readonly CutPassage[]): number[] {
  const all = passages.reduce((sum, { tokens }) => sum + tokens, 0);
  const count = Math.max(1, Math.round(all / partTokens));
  const ends: number[] = [];
  let sum = 0;
  passages.forEach(({ tokens }, i) => {
    sum += tokens;
    if (i + 1 === passages.length || sum * count >= all * (ends.length + 1)) {
      ends.push(i + 1);
    }
  });
  return ends;
}

function partOf(
  { url, content }: SitePage,
  texts: readonly string[],
  all: readonly CutPassage[],
  first: number,
  next: number,
): PagePart {
  const { title, language: tag, description, filters } = content;
  const passages = all.slice(first, next);
  const language = languageCode(tag || 'en');
  // Headings without a text of their own belong to the part of the next text.
  const from = first === 0 ? 0 : (all[first - 1]?.section ?? 0) + 1;
  const begin = Math.min(from, passages[0]?.section ?? 0);
  const isLast = next === all.length;
  const end = isLast ? content.sections.length : (passages.at(-1)?.section ?? 0) + 1;
  const pieces = content.sections.slice(begin, end).map((section, i) => {
    const own = passages.filter((passage) => passage.section === begin + i);
    return pieceOf(section.anchor, section.heading, texts[begin + i] ?? '', own);
  });
  const places = passages.map(({ section, start, end: stop }) => {
    const cut = pieces[section - begin]?.start ?? 0;
    return [section - begin, start - cut, stop - cut] as const;
  });
  const sections = pieces.map(({ section }) => section);
  const text: PartText = {
    url,
    title,
    language,
    ...(description && first === 0 && { description }),
    sections,
    passages: places,
    filters,
  };
  const symbols = content.sections.slice(begin, end).flatMap((section, i) =>
    symbolsIn(
      section,
      passages.filter((one) => one.section === begin + i),
    ),
  );
  return { text, words: wordsOf(text, passages, first === 0), symbols };
}

/** The names of the blocks that begin in these passages of the section. */
function symbolsIn({ blocks }: PageSection, passages: readonly CutPassage[]): string[] {
  const start = passages[0]?.start ?? 0;
  const end = passages.at(-1)?.end ?? 0;
  let next = 0;
  return blocks.flatMap(({ text, symbol }) => {
    const at = next;
    next += text.length + 1;
    return symbol !== undefined && start <= at && at < end ? [symbol] : [];
  });
}

interface Piece {
  readonly section: PartSection;
  /** Where it begins in its section. */
  readonly start: number;
}

/** The text of a section from the first of the passages to the end of the last. */
function pieceOf(
  anchor: string,
  heading: string,
  text: string,
  passages: readonly CutPassage[],
): Piece {
  const start = passages[0]?.start ?? 0;
  const end = passages.at(-1)?.end ?? 0;
  return { section: { anchor, heading, text: text.slice(start, end) }, start };
}

function wordsOf(
  { title, language, sections, passages }: PartText,
  cut: readonly CutPassage[],
  isFirst: boolean,
): PartWords {
  const texts = passages.map(([section, start, end], i) => ({
    text: sections[section]?.text.slice(start, end) ?? '',
    weight: (cut[i]?.weight ?? 1) * (isFirst && i === 0 ? leadWeight : 1),
  }));
  return {
    language,
    ...(isFirst && { title }),
    headings: sections.map(({ heading }) => heading),
    texts,
  };
}
