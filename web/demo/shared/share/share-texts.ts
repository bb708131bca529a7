// What the buttons of share-view.ts copy. A page loads this, and what makes its own texts, with the first use.

import { button, element } from '../dom/dom.ts';
import { saveFile } from '../files/save-file.ts';
import { copyText } from './copy-text.ts';
import type { Snippet } from './snippets.ts';

/** The forms in which a page gives its results. */
export type Form = 'Markdown' | 'CSV' | 'JSON';

/** The link to what the page shows. */
export interface ShareLink {
  readonly url: string;
  /** What the link does not hold. Empty for nothing. */
  readonly without: string;
}

/** The results that can be copied now. */
export interface ShareResults {
  /** “8 passages” */
  readonly what: string;
  /** The name of the file that is saved where the page may not copy; without its extension. */
  readonly fileName: string;
  readonly texts: Readonly<Partial<Record<Form, () => string>>>;
}

type MakeLink = () => ShareLink | string | Promise<ShareLink | string>;

export interface ShareTexts {
  /** A text where there is no link, which says why. */
  readonly link: MakeLink;
  /** A second link, with more in it. */
  readonly fullLink?: MakeLink;
  readonly results?: () => ShareResults | null;
  readonly snippets?: () => readonly Snippet[];
}

/** A text to copy, and what follows. */
export interface Copy {
  /** Null if there is nothing to copy. */
  readonly text: string | null;
  /** Returns what the page says. */
  readonly after: (copied: boolean) => string;
}

const types = {
  Markdown: ['md', 'text/markdown'],
  CSV: ['csv', 'text/csv'],
  JSON: ['json', 'application/json'],
} as const;

export async function linkCopy(link: MakeLink): Promise<Copy> {
  const found = await link();
  if (typeof found === 'string') {
    return { text: null, after: () => found };
  }
  const { url, without } = found;
  return {
    text: url,
    after: (copied) =>
      copied
        ? `Copied the link. ${without}`.trim()
        : `The page may not copy here. The link is ${url}`,
  };
}

/** Saves the text as a file if the page may not write to the clipboard. */
export function resultsCopy({ results }: ShareTexts, form: Form): Copy {
  const found = results?.() ?? null;
  const text = found?.texts[form]?.();
  if (found === null || text === undefined) {
    return { text: null, after: () => 'There are no results yet.' };
  }
  const [extension, type] = types[form];
  const name = `${found.fileName}.${extension}`;
  return {
    text,
    after(copied) {
      if (copied) {
        return `Copied ${found.what} as ${form}.`;
      }
      saveFile(new Blob([text], { type }), name);
      return `The page may not copy here. It saved ${found.what} as ${name} instead.`;
    },
  };
}

/** A program with its title and a button that copies it. */
export function snippetView(
  { title, code }: Snippet,
  notify: (notice: string) => void,
): readonly HTMLElement[] {
  const program = element('pre', 'snippet', element('code', '', code));
  program.tabIndex = 0;
  program.setAttribute('role', 'region');
  program.setAttribute('aria-label', title);
  const copy = button('Copy code', 'quiet', async () => {
    notify(
      (await copyText(code))
        ? 'Copied the code.'
        : 'The page may not copy here. Select the code instead.',
    );
  });
  return [element('p', 'snippet-title', title, copy), program];
}
