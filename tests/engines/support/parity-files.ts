// The models and inputs of the parity jobs, by name.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';
import { tinyModel } from '../../../e2e/support/tiny-model.ts';
import { headDirectory } from '../../web/support/directories/head-directories.ts';
import { colbertDirectory } from '../../web/support/directories/late-directories.ts';
import { unigramDirectory } from '../../web/support/directories/static-directories.ts';
import { languageFile } from '../../web/support/files/language-file.ts';
import { ambry } from '../../web/support/package.ts';
import { models } from './test-files.ts';

const builtIn = [
  'books-96.fifu',
  'digits-dq8.bin',
  'digits-plan.json',
  'digits-sq8.bin',
  'digits-vanilla.bin',
  'english-192x1.weights',
  'english-static-336.weights',
  'stories.amb',
];
const file = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** The pixels of the first drawing of a digit. */
function pixelsOf(sheet: PNG, digit: number): Uint8Array {
  const side = 28;
  const cell = new PNG({ width: side, height: side });
  PNG.bitblt(sheet, cell, 0, digit * side, side, side, 0, 0);
  return new Uint8Array(cell.data);
}

async function converted(folder: Parameters<typeof ambry.convert>[0]): Promise<Uint8Array> {
  return new Uint8Array(await (await ambry.convert(folder)).arrayBuffer());
}

export async function parityFiles(): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> {
  const files = new Map<string, Uint8Array>();
  for (const name of builtIn) {
    files.set(name, await readFile(`${models}${name}`));
  }
  const sheet = PNG.sync.read(await readFile(file('tests/fixtures/digits/sheet.png')));
  for (let digit = 0; digit < 10; digit++) {
    files.set(`digit-${digit}.rgba`, pixelsOf(sheet, digit));
  }
  files.set('everyday.json', await readFile(file('web/demo/corpus/everyday.json')));
  files.set('tiny.weights', await converted(tinyModel()));
  files.set('reranker.weights', await converted(headDirectory()));
  files.set('late.weights', await converted(colbertDirectory()));
  files.set('bytes.amb', languageFile());
  files.set('unigram.json', unigramDirectory().get('tokenizer.json') as Uint8Array);
  return new Map([...files].map(([name, bytes]) => [name, Uint8Array.from(bytes)]));
}
