// Makes a site of many pages for the benchmark: of subjects with words of their own, drawn from the words of this
// repository's pages as often as they occur there. Equal arguments give equal pages.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { sectionText } from '../../../packages/site-search/src/build/html/page-content.ts';
import { readPage } from '../../../packages/site-search/src/build/html/read-page.ts';
import { sitePages } from '../../../packages/site-search/src/build/site-files.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const sectionsOfPage = 4;
const sentencesOfSection = 6;
const wordsOfSubject = 60;
/** One of so many words is of the subject. */
const subjectShare = 0.45;

export interface SyntheticPage {
  readonly path: string;
  readonly title: string;
  readonly sections: readonly { readonly heading: string; readonly text: string }[];
}

/** A generator of numbers from 0 to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function* syntheticPages(count: number, seed = 1): Generator<SyntheticPage> {
  const random = randomOf(seed);
  const words = repositoryWords();
  const common = words.slice(0, 400);
  const rare = [...new Set(words)].slice(100);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const subjects = Array.from({ length: Math.ceil(count / 25) }, () =>
    Array.from({ length: wordsOfSubject }, () => pick(rare)),
  );
  for (let i = 0; i < count; i++) {
    const subject = subjects[Math.floor(i / 25)] as string[];
    const other = pick(subjects);
    const word = () => {
      if (random() >= subjectShare) {
        return pick(common);
      }
      // The first words of a subject are the most frequent.
      const list = random() < 0.85 ? subject : other;
      return list[Math.floor(list.length * random() ** 2)] as string;
    };
    const sentence = () =>
      capital(Array.from({ length: 8 + Math.floor(random() * 9) }, word).join(' '));
    const title = capital([pick(subject), pick(subject), String(i)].join(' '));
    const sections = Array.from({ length: sectionsOfPage }, () => ({
      heading: capital(Array.from({ length: 3 }, () => pick(subject)).join(' ')),
      text: Array.from({ length: sentencesOfSection }, () => `${sentence()}.`).join(' '),
    }));
    yield { path: `s${Math.floor(i / 25)}/page-${i}.html`, title, sections };
  }
}

/** Pages of texts, a paragraph a line: for a site of real sentences. */
export function* pagesOfTexts(file: string, count: number): Generator<SyntheticPage> {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.length > 60);
  const size = 8;
  for (let i = 0; i < count && (i + 1) * size <= lines.length; i++) {
    const own = lines.slice(i * size, (i + 1) * size);
    const sections = [0, 2, 4, 6].map((at) => {
      const heading = (own[at] as string).split(/\s+/).slice(0, 5).join(' ');
      return { heading, text: own.slice(at, at + 2).join('\n') };
    });
    yield {
      path: `p${Math.floor(i / 100)}/page-${i}.html`,
      title: sections[0]?.heading ?? '',
      sections,
    };
  }
}

/** The pages of a built site that have sentences. */
export async function pagesOfSite(folder: string): Promise<SyntheticPage[]> {
  const pages: SyntheticPage[] = [];
  for (const path of await sitePages(folder, '')) {
    const html = readFileSync(join(folder, path), 'utf8');
    const content = readPage(html, path);
    const sections = content.sections
      .map((section) => ({ heading: section.heading || content.title, text: sectionText(section) }))
      .filter(({ heading, text }) => heading !== '' && text.split(/\s+/).length > 12);
    if (sections.length > 0) {
      pages.push({ path, title: content.title, sections });
    }
  }
  return pages;
}

/** Writes the pages as HTML. Returns how many there are. */
export function writeSite(folder: string, pages: Iterable<SyntheticPage>): number {
  let count = 0;
  for (const { path, title, sections } of pages) {
    const parts = sections.map(
      ({ heading, text }, i) => `<h2 id="s${i}">${escaped(heading)}</h2><p>${escaped(text)}</p>`,
    );
    const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body><nav>Home Docs Blog</nav><main><h1>${escaped(title)}</h1>${parts.join('\n')}</main></body></html>`;
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, html);
    count++;
  }
  return count;
}

/** All words of the Markdown in the repository, the most frequent first, each as often as the root of its frequency. */
function repositoryWords(): string[] {
  const counts = new Map<string, number>();
  for (const folder of [
    '',
    'docs',
    'core/formats/embd',
    'web/src',
    'web/src/passages',
    'web/demo/public/models',
  ]) {
    for (const name of readdirSync(join(root, folder))
      .filter((file) => file.endsWith('.md'))
      .sort()) {
      const text = readFileSync(join(root, folder, name), 'utf8').toLowerCase();
      for (const [word] of text.matchAll(/[a-z]{2,16}/g)) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
      }
    }
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return sorted.flatMap(([word, frequency]) =>
    new Array<string>(Math.ceil(Math.sqrt(frequency))).fill(word),
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
