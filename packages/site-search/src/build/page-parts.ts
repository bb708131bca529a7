// Divides a page into parts of some passages each, as they are stored.
import { type PartSection, type PartText, partPassages } from '../shared/part-text.ts';
import { languageCode } from '../shared/stems.ts';
import type { CutPassage } from './cut-passages.ts';
import { sectionText } from './page-content.ts';
import type { SitePage } from './page-reader.ts';
import type { PartWords } from './word-index.ts';

export interface PagePart {
  readonly text: PartText;
  readonly words: PartWords;
  /** The first of its passages, among those of the page. */
  readonly first: number;
}

export function pageParts(page: SitePage, passages: readonly CutPassage[]): PagePart[] {
  const parts: PagePart[] = [];
  // Made once: parts of one long section would each keep a copy of all of it.
  const texts = page.content.sections.map(sectionText);
  for (let first = 0; first < passages.length; first += partPassages) {
    parts.push(partOf(page, texts, passages, first));
  }
  return parts;
}

function partOf(
  { url, content }: SitePage,
  texts: readonly string[],
  all: readonly CutPassage[],
  first: number,
): PagePart {
  const { title, language: tag, description, filters } = content;
  const passages = all.slice(first, first + partPassages);
  const language = languageCode(tag || 'en');
  // Headings without a text of their own belong to the part of the next text.
  const from = first === 0 ? 0 : (all[first - 1]?.section ?? 0) + 1;
  const begin = Math.min(from, passages[0]?.section ?? 0);
  const isLast = first + partPassages >= all.length;
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
  return { text, words: wordsOf(text, passages), first };
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
): PartWords {
  const texts = passages.map(([section, start, end], i) => ({
    text: sections[section]?.text.slice(start, end) ?? '',
    weight: cut[i]?.weight ?? 1,
  }));
  const isFirst = cut[0]?.section === 0 && cut[0]?.start === 0;
  return {
    language,
    ...(isFirst && { title }),
    headings: sections.map(({ heading }) => heading),
    texts,
  };
}
