// A target file that appears only when it is complete. Its bytes are written to a temporary file beside it, which
// replaces it at the end.
import { constants, rmSync, type Stats } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { OutputFile } from '../platform/platform.ts';
import { partialPath, removeLeftOvers } from './node-left-overs.ts';
import { cannotWrite, noFollow } from './node-output.ts';
import { findTarget } from './node-target.ts';

/** Nobody else has made the file, and no link leads away from it. */
const exclusive = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow;
const permissions = 0o777;

/** Creates the temporary file. Also removes those that crashed runs left for the same target. */
export async function createOutput(target: string): Promise<OutputFile> {
  const found = await findTarget(target);
  if (found.kind === 'stream') {
    const advice = 'Leave out `output`, and write the blob to it.';
    throw cannotWrite(target, `it is a stream, which takes bytes in order only. ${advice}`);
  }
  await removeLeftOvers(found.path);
  const path = partialPath(found.path);
  const forget = removeAtExit(path);
  const discard = async () => {
    await rm(path, { force: true }).catch(() => {});
    forget();
  };
  const failed = async (error: unknown): Promise<never> => {
    await discard();
    throw cannotWrite(target, error);
  };
  await create(path, found.existing).catch(failed);
  const commit = async () => {
    await rename(path, found.path).catch(failed);
    forget();
    await syncFolder(dirname(path));
  };
  return { path, target, commit, discard };
}

/** The file gets the owner and the permissions of the one that it will replace. */
async function create(path: string, existing: Stats | undefined): Promise<void> {
  const handle = await open(path, exclusive, existing ? 0o600 : 0o666);
  try {
    if (!existing) {
      return;
    }
    // Only root can give a file to others, and only members to a group.
    await handle.chown(existing.uid, existing.gid).catch(() => {});
    await handle.chmod(existing.mode & permissions);
  } finally {
    await handle.close();
  }
}

/** Without this, a crash of the machine could undo the rename. Some systems cannot open folders. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

const remainders = new Set<string>();

/** Removes the file or folder if the process exits before the returned function is called. */
export function removeAtExit(path: string): () => void {
  if (remainders.size === 0) {
    process.on('exit', removeRemainders);
  }
  remainders.add(path);
  return () => {
    remainders.delete(path);
    if (remainders.size === 0) {
      process.off('exit', removeRemainders);
    }
  };
}

function removeRemainders(): void {
  for (const path of remainders) {
    rmSync(path, { recursive: true, force: true });
  }
}
