// A conversion's target file: written beside its place under a name of its own, and moved there only
// when whole.
import { open, rename, rm } from 'node:fs/promises';
import { AmbryError, messageOf } from '../errors.ts';
import type { Output } from './worker-convert-job.ts';

export async function fileOutput(path: string): Promise<Output> {
  const partial = `${path}.partial`;
  const handle = await open(partial, 'w').catch((error: unknown) => {
    throw cannotWrite(path, error);
  });
  return {
    write: async (offset, bytes) => {
      for (let at = 0; at < bytes.byteLength; ) {
        const left = bytes.byteLength - at;
        const wrote = await handle.write(bytes, at, left, offset + at).catch((error: unknown) => {
          throw cannotWrite(path, error);
        });
        at += wrote.bytesWritten;
      }
    },
    finish: async () => {
      try {
        await handle.close();
        await rename(partial, path);
      } catch (error) {
        throw cannotWrite(path, error);
      }
      return null;
    },
    discard: async () => {
      await handle.close().catch(() => {});
      await rm(partial, { force: true });
    },
  };
}

function cannotWrite(path: string, cause: unknown): AmbryError {
  return new AmbryError('NotFound', `Cannot write ${path}: ${messageOf(cause)}`, { cause });
}
