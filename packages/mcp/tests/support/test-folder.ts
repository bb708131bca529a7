// A folder with a model, an index of a few documents, classifiers, and damaged files.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createIndex, type Doc, open } from 'ambry';
import { classifierFile } from '../../../../tests/web/support/files/classifier-files.ts';
import { withChecksum } from '../../../../tests/web/support/files/index-files.ts';
import { folderForAllTests } from '../../../../tests/web/support/for-all-tests.ts';
import { smallModel } from '../../../../tests/web/support/package.ts';

export const docs: readonly Doc[] = [
  { id: 'a.md#1', text: 'the cat sat on the mat', source: 'a.md', position: 1, heading: 'Cats' },
  { id: 'a.md#2', text: 'the dog ran in the park', source: 'a.md', position: 3, page: 2 },
  { id: 'a.md#3', text: 'a bird sang', source: 'a.md', position: 5 },
  { id: 'b\u202e.md#1', text: 'rain fell\u200b on the sea', source: 'b\u202e.md', position: 1 },
];

/** Paths of files in `allowed/` and beside it. It goes with its test file. */
export interface TestFolder {
  readonly at: (name: string) => string;
}

export async function testFolder(): Promise<TestFolder> {
  const folder = folderForAllTests('ambry-mcp');
  const at = (name: string) => join(folder, name);
  const bytes = await smallModel();
  await mkdir(at('allowed/inner'), { recursive: true });
  await mkdir(at('outside'));
  await writeFile(at('allowed/tiny.weights'), bytes);
  await writeFile(at('allowed/inner/tiny.weights'), bytes);
  await writeFile(at('outside/secret.weights'), bytes);
  // A length in the header that is none.
  const damaged = bytes.slice();
  damaged.fill(0xff, 8, 16);
  await writeFile(at('allowed/damaged.weights'), damaged);
  await mkdir(at('links'));
  await symlink(at('outside/secret.weights'), at('links/secret.weights'));
  await writeFile(at('links/tiny.weights'), bytes);
  await writeFile(at('topics.bin'), classifierFile('softmax.bin'));
  await writeIndexes(at);
  return { at };
}

async function writeIndexes(at: TestFolder['at']): Promise<void> {
  await using model = await open({ path: at('allowed/tiny.weights') }, { kind: 'encoder' });
  await using index = await createIndex(model, docs);
  const blob = await index.save({ model: 'allowed/tiny.weights' });
  const file = new Uint8Array(await blob.arrayBuffer());
  await writeFile(at('notes.ambryindex'), file);
  const damaged = file.slice();
  damaged.fill(0xff, 8, 12);
  await writeFile(at('damaged.ambryindex'), withChecksum(damaged));
}
