// What all tests of a file use, and what goes after the last of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Waits for what all tests of a file use, and closes it after them. What was made first is closed last. */
export async function forAllTests<T extends AsyncDisposable>(made: Promise<T>): Promise<T> {
  const used = await made;
  afterAll(() => used[Symbol.asyncDispose]());
  return used;
}

/** A new folder, whose name begins with this. It is removed after the last test of the file. */
export function folderForAllTests(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
