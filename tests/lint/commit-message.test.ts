import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { subjectFault, subjectOf } from './commit-message.mjs';

describe('a subject is accepted', () => {
  test.each([
    'kernels: Rename WindowRows',
    'formats/alt: Refuse negative lengths',
    'wasm, package: Share weights between workers',
    'demo/search, e2e: Keep answers while the index is built',
    '.ci: Run the web suite without data',
    'e2e: Wait for the answer',
    'package.json: Pin the version of Vite',
    'infer: Pass the mask by reference',
    'api: Process eight rows at a time',
    'api: Embed several texts in one batch',
    'tokenizer: Speed up the search for merges',
    'docs: Bring the numbers of the last release',
    'search: Re-rank the first ten answers',
    'search: Say which passages are near-duplicates',
  ])('%s', (subject) => expect(subjectFault(subject)).toBeUndefined());

  test.each([
    "Merge branch 'words' into main",
    'Revert "kernels: Rename WindowRows"',
    'fixup! kernels: Rename WindowRows',
  ])('as Git wrote it: %s', (subject) => expect(subjectFault(subject)).toBeUndefined());

  test('of 72 columns, counted in characters', () => {
    const head = 'docs: Say ';
    expect(subjectFault(head + 'ü'.repeat(72 - head.length))).toBeUndefined();
    expect(subjectFault(head + 'ü'.repeat(73 - head.length))).toMatch('73 columns');
  });
});

describe('a subject is refused', () => {
  test.each([
    ['Rename WindowRows', 'no area'],
    ['Kernels: Rename WindowRows', 'no area'],
    ['kernels:Rename WindowRows', 'no area'],
    ['kernels, : Rename WindowRows', 'no area'],
    ['kernels: ', 'no area'],
    ['', 'no area'],
    ['kernels: Rename WindowRows.', 'period'],
    ['kernels: rename WindowRows', '"rename" is no capitalised verb'],
    ['docs: README mentions the glossary', '"README" is no capitalised verb'],
    ['kernels: Renames WindowRows', 'imperative'],
    ['kernels: Renamed WindowRows', 'imperative'],
    ['kernels: Renaming WindowRows', 'imperative'],
    ['package: What workers share is no worker by its name', 'imperative'],
    ['package: A stream that no worker knows is refused', 'imperative'],
    ['infer: The rows of a head lie together', 'imperative'],
    ['docs: Word vectors in the changelog', 'imperative'],
    ['api: Tokens without texts come at once', 'imperative'],
    ['e2e: Stop has seconds to come, whatever the seed', 'imperative'],
  ])('%s', (subject, fault) => expect(subjectFault(subject)).toMatch(fault));
});

test('the subject is the first line that is not a comment', () => {
  expect(subjectOf('\n# a comment\napi: Add a call\n\nWhy.\n')).toBe('api: Add a call');
  expect(subjectOf('# nothing\n')).toBe('');
});

test('the hook fails with the subject and an example', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ambry-commit-'));
  const script = fileURLToPath(new URL('commit-message.mjs', import.meta.url));
  const file = join(folder, 'COMMIT_EDITMSG');
  try {
    writeFileSync(file, 'api: Adds a call\n');
    const { status, stderr } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('api: Adds a call');
    expect(stderr).toContain('for example');
    writeFileSync(file, 'api: Add a call\n');
    expect(execFileSync(process.execPath, [script, file], { encoding: 'utf8' })).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
