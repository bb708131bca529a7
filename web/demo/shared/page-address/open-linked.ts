// Opens the model that the page's link names, and says on the page what is contacted for it.

import { byId, element } from '../dom/dom.ts';
import type { Failure } from '../jobs/jobs.ts';
import { siteRoot } from '../site/site-root.ts';
import { asLinked, contactLine, linkedModel } from './linked-model.ts';

interface ModelPage {
  open(address: string, beside: string): Promise<void>;
  /** Opens what the page shows without a model in the link. */
  openBuiltIn(): Promise<void>;
  fail(failure: Failure): void;
}

const noteId = 'link-contact';
/** The model that the note is about. */
let noted = '';

function showContact(line: string, address = ''): void {
  noted = address;
  document.getElementById(noteId)?.remove();
  if (line !== '') {
    const note = element('p', 'note link-contact', line);
    note.id = noteId;
    byId('status', HTMLElement).after(note);
  }
}

/** Opens the model with this `url` of a link. It may have a file `beside` it. */
export async function openLinked(url: string, page: ModelPage, beside = ''): Promise<void> {
  const site = siteRoot();
  const model = linkedModel(url, site);
  const file = linkedModel(beside, site);
  const problem = model?.problem ?? file?.problem;
  showContact('');
  if (model?.address !== undefined && problem === undefined) {
    const address = file?.address ?? '';
    showContact(contactLine(model.address, site, address), model.address);
    await page.open(model.address, address);
    return;
  }
  await page.openBuiltIn();
  if (problem !== undefined) {
    const error = new Error(problem);
    page.fail({ title: 'The model of this link was not opened', error });
  }
}

/** The `url` of a link to this model. Empty for a built-in model and for a local file. */
export function urlInLink(source: unknown): string {
  return typeof source === 'string' ? asLinked(source, siteRoot()) : '';
}

/** The address that a link's `url` stands for. Empty if it stands for none. */
export const addressOf = (url: string): string => linkedModel(url, siteRoot())?.address ?? '';

/** Takes the note away when the page has another model than the link's. */
export function forgetContact(source: unknown): void {
  if (source !== noted) {
    showContact('');
  }
}
