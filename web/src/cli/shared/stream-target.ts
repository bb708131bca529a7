// Writes to named pipes and devices. They take bytes in order, and cannot be replaced.
import { constants, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAbort } from '../../base/errors.ts';
import { cannotWrite } from '../../output/node-output.ts';

/** Takes all bytes in order, once. */
export interface Sink {
  readonly write: (chunks: AsyncIterable<Uint8Array>) => Promise<void>;
  /** Ends it without bytes, so that its reader does not wait for more. */
  readonly close: () => void;
}

/** Never creates or empties a file, if the path became one in the meantime. */
const append = constants.O_WRONLY | constants.O_APPEND;
const readerPollMs = 50;

/** Waits until a process reads the named pipe. An abort ends the wait, which it could not do in an open call that
 *  blocks. */
export async function openPipe(path: string, signal: AbortSignal): Promise<Sink> {
  for (;;) {
    try {
      const fd = openSync(path, append | constants.O_NONBLOCK);
      return sinkTo(new Socket({ fd, readable: false, writable: true }), path, signal);
    } catch (error) {
      // There is no reader yet.
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') {
        throw cannotWrite(path, error);
      }
    }
    await sleep(readerPollMs, undefined, { signal });
  }
}

/** Opens a device, or what `/dev/stderr` and `/dev/fd/3` stand for. */
export async function openDevice(path: string, signal: AbortSignal): Promise<Sink> {
  const handle = await open(path, append | (constants.O_NOCTTY ?? 0)).catch((error: unknown) => {
    throw cannotWrite(path, error);
  });
  return sinkTo(handle.createWriteStream(), path, signal);
}

function sinkTo(stream: Writable, path: string, signal: AbortSignal): Sink {
  // `pipeline` reports it.
  stream.on('error', () => {});
  return {
    write: async (chunks) => {
      try {
        await pipeline(chunks, stream, { signal });
      } catch (error) {
        if (isAbort(error)) {
          throw error;
        }
        const isLeft = (error as NodeJS.ErrnoException).code === 'EPIPE';
        throw cannotWrite(path, isLeft ? 'its reader has closed it.' : error);
      }
    },
    close: () => stream.destroy(),
  };
}
