import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const here = mkdtempSync(join(tmpdir(), 'ambry-data-'));
mkdirSync(join(here, 'tokenizers'));
afterAll(() => rmSync(here, { recursive: true }));

/** What a process with this AMBRY_DATA says is missing of `tokenizers` and `cnn`. */
function missing(stated: string): string {
  const module = new URL('data-folder.mjs', import.meta.url).href;
  const code = `console.log((await import('${module}')).missingData('tokenizers', 'cnn'))`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
    env: { ...process.env, AMBRY_DATA: stated },
  }).trim();
}

test('names the missing file and the folder', () => {
  expect(missing(here)).toBe(`no cnn in ${here}: set AMBRY_DATA to the folder of test data`);
});

test('an AMBRY_DATA without a folder means no data', () => {
  const nowhere = join(here, 'nowhere');
  expect(missing(nowhere)).toMatch(`no tokenizers, cnn in ${nowhere}: `);
});

test('an empty AMBRY_DATA means no data', () => {
  expect(missing('')).toBe('no tokenizers, cnn: set AMBRY_DATA to the folder of test data');
});
