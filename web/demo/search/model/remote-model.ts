// A model by its address: a file that opens as it is, or a Hugging Face directory, whose files are fetched one
// by one and converted in this tab.

import { AmbryError } from 'ambry';
import type { JobContext } from '../../shared/jobs.ts';
import type { Runtime } from '../../shared/runtime.ts';
import type { LoadedModel } from '../state.ts';
import { directoryAt, kWeights, type RemoteDirectory } from './model-address.ts';
import { converter, type ModelFiles, urlFacts } from './model-sources.ts';
import { opener } from './open-model.ts';

/** What a conversion reads beside the weights, where it is there. */
const kBeside = [
  'tokenizer.json',
  'vocab.txt',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'added_tokens.json',
  'modules.json',
  '1_Pooling/config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
] as const;

/** One of the directory's files; null where the server has none of that name. */
async function fetchBeside(
  { root }: RemoteDirectory,
  name: string,
  signal: AbortSignal,
): Promise<Blob | null> {
  const url = new URL(root);
  url.pathname += name;
  const response = await fetch(url, { signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    const message = `No answer from ${url}. Check the address and the network; on another origin the server must send Access-Control-Allow-Origin.`;
    throw new AmbryError('Http', message, { path: name, cause });
  });
  if ([403, 404, 410].includes(response.status)) {
    return null;
  }
  if (!response.ok) {
    const message = `The server did not send the file: ${url} answered ${response.status}.`;
    throw new AmbryError('Http', message, { path: name });
  }
  // Some servers send their start page for files they do not have.
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  return isPage ? null : response.blob();
}

function lacks(path: string, message: string): AmbryError {
  return new AmbryError('NotFound', message, { path });
}

/** All parts of the model but the weights, which stay where they are until they are converted. Null where there
 *  is no configuration. */
async function fetchDirectory(
  directory: RemoteDirectory,
  signal: AbortSignal,
): Promise<ModelFiles | null> {
  const config = await fetchBeside(directory, 'config.json', signal);
  if (config === null) {
    return null;
  }
  const beside = await Promise.all(
    kBeside.map(async (name) => [name, await fetchBeside(directory, name, signal)] as const),
  );
  const found = beside.filter(
    (entry): entry is [(typeof kBeside)[number], Blob] => entry[1] !== null,
  );
  const files = new Map<string, Blob | string>([['config.json', config], ...found]);
  if (!files.has('tokenizer.json') && !files.has('vocab.txt')) {
    const message = `There is neither tokenizer.json nor vocab.txt at ${directory.root}.`;
    throw lacks('tokenizer.json', message);
  }
  const head = await fetch(directory.weights, { method: 'HEAD', signal }).catch(() => null);
  if (head?.status === 404) {
    throw lacks(kWeights, `There are no weights at ${directory.weights}.`);
  }
  return files.set(kWeights, directory.weights);
}

/** Opens what is at `address`. */
export async function openAddress(
  address: string,
  runtime: Runtime,
  context: JobContext,
): Promise<LoadedModel> {
  const directory = directoryAt(address);
  const files = directory && (await fetchDirectory(directory, context.signal));
  if (directory === null || (files === null && directory.doubtful)) {
    return opener(urlFacts(address), runtime)(context);
  }
  if (files === null) {
    const message = `There is no config.json at ${directory.root}. A Hugging Face directory has it beside ${kWeights}.`;
    throw lacks('config.json', message);
  }
  context.stage(`Converting ${directory.name}`, 'bytes');
  return converter(directory.name, files, runtime)(context);
}
