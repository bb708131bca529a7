// Writes the result of a command to a file or to a stream.
import { fileOutput } from '../../output/node-output.ts';
import { createOutput } from '../../output/node-partial.ts';
import { targetOf } from './target.ts';
import type { Terminal } from './terminal.ts';

/** A file is replaced only when the new one is complete. */
export async function writeOutput(target: string, blob: Blob, terminal: Terminal): Promise<void> {
  const chunks = blob.stream() as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>;
  return writeChunks(target, chunks, terminal);
}

/** Like `writeOutput`, with bytes of which one chunk is in memory at a time. */
export async function writeChunks(
  target: string,
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  terminal: Terminal,
): Promise<void> {
  const found = await targetOf(target, terminal);
  if (found.kind === 'stream') {
    return (await found.open()).write(chunks);
  }
  const file = await createOutput(target);
  try {
    const output = await fileOutput(file);
    try {
      let at = 0;
      for await (const chunk of chunks) {
        terminal.signal.throwIfAborted();
        await output.write(at, chunk);
        at += chunk.length;
      }
      await output.finish();
    } finally {
      await output.discard();
    }
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
}
