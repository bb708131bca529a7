// What a name such as `hf:owner/name@revision/folder/file` says, and the addresses that it stands for.
import { AmbryError } from '../../base/errors.ts';
import type { HubOptions } from '../base/types.ts';

/** The public hub. It is asked only if the caller writes `hf:`. */
const publicEndpoint = 'https://huggingface.co';
const form = 'hf:owner/name, hf:owner/name@revision or hf:owner/name/file';
const longestPath = 1024;
/** A revision with slashes is one of these, or its slashes are written as %2F. */
const revisionPattern = /^(refs\/(?:pr|convert)\/[^/]+|[^/]+)/;
const identifier = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,95}$/;

/** A name as it was written. */
export interface HubName {
  /** `owner/name` */
  readonly repository: string;
  /** A branch, a tag or a commit; absent if the name has none. */
  readonly revision: string | undefined;
  /** A file or a folder of the repository. */
  readonly path: string | undefined;
}

export function parseHubName(text: string): HubName {
  const match = /^hf:([^/@]+)\/([^/@]+)(?:@(.*)|\/(.*))?$/s.exec(text);
  const [, owner = '', name = '', pinned, unpinned] = match ?? [];
  if (!match || !isIdentifier(owner) || !isIdentifier(name)) {
    throw badName(text);
  }
  const repository = `${owner}/${name}`;
  if (pinned === undefined) {
    return { repository, revision: undefined, path: pathIn(text, unpinned) };
  }
  const [written = ''] = revisionPattern.exec(pinned) ?? [];
  const rest = pinned.slice(written.length);
  return { repository, revision: revisionIn(text, written), path: pathIn(text, rest.slice(1)) };
}

function isIdentifier(text: string): boolean {
  return identifier.test(text) && !text.includes('..');
}

function badName(text: string, why = `Names at the hub are ${form}`): AmbryError {
  const message = `${why}, not ${JSON.stringify(text.slice(0, 200))}.`;
  return new AmbryError('BadValue', message, { path: 'source' });
}

function revisionIn(text: string, written: string): string {
  let revision = '';
  try {
    revision = decodeURIComponent(written);
  } catch {
    // Refused below.
  }
  const problem = revision === '' ? 'it is empty' : faultOf(revision);
  if (problem === undefined) {
    return revision;
  }
  throw badName(text, `The revision cannot be used: ${problem}. Names at the hub are ${form}`);
}

/** The path without a slash at its end. */
function pathIn(text: string, written: string | undefined): string | undefined {
  const path = written?.replace(/\/$/, '');
  if (path === undefined || path === '') {
    return undefined;
  }
  const fault = faultOf(path);
  if (fault === undefined) {
    return path;
  }
  throw badName(text, `The path cannot be used: ${fault}. Names at the hub are ${form}`);
}

/** Why this is no relative path of a file. Undefined if it is one. */
export function faultOf(path: string): string | undefined {
  if (path.length > longestPath) {
    return `it has more than ${longestPath} characters`;
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\u0000-\u001f\u007f-\u009f\\]/.test(path)) {
    return 'it has a control character or a backslash';
  }
  if (/\p{Surrogate}/u.test(path)) {
    return 'it is not valid Unicode';
  }
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    return 'it is absolute, or has an empty part, "." or ".."';
  }
  return undefined;
}

/** The endpoint's URL without a slash at its end. */
export function endpointOf({ endpoint = publicEndpoint }: HubOptions): string {
  const url = URL.canParse(String(endpoint)) ? new URL(endpoint) : undefined;
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
  if (isPlain && /^https?:$/.test(url.protocol)) {
    return url.href.replace(/\/+$/, '');
  }
  const message = `The hub's address is an http(s) URL without a query, such as ${publicEndpoint}, not ${JSON.stringify(String(endpoint))}.`;
  throw new AmbryError('BadValue', message, { path: 'hub.endpoint' });
}

/** The token, which is sent in a header. */
export function tokenOf({ token }: HubOptions): string | undefined {
  if (token === undefined || /^[!-~]+$/.test(token)) {
    return token;
  }
  const message = 'A token has visible ASCII characters only, and is not empty.';
  throw new AmbryError('BadValue', message, { path: 'hub.token' });
}

/** The path as a part of a URL. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
