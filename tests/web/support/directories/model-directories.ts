// Directories of small models in the forms in which they are opened: on disk, and on a server.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { languageFile } from '../files/language-file.ts';
import { pytorchFile, tensorsIn } from '../files/pytorch-file.ts';
import { ambry } from '../package.ts';
import { ByteServer, contentOf, type Manners, type Served } from '../servers/byte-server.ts';

export type Files = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** Writes the files to a new folder. `remove` removes it. */
export async function onDisk(files: Files): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'ambry-directory-'));
  for (const [name, bytes] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
  return { path: folder, remove: () => rm(folder, { recursive: true }) };
}

export interface ServedDirectory {
  /** Ends with a slash. */
  readonly url: string;
  /** All requests so far, as paths. */
  readonly asked: () => string[];
  readonly served: ReadonlyMap<string, Served>;
  close(): void;
}

export async function onServer(
  files: Files,
  manners: Omit<Manners, 'content'> = { etag: '"one"' },
): Promise<ServedDirectory> {
  const others: string[] = [];
  const server = await ByteServer.start((request, response) => {
    others.push(request.url ?? '');
    response.writeHead(404, { 'content-type': 'text/plain' }).end('no such file');
  });
  const served = new Map<string, Served>();
  for (const [name, bytes] of files) {
    served.set(
      name,
      server.serve(`models/small/${name}`, { content: contentOf(bytes), ...manners }),
    );
  }
  const asked = () => [
    ...others,
    ...[...served].flatMap(([name, file]) => file.asked.map(() => `/models/small/${name}`)),
  ];
  return { url: `${server.origin}/models/small/`, asked, served, close: () => server.close() };
}

const encode = (text: string) => new TextEncoder().encode(text);

/** The model of `languageFile` as a directory of Hugging Face. It takes ids only. */
export async function languageDirectory(): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const blob = await ambry.convert(languageFile(), { to: 'safetensors' });
  const config = {
    model_type: 'llama',
    vocab_size: 258,
    hidden_size: 64,
    num_hidden_layers: 2,
    num_attention_heads: 4,
    intermediate_size: 64,
    max_position_embeddings: 64,
    rms_norm_eps: 1e-5,
    tie_word_embeddings: true,
  };
  return new Map([
    ['config.json', encode(JSON.stringify(config))],
    ['model.safetensors', new Uint8Array(await blob.arrayBuffer())],
  ]);
}

/** The directory with the weights as `pytorch_model.bin`, or in two such files and an index. */
export function asPytorch(files: Files, isSharded = false): Map<string, Uint8Array<ArrayBuffer>> {
  const made = new Map(files);
  const tensors = tensorsIn(made.get('model.safetensors') as Uint8Array);
  made.delete('model.safetensors');
  if (!isSharded) {
    return made.set('pytorch_model.bin', pytorchFile(tensors));
  }
  const map: Record<string, string> = {};
  for (const half of [0, 1]) {
    const name = `pytorch_model-0000${half + 1}-of-00002.bin`;
    const own = tensors.filter((_, i) => i % 2 === half);
    for (const tensor of own) {
      map[tensor.name] = name;
    }
    made.set(name, pytorchFile(own));
  }
  return made.set('pytorch_model.bin.index.json', encode(JSON.stringify({ weight_map: map })));
}
