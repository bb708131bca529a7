// Repositories without weights that Ambry opens, such as those with ONNX only: the model that their card names has them.
// This file is fetched with the first such repository.
import { AmbryError, isAbort, isOfFile } from '../../base/errors.ts';
import type { JobOptions } from '../../rpc/types.ts';
import { isOnnx } from '../base/onnx-name.ts';
import type { FetchOptions } from '../base/types.ts';
import { readme } from '../directory/model-files.ts';
import { smallFile } from '../http/small-file.ts';
import { baseInCard, type StatedBase } from './card.ts';
import { chooseFiles } from './choose-files.ts';
import { parseHubName } from './hub-name.ts';
import { type HubList, listFiles } from './list-files.ts';
import { placeOf } from './sharded-choice.ts';

type Options = JobOptions & Pick<FetchOptions, 'stallTimeout'>;
type ListOptions = JobOptions & FetchOptions;

/** A card is a page of text. A longer one, and one that takes longer to come, says nothing. */
const mostCardBytes = 1 << 20;
const mostCardMs = 15_000;
/** A repository of ONNX may name another one. */
const mostSteps = 4;
const mostNamed = 5;

/** Bases with these weights. A fine-tuned or merged model has others than its bases, and an adapter is a part of one. */
const sameWeights: readonly (string | undefined)[] = [undefined, 'quantized'];

/** The repository that has the weights, by the card of one that has none. `refusal` is the error for that one, and `seen`
 *  are the repositories before it. Throws where the card names none, or none with these weights. */
export async function baseToFollow(
  list: HubList,
  refusal: AmbryError,
  seen: readonly string[],
  options: Options & Pick<FetchOptions, 'followBase'>,
): Promise<string> {
  const stated = await statedBy(list, options);
  const [base] = stated.names;
  if (base === undefined) {
    throw options.followBase ? withoutBase(refusal) : refusal;
  }
  if (!sameWeights.includes(stated.relation) || stated.names.length > 1) {
    throw otherWeights(list, stated, refusal);
  }
  if ([...seen, list.repository].includes(base) || seen.length >= mostSteps) {
    throw noEnd(list, base, seen);
  }
  if (!options.followBase) {
    throw notFollowed(list, base);
  }
  const note = `${list.repository} has no weights that Ambry opens; its base ${base} is opened.`;
  options.onProgress?.({ phase: 'download', loaded: 0, total: 0, cached: false, note });
  return base;
}

/** An error of the list of `base`, which says why the base was asked for. Without `repository` the caller named it. */
export function ofBase(error: unknown, repository: string | undefined, base: string): unknown {
  if (!(error instanceof AmbryError) || repository === undefined) {
    return error;
  }
  const { code, byteOffset, path, cause } = error;
  const message = `${error.message} (${base} is what the card of ${repository} names as its base model.)`;
  return new AmbryError(code, message, { byteOffset, path, cause });
}

/** The error of opening the ONNX file of a repository, with the repository that has other weights of the model. */
export async function withBase(
  error: unknown,
  name: string | URL,
  options: ListOptions,
): Promise<unknown> {
  const list = isOfFile(error) ? await listed(name, options) : undefined;
  if (!list || !isOfFile(error)) {
    return error;
  }
  const { names, relation } = await statedBy(list, options);
  const [base] = names;
  if (base === undefined || names.length > 1 || !sameWeights.includes(relation)) {
    return error;
  }
  const { code, byteOffset, path, cause } = error;
  const message = `${error.message} ${list.repository} has no other weights. ${whereTo(base)}`;
  return new AmbryError(code, message, { byteOffset, path, cause });
}

/** The files of the repository if ONNX's are its weights. */
async function listed(name: string | URL, options: ListOptions): Promise<HubList | undefined> {
  try {
    const parsed = parseHubName(String(name));
    const list = await listFiles(parsed, options);
    return chooseFiles(list, parsed.path).weights.some(isOnnx) ? list : undefined;
  } catch {
    options.signal?.throwIfAborted();
    return undefined;
  }
}

async function statedBy({ card, files }: HubList, options: Options): Promise<StatedBase> {
  const nothing = { names: [], relation: undefined };
  const file = files.find(({ path }) => path === readme);
  if (card || !file || (file.size ?? 0) > mostCardBytes) {
    return card ?? nothing;
  }
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), mostCardMs);
  const stop = () => late.abort();
  options.signal?.addEventListener('abort', stop);
  try {
    const { stallTimeout } = options;
    const bytes = await smallFile(placeOf(file), mostCardBytes, {
      signal: late.signal,
      ...(stallTimeout !== undefined && { stallTimeout }),
    });
    return baseInCard(new TextDecoder().decode(bytes));
  } catch (error) {
    options.signal?.throwIfAborted();
    if (isAbort(error) || error instanceof AmbryError) {
      return nothing;
    }
    throw error;
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', stop);
  }
}

const at = ({ commit }: HubList): string => `(commit ${commit.slice(0, 12)})`;

/** What the repository has in place of weights. */
function without(list: HubList): string {
  const isOnnx = list.files.some(({ path }) => /\.onnx$/i.test(path));
  const what = isOnnx ? 'only ONNX’s' : 'none';
  return `${list.repository} has no weights that Ambry opens, ${what} ${at(list)}`;
}

/** Pages make a button of the name to open (web/demo/shared/failures/named-base.ts). */
export function notFollowed(list: HubList, base: string): AmbryError {
  return new AmbryError('Unsupported', `${without(list)}. ${whereTo(base)}`, { path: 'source' });
}

const whereTo = (base: string): string =>
  `Its card says that it was made of ${base}, which is another repository. Open hf:${base}, or give the option followBase (on the command line --follow-base).`;

function withoutBase(refusal: AmbryError): AmbryError {
  const message = `${refusal.message} Its card names no base model (base_model), so there is none to follow.`;
  return new AmbryError('NotFound', message, { path: 'source' });
}

function otherWeights(list: HubList, stated: StatedBase, { code }: AmbryError): AmbryError {
  const { names, relation = 'merge' } = stated;
  const shown = names.slice(0, mostNamed).join(', ') + (names.length > mostNamed ? ', …' : '');
  const message = `${without(list)}. Its card names ${shown} as what it was made of (${relation}), and that has other weights. Open the repository with this model's own safetensors or GGUF file.`;
  return new AmbryError(code, message, { path: 'source' });
}

function noEnd(list: HubList, base: string, seen: readonly string[]): AmbryError {
  const way = [...seen, list.repository, base].join(' → ');
  const message = `None of these repositories has weights that Ambry opens, and each card names the next: ${way}. Name the repository with the weights.`;
  return new AmbryError('NotFound', message, { path: 'source' });
}
