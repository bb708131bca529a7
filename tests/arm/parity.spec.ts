// Jobs run in Node for 64-bit ARM, emulated, and in the Node that runs the tests. Every build gives the same bits, also
// with relaxed SIMD, whose instructions may give other results on ARM for some operands.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parityJobs } from '../engines/site/parity-jobs.ts';
import { parityFiles } from '../engines/support/parity-files.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../engines/support/temporary-folder.ts';
import { run } from '../support/processes.ts';
import type { JobResult } from './run-parity-job.ts';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The emulator's names of processors that compute products of bytes with other instructions. */
const processors = { 'with dot products': 'max', 'without dot products': 'cortex-a72' };

/** Jobs without products of bytes, for which one processor is enough. */
const withoutByteProducts = new Set([
  'embeddings, f32',
  'reranking, f32',
  'pictures, floats',
  'static embeddings',
  'word vectors',
  'search',
  'tokenizers',
  'quantization',
]);

let files: string;

beforeAll(async () => {
  files = await makeTemporaryFolder();
  for (const [name, bytes] of await parityFiles()) {
    await writeFile(join(files, name), bytes);
  }
});
afterAll(() => removeTemporaryFolder(files));

function inArm(processor: string, program: string, ...args: string[]): Promise<string> {
  return run(path('node.sh'), [path(program), ...args], { env: { QEMU_CPU: processor } });
}

/** What each job gives in this Node, which every processor is compared with. */
const here = new Map<string, Promise<JobResult[]>>();

function resultsHere(title: string): Promise<JobResult[]> {
  const known = here.get(title);
  if (known) {
    return known;
  }
  const results = run(process.execPath, [path('run-parity-job.ts'), files, title]).then(
    (json): JobResult[] => JSON.parse(json),
  );
  here.set(title, results);
  return results;
}

describe.each(Object.entries(processors))('ARM %s', (_, processor) => {
  // Otherwise the emulator would compute as the machine does, and the comparison would say nothing.
  test('takes bytes as signed', async () => {
    expect((await inArm(processor, 'relaxed-dot.ts')).trim()).toBe(`arm64 ${4 * 127 * -1}`);
  });

  for (const title of Object.keys(parityJobs)) {
    if (processor !== 'max' && withoutByteProducts.has(title)) {
      continue;
    }
    test.concurrent(`has the same bits: ${title}`, async () => {
      const found = JSON.parse(await inArm(processor, 'run-parity-job.ts', files, title));
      expect(found).toEqual(await resultsHere(title));
    });
  }
});
