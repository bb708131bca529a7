// Names of temporary files, and the removal of those that crashed runs left behind. The temporary file of `out.amb` is
// `out.amb.<machine>-<process>-<random>.partial`.
import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isRunning } from '../sources/base/node-process.ts';

/** A file name has 255 bytes, and a character at most four. */
const nameCharacters = 50;
/** A process of another machine cannot be asked whether it runs. Its file counts as left over after this time. */
const abandonedAfterMs = 24 * 60 * 60 * 1000;
/** The clock of a file server may differ from ours by this much. */
const clockSkewMs = 60 * 1000;

/** A path beside `path` that nobody can guess. */
export function partialPath(path: string): string {
  const random = randomBytes(8).toString('hex');
  return `${join(dirname(path), prefixOf(path))}${machine()}-${process.pid}-${random}.partial`;
}

/** Removes the temporary files for `path` whose processes have ended. */
export async function removeLeftOvers(path: string): Promise<void> {
  const folder = dirname(path);
  const prefix = prefixOf(path);
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(prefix)) {
      continue;
    }
    const owner = /^([0-9a-f]{8})-(\d+)-[0-9a-f]{16}\.partial$/.exec(name.slice(prefix.length));
    const found = join(folder, name);
    const stats = owner && (await lstat(found).catch(() => undefined));
    if (!stats?.isFile() || !isLeftOver(owner?.[1], Number(owner?.[2]), stats.mtimeMs)) {
      continue;
    }
    await rm(found, { force: true }).catch(() => {});
  }
}

function prefixOf(path: string): string {
  return `${[...basename(path)].slice(0, nameCharacters).join('')}.`;
}

function isLeftOver(from: string | undefined, pid: number, writtenAt: number): boolean {
  if (from !== machine()) {
    return Date.now() - writtenAt > abandonedAfterMs;
  }
  // In a container that starts again, processes get the same numbers again.
  if (pid === process.pid) {
    return writtenAt < performance.timeOrigin - clockSkewMs;
  }
  return !isRunning(pid);
}

/** Tells machines, and containers of one machine, apart: each numbers its own processes. */
function machine(): string {
  let processes = '';
  try {
    processes = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has it.
  }
  return createHash('sha256').update(`${hostname()} ${processes}`).digest('hex').slice(0, 8);
}
