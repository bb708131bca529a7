// Plain text and Markdown to sections of paragraphs, with the lines they begin at.
import { AmbryError } from '../errors.ts';

export interface Paragraph {
  readonly text: string;
  /** The line it begins at, from 1. */
  readonly line: number;
}

export interface Section {
  /** The headings over it, outermost first, joined by ` › `; empty where there are none. */
  readonly heading: string;
  readonly paragraphs: readonly Paragraph[];
}

export function sectionsOf(path: string, type: string, text: string): Section[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (type === '.md' || type === '.markdown') return markdownSections(lines);
  if (type === '.txt' || type === '.text') {
    return [{ heading: '', paragraphs: paragraphsOf(lines, 0) }];
  }
  const message = `No way to split this type of document: ${path}. Known are .txt, .md, .csv, .json and .jsonl.`;
  throw new AmbryError('Unsupported', message);
}

function markdownSections(lines: readonly string[]): Section[] {
  const sections: Section[] = [];
  const headings: string[] = [];
  let begin = endOfFrontMatter(lines);
  let inCode = false;
  const close = (end: number) => {
    const paragraphs = paragraphsOf(lines.slice(begin, end), begin);
    if (paragraphs.length > 0) {
      sections.push({ heading: headings.filter(Boolean).join(' › '), paragraphs });
    }
  };
  for (let i = begin; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (/^\s*(```|~~~)/.test(line)) inCode = !inCode;
    const heading = inCode ? null : /^(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line);
    if (!heading) continue;
    close(i);
    const level = heading[1]?.length ?? 1;
    headings.length = level - 1;
    headings[level - 1] = heading[2] ?? '';
    begin = i + 1;
  }
  close(lines.length);
  return sections;
}

function endOfFrontMatter(lines: readonly string[]): number {
  if (lines[0]?.trim() !== '---') return 0;
  const end = lines.indexOf('---', 1);
  return end < 0 ? 0 : end + 1;
}

/** Paragraphs are parted by blank lines; their own line breaks become spaces. */
function paragraphsOf(lines: readonly string[], firstLine: number): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let words: string[] = [];
  let line = 0;
  const close = () => {
    if (words.length > 0) paragraphs.push({ text: words.join(' '), line });
    words = [];
  };
  lines.forEach((raw, i) => {
    const text = raw.trim().replace(/\s+/g, ' ');
    if (text === '') {
      close();
      return;
    }
    if (words.length === 0) line = firstLine + i + 1;
    words.push(text);
  });
  close();
  return paragraphs;
}
