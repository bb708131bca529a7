// Writes the result of a command to a file or to standard output.
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { AmbryError, messageOf } from '../../errors.ts';
import type { Terminal } from './terminal.ts';

/** Writes to standard output for `-`. A file is replaced only when the new one is complete. */
export async function writeOutput(target: string, blob: Blob, terminal: Terminal): Promise<void> {
  const chunks = blob.stream() as unknown as AsyncIterable<Uint8Array>;
  if (target === '-') return terminal.pipe(chunks);
  const existing = await stat(target).catch(() => null);
  // A device or a pipe cannot be replaced by renaming.
  const isFile = existing === null || existing.isFile();
  const path = isFile ? `${target}.partial` : target;
  try {
    await writeFile(path, chunks);
    if (isFile) await rename(path, target);
  } catch (cause) {
    if (isFile) await rm(path, { force: true }).catch(() => {});
    throw new AmbryError('NotFound', `Cannot write ${target}: ${messageOf(cause)}`, { cause });
  }
}
