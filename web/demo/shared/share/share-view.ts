// The button "Share" with its menu: copies of the link and of the results of a page, and programs that give the same results. What
// makes the texts is loaded with the first use, or when a pointer or the focus comes near.

import type { Store } from '../base/store.ts';
import { ButtonMenu } from '../dom/button-menu.ts';
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
const use = 'Use this in your page';
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

/** The programs, below the button that shows them. */
function snippetsBox(load: () => Promise<Made>, notify: Share['notify']) {
  const body = element('div', 'snippets');
  const close = button('Close', 'quiet', () => {
    box.hidden = true;
  });
  const box = element('section', 'snippets', element('p', 'snippet-title', use, close), body);
  box.hidden = true;
  box.setAttribute('aria-label', use);
  const fill = async (): Promise<void> => {
    if (box.hidden) {
      return;
    }
    try {
      const [{ snippetView }, { snippets }] = await load();
      body.replaceChildren(...(snippets?.() ?? []).flatMap((one) => snippetView(one, notify)));
    } catch {
      notify(notLoaded);
    }
  };
  const show = async (): Promise<void> => {
    box.hidden = false;
    close.focus({ preventScroll: true });
    await fill();
  };
  return { box, fill, show };
}

/** Fills `host`. Call the returned function when the results have changed. */
export function mountShare(host: HTMLElement, share: Share): () => void {
  const { forms, hasSnippets = false, fullLink, notify } = share;
  const load = loaderOf(share);
  const menu = new ButtonMenu('Share');
  const addCopy = (name: string, find: (made: Made) => Copy | Promise<Copy>): HTMLButtonElement =>
    menu.add(`Copy ${name}`, async () => {
      const found = load().then(find);
      const text = found.then((copy) => copy.text ?? Promise.reject(new Error('Nothing to copy.')));
      const copied = await copyText(text);
      notify(await found.then(({ after }) => after(copied)).catch(() => notLoaded));
    });
  addCopy('link', ([{ linkCopy }, texts]) => linkCopy(texts.link));
  const full =
    fullLink &&
    addCopy(fullLink.name, ([{ linkCopy }, texts]) => linkCopy(texts.fullLink ?? texts.link));
  const copies = (forms === undefined ? [] : allForms).map((form) => ({
    form,
    copy: addCopy(`as ${form}`, ([{ resultsCopy }, texts]) => resultsCopy(texts, form)),
  }));
  const snippets = hasSnippets ? snippetsBox(load, notify) : null;
  host.classList.add('share');
  host.append(menu.element);
  if (snippets !== null) {
    menu.add(use, () => void snippets.show());
    host.append(snippets.box);
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
  /** Whether what is shown can be shared at all. By default it can. */
  readonly offered?: (state: State) => boolean;
}

/** Mounts the button that shares a part of what the page shows, with programs. */
export function mountSharedPart<State extends PageState>(
  store: Store<State>,
  { host = 'share', load, forms, fields, offered = () => true }: SharedPart<State>,
): void {
  const box = byId(host, HTMLElement);
  const update = mountShare(box, {
    load,
    forms: () => forms(store.state),
    hasSnippets: true,
    notify: (notice) => store.update({ notice } as Partial<State>),
  });
  store.watch(fields, (state) => {
    box.hidden = !offered(state);
    update();
  });
}
