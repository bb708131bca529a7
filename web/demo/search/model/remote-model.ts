// Opens a model by its address: a file, or a Hugging Face folder, whose files are fetched and converted.

import { AmbryError } from 'ambry';
import type { SideFile } from 'ambry/tables';
import type { JobContext } from '../../shared/jobs/jobs.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import { directoryAt, type RemoteDirectory, weightsName } from './model-address.ts';
import { converter, type Given, givenOpener, type ModelFiles, urlChoice } from './model-sources.ts';
import { denseFolders } from './remote-modules.ts';

/** The conversion reads these files if the folder has them. */
const optionalFiles = [
  'tokenizer.json',
  'vocab.txt',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'added_tokens.json',
  'modules.json',
  '1_Pooling/config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
] as const satisfies SideFile[];

/** The address of a file of the folder. */
function addressOf({ root }: RemoteDirectory, name: string): URL {
  const url = new URL(root);
  url.pathname += name;
  return url;
}

/** Fetches a file of the folder. Null if the server does not have it. */
async function fetchFile(
  directory: RemoteDirectory,
  name: string,
  signal: AbortSignal,
): Promise<Blob | null> {
  const url = addressOf(directory, name);
  const response = await fetch(url, { signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    const message = `No answer from ${url}. Check the address and the network. A server on another origin must send Access-Control-Allow-Origin.`;
    throw new AmbryError('Http', message, { path: name, cause });
  });
  if ([403, 404, 410].includes(response.status)) {
    return null;
  }
  if (!response.ok) {
    const message = `The server did not send the file: ${url} answered ${response.status}.`;
    throw new AmbryError('Http', message, { path: name });
  }
  // Some servers send their start page instead of a missing file.
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  return isPage ? null : response.blob();
}

function missingFile(path: string, message: string): AmbryError {
  return new AmbryError('NotFound', message, { path });
}

/** Fetches all files except the weights. The conversion reads those from their address. Null if there is no
 *  configuration. */
async function fetchDirectory(
  directory: RemoteDirectory,
  signal: AbortSignal,
): Promise<ModelFiles | null> {
  const config = await fetchFile(directory, 'config.json', signal);
  if (config === null) {
    return null;
  }
  const optional = await Promise.all(
    optionalFiles.map(async (name) => [name, await fetchFile(directory, name, signal)] as const),
  );
  const found = optional.filter(
    (entry): entry is [(typeof optionalFiles)[number], Blob] => entry[1] !== null,
  );
  const files = new Map<string, Blob | string>([['config.json', config], ...found]);
  if (!files.has('tokenizer.json') && !files.has('vocab.txt')) {
    const message = `There is neither tokenizer.json nor vocab.txt at ${directory.root}.`;
    throw missingFile('tokenizer.json', message);
  }
  const head = await fetch(directory.weights, { method: 'HEAD', signal }).catch(() => null);
  if (head?.status === 404) {
    throw missingFile(weightsName, `There are no weights at ${directory.weights}.`);
  }
  files.set(weightsName, directory.weights);
  await addDense(directory, files, signal);
  return files;
}

/** Adds the configuration and the address of the weights of each dense module. */
async function addDense(
  directory: RemoteDirectory,
  files: Map<string, Blob | string>,
  signal: AbortSignal,
): Promise<void> {
  const modules = files.get('modules.json');
  if (!(modules instanceof Blob)) {
    return;
  }
  for (const folder of await denseFolders(modules)) {
    const config = await fetchFile(directory, `${folder}/config.json`, signal);
    if (config !== null) {
      files.set(`${folder}/config.json`, config);
    }
    const name = `${folder}/${weightsName}`;
    files.set(name, addressOf(directory, name).href);
  }
}

/** Opens the model at `address`. */
export async function openAddress(
  address: string,
  runtime: Runtime,
  context: JobContext,
): Promise<Given> {
  const directory = directoryAt(address);
  const files = directory && (await fetchDirectory(directory, context.signal));
  if (directory === null || (files === null && directory.ambiguous)) {
    return givenOpener(urlChoice(address), runtime)(context);
  }
  if (files === null) {
    const message = `There is no config.json at ${directory.root}. A Hugging Face folder has it beside ${weightsName}.`;
    throw missingFile('config.json', message);
  }
  context.stage(`Converting ${directory.name}`, 'bytes');
  return converter(directory.name, files, runtime)(context);
}
