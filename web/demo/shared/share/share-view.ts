// The buttons that copy the link and the results of a page, and the fold with programs that give the same results. What makes the
// texts is loaded with the first use, or when a pointer or the focus comes near.

import type { Store } from '../base/store.ts';
import { button, byId, element } from '../dom/dom.ts';
import type { PageState } from '../jobs/jobs.ts';
import { copyText } from './copy-text.ts';
import type { Copy, Form, ShareTexts } from './share-texts.ts';

interface Share {
  readonly load: () => Promise<ShareTexts>;
  /** The forms in which the results can be copied now. */
  readonly forms?: () => readonly Form[];
  readonly hasSnippets?: boolean;
  /** The second link: “link to this conversation”, and whether there is one now. */
  readonly fullLink?: { readonly name: string; readonly isOffered: () => boolean };
  readonly notify: (notice: string) => void;
}

export const allForms: readonly Form[] = ['Markdown', 'CSV', 'JSON'];
const notLoaded =
  'A part of this page could not be loaded. Check the network, and reload the page.';

type Made = readonly [typeof import('./share-texts.ts'), ShareTexts];

/** Loads the code once. What fails to load is tried again at the next use, where the browser allows that. */
function loaderOf({ load }: Share): () => Promise<Made> {
  let loading: Promise<Made> | null = null;
  return () => {
    loading ??= Promise.all([import('./share-texts.ts'), load()]);
    loading.catch(() => {
      loading = null;
    });
    return loading;
  };
}

function snippetsFold(load: () => Promise<Made>, notify: Share['notify']) {
  const body = element('div', 'snippets');
  const fold = element(
    'details',
    'fold share-fold',
    element('summary', '', 'Use this in your page'),
    body,
  );
  const fill = async (): Promise<void> => {
    if (!fold.open) {
      return;
    }
    try {
      const [{ snippetView }, { snippets }] = await load();
      body.replaceChildren(...(snippets?.() ?? []).flatMap((one) => snippetView(one, notify)));
    } catch {
      notify(notLoaded);
    }
  };
  fold.addEventListener('toggle', fill);
  return { fold, fill };
}

/** Fills `host`. Call the returned function when the results have changed. */
export function mountShare(host: HTMLElement, share: Share): () => void {
  const { forms, hasSnippets = false, fullLink, notify } = share;
  const load = loaderOf(share);
  const copyButton = (name: string, find: (made: Made) => Copy | Promise<Copy>) =>
    button(`Copy ${name}`, 'quiet', async () => {
      const found = load().then(find);
      const text = found.then((copy) => copy.text ?? Promise.reject(new Error('Nothing to copy.')));
      const copied = await copyText(text);
      notify(await found.then(({ after }) => after(copied)).catch(() => notLoaded));
    });
  const link = copyButton('link', ([{ linkCopy }, texts]) => linkCopy(texts.link));
  const full =
    fullLink &&
    copyButton(fullLink.name, ([{ linkCopy }, texts]) => linkCopy(texts.fullLink ?? texts.link));
  const copies = (forms === undefined ? [] : allForms).map((form) => ({
    form,
    copy: copyButton(`as ${form}`, ([{ resultsCopy }, texts]) => resultsCopy(texts, form)),
  }));
  const snippets = hasSnippets ? snippetsFold(load, notify) : null;
  host.classList.add('share');
  host.append(
    element('div', 'actions', link, ...(full ? [full] : []), ...copies.map(({ copy }) => copy)),
  );
  if (snippets !== null) {
    host.append(snippets.fold);
  }
  for (const type of ['pointerenter', 'focusin']) {
    host.addEventListener(type, () => void load().catch(() => undefined));
  }
  return () => {
    const now = forms?.() ?? [];
    if (full) {
      full.hidden = !fullLink.isOffered();
    }
    for (const { form, copy } of copies) {
      copy.hidden = !now.includes(form);
    }
    void snippets?.fill();
  };
}

interface SharedPart<State> {
  /** The element that the buttons are put into. By default it is `share`. */
  readonly host?: string;
  /** Loads what makes the texts. */
  readonly load: Share['load'];
  /** The forms in which the results can be copied now. */
  readonly forms: (state: State) => readonly Form[];
  /** The fields whose changes change what is shared. */
  readonly fields: readonly (keyof State)[];
}

/** Mounts the buttons that share a part of what the page shows, with programs. */
export function mountSharedPart<State extends PageState>(
  store: Store<State>,
  { host = 'share', load, forms, fields }: SharedPart<State>,
): void {
  const update = mountShare(byId(host, HTMLElement), {
    load,
    forms: () => forms(store.state),
    hasSnippets: true,
    notify: (notice) => store.update({ notice } as Partial<State>),
  });
  store.watch(fields, update);
}
