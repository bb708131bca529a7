// What a command makes in memory, to a file or to standard output.
import { writeFile } from 'node:fs/promises';
import { AmbryError, messageOf } from '../errors.ts';
import type { Terminal } from './terminal.ts';

export async function writeResult(target: string, made: Blob, terminal: Terminal): Promise<void> {
  const chunks = made.stream() as unknown as AsyncIterable<Uint8Array>;
  if (target === '-') return terminal.write(chunks);
  await writeFile(target, chunks).catch((cause: unknown) => {
    throw new AmbryError('NotFound', `Cannot write ${target}: ${messageOf(cause)}`, { cause });
  });
}
