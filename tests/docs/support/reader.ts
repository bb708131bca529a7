// The reader of the documentation: a folder with files by the names of the examples, and the hosts that they name.
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import send from 'send';
import { makeSiteServer } from '../../../packages/demo/src/site-server.ts';
import { writeDirectory, writeReaderFiles } from '../../web/support/cli/reader-files.ts';
import { headDirectory, nliLabels } from '../../web/support/directories/head-directories.ts';
import { colbertDirectory } from '../../web/support/directories/late-directories.ts';
import { quantizedDirectory } from '../../web/support/directories/quantized-directories.ts';
import {
  allOutputsDirectory,
  spladeDirectory,
} from '../../web/support/directories/sparse-directories.ts';
import { unigramDirectory } from '../../web/support/directories/static-directories.ts';
import { taggerDirectory } from '../../web/support/directories/tagger-directories.ts';
import {
  maskDirectory,
  questionDirectory,
} from '../../web/support/directories/token-head-directories.ts';
import { chatTemplate, languageFile } from '../../web/support/files/language-file.ts';
import { networkFile } from '../../web/support/files/network-file.ts';
import { modelDirectory } from '../../web/support/fixtures.ts';
import { ambry } from '../../web/support/package.ts';
import { HubServer } from '../../web/support/servers/hub-server.ts';
import { root } from './code-blocks.ts';

export interface Reader {
  readonly folder: string;
  /** The files and folders in it that the reader has. */
  readonly fileNames: readonly string[];
  /** The variables with which Node asks the servers of the test. */
  readonly environment: NodeJS.ProcessEnv;
  close(): void;
}

export async function makeReader(): Promise<Reader> {
  const folder = mkdtempSync(join(tmpdir(), 'ambry-reader-'));
  await writeReaderFiles(folder);
  await writeMore(folder);
  rmSync(join(folder, 'node_modules'), { recursive: true });
  const fileNames = readdirSync(folder);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/ambry'));
  symlinkSync(join(root, 'packages/models'), join(folder, 'node_modules/ambry-models'));
  const hub = await startHub(folder);
  const site = await serve(folder);
  const hosts = {
    'https://huggingface.co': hub.endpoint,
    'https://hub.example.org': hub.endpoint,
    'https://example.org': `http://127.0.0.1:${(site.address() as AddressInfo).port}`,
  };
  const environment = {
    ...process.env,
    XDG_CACHE_HOME: join(folder, 'cache'),
    AMBRY_TEST_HOSTS: JSON.stringify(hosts),
    NODE_OPTIONS: `--import ${new URL('network.mjs', import.meta.url)}`,
  };
  const close = () => {
    hub.close();
    site.close();
    site.closeAllConnections();
    rmSync(folder, { recursive: true });
  };
  return { folder, fileNames, environment, close };
}

/** By these tags a model is known to call tools as Hermes and Qwen do. */
const toolTemplate =
  '{% if tools %}<tools>{{ tools }}</tools> Answer within <tool_call></tool_call>.{% endif %}';

/** Files that only programs name. */
async function writeMore(folder: string): Promise<void> {
  const at = (name: string) => join(folder, name);
  await ambry.convert(colbertDirectory(), { output: at('colbert.weights') });
  await ambry.distill(
    { path: at('minilm.weights') },
    { dim: 64, output: at('models/small.weights') },
  );
  for (const folder of ['nli-MiniLM2', 'models/nli-MiniLM2']) {
    await writeDirectory(at(folder), headDirectory({ labels: nliLabels }));
  }
  const tokenizer = unigramDirectory().get('tokenizer.json') as Uint8Array;
  await writeFile(at('models/tokenizer.json'), tokenizer);
  await writeFile(at('resnet18_dq8.bin'), networkFile(3));
  const quantized = { type: 'pq', subquantizers: 2, output: at('vectors-pq.fifu') } as const;
  await ambry.quantize({ path: at('vectors.fifu') }, quantized);
  const talker = languageFile({ context: 2048, template: toolTemplate + chatTemplate });
  await writeFile(at('large.amb'), talker);
  await ambry.convert(talker, { to: 'gguf', output: at('chat.gguf') });
  const model = await ambry.open({ path: at('minilm.weights') }, { kind: 'encoder' });
  const passages = [{ text: 'Tides follow the moon.', source: 'a.md' }];
  const index = await ambry.createIndex(model, passages);
  await writeFile(at('docs.ambryindex'), Buffer.from(await (await index.save()).arrayBuffer()));
  await index.dispose();
  await model.dispose();
  const copies: readonly [from: string, to: string][] = [
    ['minilm.weights', 'all-MiniLM-L6-v2.weights'],
    ['minilm.weights', 'model.weights'],
    ['tinyllama.gguf', 'model.gguf'],
    ['minilm.weights', 'models/minilm.weights'],
    ['vocab.txt', 'models/vocab.txt'],
    ['chat.gguf', 'models/chat.gguf'],
    ['tinyllama.gguf', 'models/qwen.gguf'],
    ['ms-marco-MiniLM-L6-v2', 'models/ms-marco-MiniLM-L-6-v2'],
    ['all-MiniLM-L6-v2', 'models/all-MiniLM-L6-v2'],
    ['ner.weights', 'models/bert-base-NER.weights'],
    ['tinyroberta-squad2', 'models/tinyroberta-squad2'],
    ['bert-base-uncased', 'models/bert-base-uncased'],
    ['splade', 'models/splade'],
  ];
  for (const [from, to] of copies) {
    cpSync(at(from), at(to), { recursive: true });
  }
}

/** Models by the names that the documentation gives to what is at the hub. */
async function startHub(folder: string): Promise<HubServer> {
  const hub = await HubServer.start();
  const files = new Map([
    ['model.weights', readFileSync(join(folder, 'minilm.weights'))],
    ['model.gguf', readFileSync(join(folder, 'tinyllama.gguf'))],
  ]);
  hub.add('owner/name', files).branches.set('v1.0', files);
  const chat = new Map([['chat.gguf', readFileSync(join(folder, 'chat.gguf'))]]);
  hub.add('owner/chat-GGUF', chat);
  hub.add('owner/model-gptq', (await quantizedDirectory('gptq')).quantized);
  const prompts = { prompts: { query: 'Query: ' } };
  const asked = modelDirectory().set(
    'config_sentence_transformers.json',
    Buffer.from(JSON.stringify(prompts)),
  );
  hub.add('Qwen/Qwen3-Embedding-0.6B', asked);
  hub.add('sentence-transformers/all-MiniLM-L6-v2', modelDirectory());
  const cardData = { base_model: 'sentence-transformers/all-MiniLM-L6-v2' };
  for (const id of ['Xenova/all-MiniLM-L6-v2', 'owner/name-ONNX']) {
    hub.add(id, new Map([['onnx/model.onnx', Buffer.from('a graph')]]), {
      list: (_, body) => ({ ...(body as object), cardData }),
    });
  }
  hub.add('cross-encoder/ms-marco-MiniLM-L6-v2', headDirectory());
  hub.add('dslim/bert-base-NER', taggerDirectory());
  hub.add('deepset/tinyroberta-squad2', questionDirectory());
  hub.add('google-bert/bert-base-uncased', maskDirectory());
  hub.add('naver/splade-cocondenser-ensembledistil', spladeDirectory());
  hub.add('BAAI/bge-m3', allOutputsDirectory());
  hub.add('answerdotai/answerai-colbert-small-v1', colbertDirectory());
  return hub;
}

/** Serves a built site as `ambry demo` does, under the strict policy. Returns its server, which listens. */
export async function serveStrictly(folder: string): Promise<Server> {
  const server = makeSiteServer(folder).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] as string;
    send(request, path, { root: folder }).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
