import { afterAll } from 'vitest';

/** Waits for what all tests of a file use, and closes it after the last of them: what was made first is closed last. */
export async function forAllTests<T extends AsyncDisposable>(made: Promise<T>): Promise<T> {
  const used = await made;
  afterAll(() => used[Symbol.asyncDispose]());
  return used;
}
