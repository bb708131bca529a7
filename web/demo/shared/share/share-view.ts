// The buttons that copy the link and the results of a page, and the fold with programs that give the same results.

import { button, element } from '../dom.ts';
import { saveFile } from '../files/save-file.ts';
import { copyText } from './copy-text.ts';
import type { Snippet } from './snippets.ts';

/** The link to what the page shows. */
export interface ShareLink {
  readonly url: string;
  /** What the link does not hold. Empty for nothing. */
  readonly without: string;
}

/** The texts of the results in a form. */
export interface ShareText {
  readonly form: 'Markdown' | 'CSV' | 'JSON';
  readonly text: () => string;
}

/** The results that can be copied now. */
export interface ShareResults {
  /** “8 passages” */
  readonly what: string;
  /** The name of the file that is saved where the page may not copy; without its extension. */
  readonly fileName: string;
  readonly texts: readonly ShareText[];
}

export interface Share {
  /** A text where there is no link, which says why. */
  readonly link: () => ShareLink | string | Promise<ShareLink | string>;
  readonly results?: () => ShareResults | null;
  readonly snippets?: () => readonly Snippet[];
  readonly notify: (notice: string) => void;
}

const types = {
  Markdown: ['md', 'text/markdown'],
  CSV: ['csv', 'text/csv'],
  JSON: ['json', 'application/json'],
} as const;
const forms = ['Markdown', 'CSV', 'JSON'] as const;

async function copyLink({ link, notify }: Share): Promise<void> {
  const found = await link();
  if (typeof found === 'string') {
    notify(found);
  } else if (await copyText(found.url)) {
    notify(`Copied the link.${found.without === '' ? '' : ` ${found.without}`}`);
  } else {
    notify(`The page may not copy here. The link is ${found.url}`);
  }
}

/** Saves the text as a file if the page may not write to the clipboard. */
async function copyResults(
  { results, notify }: Share,
  form: (typeof forms)[number],
): Promise<void> {
  const found = results?.() ?? null;
  const text = found?.texts.find((one) => one.form === form)?.text();
  if (found === null || text === undefined) {
    return;
  }
  if (await copyText(text)) {
    notify(`Copied ${found.what} as ${form}.`);
    return;
  }
  const [extension, type] = types[form];
  const name = `${found.fileName}.${extension}`;
  saveFile(new Blob([text], { type }), name);
  notify(`The page may not copy here. It saved ${found.what} as ${name} instead.`);
}

function snippetView({ title, code }: Snippet, notify: Share['notify']): readonly HTMLElement[] {
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

/** The fold makes its programs when it is opened, and again when the results change. */
function snippetsFold(snippets: NonNullable<Share['snippets']>, notify: Share['notify']) {
  const body = element('div', 'snippets');
  const fold = element(
    'details',
    'fold share-fold',
    element('summary', '', 'Use this in your page'),
    body,
  );
  const fill = (): void => {
    if (fold.open) {
      body.replaceChildren(...snippets().flatMap((snippet) => snippetView(snippet, notify)));
    }
  };
  fold.addEventListener('toggle', fill);
  return { fold, fill };
}

/** Fills `host`. Call the returned function when the results have changed. */
export function mountShare(host: HTMLElement, share: Share): () => void {
  const offered = forms.filter((form) => share.results !== undefined && form in types);
  const copies = offered.map((form) =>
    button(`Copy as ${form}`, 'quiet', () => void copyResults(share, form)),
  );
  const buttons = [button('Copy link', 'quiet', () => void copyLink(share)), ...copies];
  const snippets = share.snippets && snippetsFold(share.snippets, share.notify);
  host.classList.add('share');
  host.append(element('div', 'actions', ...buttons), ...(snippets ? [snippets.fold] : []));
  return () => {
    const found = share.results?.() ?? null;
    copies.forEach((copy, i) => {
      copy.hidden = found?.texts.every(({ form }) => form !== offered[i]) ?? true;
    });
    snippets?.fill();
  };
}
