// The files that the tests give to the pages, on the disk, where every browser can read them.

import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tinyModel } from '../../../e2e/support/tiny-model.ts';
import { tinyLlama } from '../../../e2e/support/tiny-sources.ts';
import { ambry } from '../../web/support/package.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folder.ts';

export const models = fileURLToPath(new URL('../../../web/demo/public/models/', import.meta.url));

/** Paths. */
export interface TestFiles {
  /** A document with one sentence. */
  readonly document: string;
  /** An encoder of EMBD F0. */
  readonly valid: string;
  /** The encoder with a changed flag, so that the checksum of its head is wrong. */
  readonly damaged: string;
  /** A language model. */
  readonly stories: string;
  /** The files of a llama of Hugging Face, and the file that Node makes of them. */
  readonly llama: readonly string[];
  readonly llamaAsAmb: string;
}

export async function makeTestFiles(): Promise<TestFiles & { remove(): Promise<void> }> {
  const folder = await makeTemporaryFolder();
  const write = async (name: string, bytes: Uint8Array | string): Promise<string> => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
    return path;
  };
  const bytesOf = async (blob: Promise<Blob>) => Buffer.from(await (await blob).arrayBuffer());
  const valid = await bytesOf(ambry.convert(tinyModel(), { to: 'embd' }));
  const damaged = Buffer.from(valid);
  damaged.writeUInt32LE(damaged.readUInt32LE(8) | 0x8000, 8);
  const llama = tinyLlama();
  const stories = join(folder, 'my-stories.amb');
  await copyFile(join(models, 'stories.amb'), stories);
  return {
    document: await write('tides.txt', 'The tides of the sea follow the moon, twice a day.\n'),
    valid: await write('tiny.weights', valid),
    damaged: await write('damaged.weights', damaged),
    stories,
    llama: await Promise.all([...llama].map(([name, bytes]) => write(`llama/${name}`, bytes))),
    llamaAsAmb: await write('llama.amb', await bytesOf(ambry.convert(llama, { to: 'amb' }))),
    remove: () => removeTemporaryFolder(folder),
  };
}

/** The text that Node writes with the settings of the chat page, in the build that gives the same text everywhere. */
export async function storyOfNode(
  prompt: string,
  changed: { readonly seed: number; readonly maxTokens: number },
): Promise<string> {
  const bytes = await readFile(join(models, 'stories.amb'));
  const model = await ambry.open(bytes, { kind: 'generator', deterministic: true });
  const options = { temperature: 0.8, topP: 0.9, ...changed };
  const { text } = await model.generate(prompt, options).result;
  await model.dispose();
  return text;
}
