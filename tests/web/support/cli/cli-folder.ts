// Files that commands are tried on: a folder with a small model, as `tiny.weights` and as the Hugging Face
// directory `tiny`. It goes with its test file.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { modelDirectory } from '../fixtures.ts';
import { smallModel } from '../package.ts';

export interface CliFolder {
  readonly folder: string;
  /** The path of a file in it. */
  readonly at: (name: string) => string;
  /** The path of the model. */
  readonly model: string;
  /** The model's bytes. */
  readonly file: Uint8Array<ArrayBuffer>;
}

export async function cliFolder(): Promise<CliFolder> {
  const file = await smallModel();
  const folder = await mkdtemp(join(tmpdir(), 'ambry-cli-'));
  afterAll(() => rm(folder, { recursive: true }));
  const at = (name: string) => join(folder, name);
  const model = at('tiny.weights');
  await writeFile(model, file);
  for (const [name, bytes] of modelDirectory()) {
    await mkdir(dirname(at(`tiny/${name}`)), { recursive: true });
    await writeFile(at(`tiny/${name}`), bytes);
  }
  return { folder, at, model, file };
}
