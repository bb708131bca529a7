// Reads the files out of the hub's two lists. All that they say is checked: it comes from the network.
import { badList, tooLarge } from './hub-error.ts';
import { faultOf } from './hub-name.ts';
import type { HubRequests } from './hub-request.ts';

const mostFiles = 100_000;
/** Pages have 1000 files or fewer. A server may send pages without files for ever. */
const mostPages = 250;

/** What a list says of a file. */
export interface Listed {
  readonly path: string;
  readonly size: number | undefined;
  /** Known for large files. */
  readonly sha256: string | undefined;
}

/** The files in the answer of the revision's route. Undefined if it has none. */
export function siblingsIn(value: unknown, url: string): Listed[] | undefined {
  const { siblings } = (value ?? {}) as { readonly siblings?: unknown };
  if (siblings === undefined || siblings === null) {
    return undefined;
  }
  const list = arrayIn(siblings, url);
  return list.map((entry, i) => listed(entry, 'rfilename', 'sha256', `siblings[${i}]`, url));
}

/** The files of the tree's route, which comes in pages. Undefined if the server does not have this route. */
export async function treeOf(requests: HubRequests, first: string): Promise<Listed[] | undefined> {
  const files: Listed[] = [];
  let url: string | undefined = first;
  for (let page = 0; url !== undefined; page++) {
    if (page === mostPages) {
      throw tooLarge(first, `${mostPages} pages`);
    }
    const { response, value } = await requests.get(url);
    if (!response.ok && page === 0) {
      return undefined;
    }
    if (!response.ok) {
      throw badList(url, `the next page came with the status ${response.status}`);
    }
    for (const [i, entry] of arrayIn(value, url).entries()) {
      if ((entry as { readonly type?: unknown } | null)?.type === 'directory') {
        continue;
      }
      files.push(listed(entry, 'path', 'oid', `[${i}]`, url));
    }
    if (files.length > mostFiles) {
      throw tooLarge(first, `${mostFiles} files`);
    }
    url = nextPage(response.headers.get('link'), url);
  }
  return files;
}

function arrayIn(value: unknown, url: string): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw badList(url, 'it is not a list');
  }
  if (value.length > mostFiles) {
    throw tooLarge(url, `${mostFiles} files`);
  }
  return value;
}

function listed(
  entry: unknown,
  pathName: 'rfilename' | 'path',
  hashName: 'sha256' | 'oid',
  place: string,
  url: string,
): Listed {
  const facts = (entry ?? {}) as { readonly size?: unknown; readonly lfs?: unknown };
  const path = (facts as Readonly<Record<string, unknown>>)[pathName];
  if (typeof path !== 'string') {
    throw badList(url, `an entry has no path`, `${place}.${pathName}`);
  }
  const fault = faultOf(path);
  if (fault !== undefined) {
    const shown = JSON.stringify(path.slice(0, 200));
    throw badList(url, `it has the path ${shown}, and ${fault}`, `${place}.${pathName}`);
  }
  const lfs = (facts.lfs ?? {}) as Readonly<Record<string, unknown>>;
  const hash = lfs[hashName];
  const isHash = typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash);
  return { path, size: sizeIn(facts.size), sha256: isHash ? hash : undefined };
}

function sizeIn(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

/** The address of the next page: `<https://…>; rel="next"`. */
function nextPage(header: string | null, url: string): string | undefined {
  const match = /<([^>]*)>\s*;[^,<]*\brel="?next"?/i.exec(header ?? '');
  if (!match) {
    return undefined;
  }
  const next = URL.canParse(match[1] ?? '', url) ? new URL(match[1] ?? '', url) : undefined;
  if (next) {
    return next.href;
  }
  throw badList(url, 'the address of its next page is none');
}
