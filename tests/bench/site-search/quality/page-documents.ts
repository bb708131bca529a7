// The sections of the pages, for the engines that index documents and not HTML.

import { sectionText } from '../../../../packages/site-search/src/build/html/page-content.ts';
import { readPage } from '../../../../packages/site-search/src/build/html/read-page.ts';
import type { DocPage } from './markdown-site.ts';

export interface SectionDocument {
  readonly heading: string;
  readonly text: string;
}

export interface PageDocuments {
  readonly path: string;
  readonly title: string;
  readonly sections: readonly SectionDocument[];
  /** Title, headings and text. */
  readonly text: string;
}

export function documentsOf({ path, html }: DocPage): PageDocuments {
  const { title, sections } = readPage(html, path);
  const documents = sections.map((section) => ({
    heading: section.heading,
    text: sectionText(section),
  }));
  const text = [title, ...documents.flatMap((one) => [one.heading, one.text])].join('\n');
  return { path, title, sections: documents, text };
}
