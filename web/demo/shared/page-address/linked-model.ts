// The model that a link names: an address, a name at the hub, or a path of the site. Works without a page.

import { hubNameOf } from '../files/given-address.ts';
import type { Parameter } from './parameters.ts';

const maxLength = 2000;

/** The address of a model as the link has it. `linkedModel` says what it is. */
export const modelUrl: Parameter<string> = {
  name: 'url',
  absent: '',
  // One character more than allowed, so that a cut address is refused and not opened.
  read: ([first = '']) => first.trim().slice(0, maxLength + 1),
  write: (value) => (value === '' ? [] : [value]),
};

/** The address of a file that the model needs beside it. */
export const besideUrl = (name: string): Parameter<string> => ({ ...modelUrl, name });

/** The address to open, or why the page does not open it. */
type LinkedModel =
  | { readonly address: string; readonly problem?: never }
  | { readonly address?: never; readonly problem: string };

const allowed = 'A model’s address begins with https:, http: or hf:, or is a path of this site.';

/** `site` is the address of the site's first page. Null if the link names no model. */
export function linkedModel(url: string, site: URL): LinkedModel | null {
  if (url === '') {
    return null;
  }
  if (url.length > maxLength) {
    return { problem: 'The address of the model in this link is too long. Ask for another link.' };
  }
  if (/^hf:/i.test(url)) {
    // The package knows which names the hub can have.
    return { address: `hf:${url.slice(3)}` };
  }
  if (!URL.canParse(url, site)) {
    return { problem: `The address of the model in this link is not valid. ${allowed}` };
  }
  const parsed = new URL(url, site);
  const name = hubNameOf(parsed.href);
  if (name !== null) {
    return { address: name };
  }
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') {
    return { problem: `A link cannot open a ${parsed.protocol} address. ${allowed}` };
  }
  if (parsed.username !== '' || parsed.password !== '') {
    const problem = 'The address in this link has a user name or a password, which is not sent.';
    return { problem };
  }
  return { address: parsed.href };
}

/** The address as links have it: a path where the model is part of the site. */
export function asLinked(address: string, site: URL): string {
  return address.startsWith(site.href) ? address.slice(site.href.length) : address;
}

/** What the page contacts for the model and for the file beside it, in words. Empty if both are of the site. */
export function contactLine(address: string, site: URL, beside = ''): string {
  if (address.startsWith('hf:')) {
    return `This link opens ${address.slice(3)} from Hugging Face’s hub. The page contacts only the hub.`;
  }
  const others = [address, beside]
    .filter((text) => text !== '')
    .map((text) => new URL(text))
    .filter(({ origin }) => origin !== site.origin);
  const [first] = others;
  return first === undefined
    ? ''
    : `This link opens a model from ${first.host}. The page contacts only ${others.map(({ href }) => href).join(' and ')}`;
}
