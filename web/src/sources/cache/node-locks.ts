// Locks of the files in a directory. A job that uses a file writes a lock beside it, and touches it from time to time. The lock's
// name has the process and the machine: several may share the directory, and each container has a process 1.
//
// A lock is left over when its process has ended, or when nobody touched it for long: a process of another machine cannot be
// asked, and the number of one that was killed may be that of another one now.
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { isRunning } from '../base/node-process.ts';
import type { Release } from './store.ts';

const attempts = 5;
const pauseMs = 30;
const beatMs = 10_000;
/** A machine that is busy may be late. */
const stillMs = 90_000;
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

type Mode = 'shared' | 'exclusive';

let locks = 0;

/** Makes the directory. Two processes that lock at the same moment both see the other and release the lock. So each tries a
 *  few times. */
export async function lockIn(
  directory: string,
  key: string,
  mode: Mode,
): Promise<Release | undefined> {
  await mkdir(directory, { recursive: true });
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt > 0) {
      await sleep(pauseMs * (1 + Math.random()));
    }
    const release = await tryLock(directory, key, mode);
    if (release) {
      return release;
    }
  }
  return undefined;
}

async function tryLock(directory: string, key: string, mode: Mode): Promise<Release | undefined> {
  const name = `${key}.${mode}.${process.pid}.${threadId}.${locks++}.${machine}`;
  const path = join(directory, name);
  await writeFile(path, '');
  const timer = setInterval(() => touch(path), beatMs).unref();
  const release = () => {
    clearInterval(timer);
    return rm(path, { force: true });
  };
  if (await isFree(directory, key, mode, name).catch(() => false)) {
    return release;
  }
  await release();
  return undefined;
}

/** The machine that has the directory tells the time, so that clocks of others do not matter. A lock that somebody removed stays
 *  removed. */
async function touch(path: string): Promise<void> {
  const file = await open(path, 'r+').catch(() => undefined);
  try {
    await file?.write('.', 0);
  } catch {
    // A full disk: others take the lock for left over, and what is written is checked in any case.
  } finally {
    await file?.close();
  }
}

async function isFree(directory: string, key: string, mode: Mode, own: string): Promise<boolean> {
  for (const other of await readdir(directory)) {
    const [owner, otherMode] = other.split('.');
    const counts = otherMode === 'exclusive' || (otherMode === 'shared' && mode === 'exclusive');
    if (owner !== key || other === own || !counts) {
      continue;
    }
    if (!(await isLeftOver(directory, other, own))) {
      return false;
    }
    await rm(join(directory, other), { force: true });
  }
  return true;
}

async function isLeftOver(directory: string, name: string, own: string): Promise<boolean> {
  // Locks of earlier versions say no machine, and nobody touches them.
  const [, , pid, , , place] = name.split('.');
  const isHere = place === undefined || place === machine;
  if (isHere && !isRunning(Number(pid))) {
    return true;
  }
  const [before, now] = await Promise.all([name, own].map((file) => stat(join(directory, file))));
  return place !== undefined && (now?.mtimeMs ?? 0) - (before?.mtimeMs ?? 0) > stillMs;
}
