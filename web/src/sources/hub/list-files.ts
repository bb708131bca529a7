// The files of a repository at one commit. The route of the revision tells the commit, and usually all files. If it does
// not tell their sizes, the route of the tree is asked, too.
import type { JobOptions } from '../../rpc/types.ts';
import type { FetchOptions } from '../base/types.ts';
import { baseInAnswer, type StatedBase } from './card.ts';
import { badList, refusal } from './hub-error.ts';
import { encodedPath, endpointOf, type HubName, tokenOf } from './hub-name.ts';
import { HubRequests } from './hub-request.ts';
import { HubUrl } from './hub-url.ts';
import { type Listed, siblingsIn, treeOf } from './parse-list.ts';

const defaultRevision = 'main';

/** A file of the list. */
export interface HubFile {
  readonly path: string;
  readonly url: HubUrl;
  /** In bytes. Absent if the list does not tell it. */
  readonly size: number | undefined;
}

export interface HubList {
  /** `owner/name` */
  readonly repository: string;
  /** The hash of the commit that the revision meant when it was asked. */
  readonly commit: string;
  /** What the card says of the base, if the answer for the revision has it. */
  readonly card?: StatedBase | undefined;
  readonly files: readonly HubFile[];
}

export type HubListOptions = JobOptions & Pick<FetchOptions, 'hub' | 'stallTimeout'>;

/** Makes one request, or two if the first answer has no sizes, and more if the list has pages. */
export async function listFiles(
  { repository, revision = defaultRevision }: HubName,
  options: HubListOptions,
): Promise<HubList> {
  const { hub = {} } = options;
  const endpoint = endpointOf(hub);
  const token = tokenOf(hub);
  const requests = new HubRequests(endpoint, token, options);
  const api = `${endpoint}/api/models/${repository}`;
  const url = `${api}/revision/${encodeURIComponent(revision)}?blobs=true`;
  const { response, value } = await requests.get(url);
  const question = { url, endpoint, repository, revision, hasToken: token !== undefined };
  if (!response.ok) {
    throw refusal(response, question);
  }
  const commit = commitIn(value, url);
  const siblings = siblingsIn(value, url);
  const hasSizes = siblings?.every(({ size }) => size !== undefined);
  const tree = `${api}/tree/${commit}?recursive=true`;
  const listed = hasSizes ? siblings : ((await treeOf(requests, tree)) ?? siblings);
  if (!listed) {
    throw badList(url, 'it has no files');
  }
  const base = `${endpoint}/${repository}/resolve/${commit}/`;
  const files = listed.map((file) => located(file, base, token));
  return { repository, commit, card: baseInAnswer(value), files };
}

function commitIn(value: unknown, url: string): string {
  const { sha } = (value ?? {}) as { readonly sha?: unknown };
  if (typeof sha === 'string' && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(sha)) {
    return sha;
  }
  throw badList(url, 'it does not say its commit (sha)', 'sha');
}

function located({ path, size, sha256 }: Listed, base: string, token: string | undefined): HubFile {
  const access = {
    ...(token !== undefined && { token }),
    ...(sha256 !== undefined && { sha256 }),
  };
  return { path, size, url: new HubUrl(base + encodedPath(path), access) };
}
