// What a command makes in memory, to a file or to standard output.
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { AmbryError, messageOf } from '../../errors.ts';
import type { Terminal } from './terminal.ts';

export async function writeResult(target: string, made: Blob, terminal: Terminal): Promise<void> {
  const chunks = made.stream() as unknown as AsyncIterable<Uint8Array>;
  if (target === '-') return terminal.write(chunks);
  const before = await stat(target).catch(() => null);
  const isFile = before === null || before.isFile();
  // What was there stays until the new one is whole.
  const place = isFile ? `${target}.partial` : target;
  try {
    await writeFile(place, chunks);
    if (isFile) await rename(place, target);
  } catch (cause) {
    if (isFile) await rm(place, { force: true }).catch(() => {});
    throw new AmbryError('NotFound', `Cannot write ${target}: ${messageOf(cause)}`, { cause });
  }
}
