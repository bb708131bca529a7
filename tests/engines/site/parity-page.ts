// The page that runs the jobs in a browser, with the package as a site serves it.

import * as ambry from 'ambry';
import { type Kept, tryToKeep } from './keeping.ts';
import { type ParityResult, parityJobs } from './parity-jobs.ts';

async function read(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(`/files/${name}`);
  if (!response.ok) {
    throw new Error(`${name}: ${response.status}`);
  }
  return new Uint8Array(await response.arrayBuffer());
}

async function runParityJob(name: string, deterministic: boolean): Promise<ParityResult> {
  const job = parityJobs[name];
  if (job === undefined) {
    throw new Error(`There is no job “${name}”.`);
  }
  return job({ ambry, read, deterministic });
}

function runKeeping(file: string): Promise<Kept> {
  return tryToKeep(ambry, new URL(`/files/${file}`, location.href).href);
}

Object.assign(globalThis, { runKeeping, runParityJob });
