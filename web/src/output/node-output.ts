// Writes a file that exists, for a conversion. The code that made the file decides what happens to it (node-partial.ts).
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { AmbryError, messageOf } from '../base/errors.ts';
import type { Output, WireOutput } from './types.ts';

/** Windows has no such flag. */
export const noFollow: number = constants.O_NOFOLLOW ?? 0;

/** Opens the file `path`. Errors name `target`, the file that the caller asked for. */
export async function fileOutput({ path, target, isTemporary }: WireOutput): Promise<Output> {
  const failed = (error: unknown): never => {
    throw cannotWrite(target, error);
  };
  const handle = await open(path, constants.O_WRONLY | noFollow).catch(failed);
  return {
    write: async (offset, bytes) => {
      for (let at = 0; at < bytes.byteLength; ) {
        const left = bytes.byteLength - at;
        const wrote = await handle.write(bytes, at, left, offset + at).catch(failed);
        at += wrote.bytesWritten;
      }
    },
    finish: async () => {
      try {
        // A rename can reach the disk before the bytes do, and a crash then leaves an empty file.
        if (!isTemporary) {
          await handle.sync();
        }
        await handle.close();
      } catch (error) {
        failed(error);
      }
      return null;
    },
    discard: async () => {
      await handle.close().catch(() => {});
    },
  };
}

/** The error for a file that cannot be created or written. */
export function cannotWrite(path: string, cause: unknown): AmbryError {
  const { code } = cause as { readonly code?: string };
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const message = `Cannot write ${path}: ${messageOf(cause)}`;
  return new AmbryError(isFull ? 'LimitExceeded' : 'BadValue', message, { cause });
}
