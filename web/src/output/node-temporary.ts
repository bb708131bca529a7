// A file that only this process uses.
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TemporaryFile } from '../platform/platform.ts';
import { cannotWrite } from './node-output.ts';
import { removeAtExit } from './node-partial.ts';

/** Creates the file in a folder of its own, which is removed with it. */
export async function createTemporary(): Promise<TemporaryFile> {
  const place = join(tmpdir(), 'ambry-');
  const folder = await mkdtemp(place).catch((error: unknown) => {
    throw cannotWrite(place, error);
  });
  const forget = removeAtExit(folder);
  const path = join(folder, 'model');
  const discard = async () => {
    await rm(folder, { recursive: true, force: true }).catch(() => {});
    forget();
  };
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (error) {
    await discard();
    throw cannotWrite(path, error);
  }
  return { path, discard };
}
