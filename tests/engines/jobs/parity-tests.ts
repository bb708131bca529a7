// Jobs run in a browser and in Node. The build that is the same everywhere gives the same bits; the build with relaxed
// SIMD, whose instructions may round in several ways, stays near them.

import * as ambry from 'ambry';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type ParityJob, type ParityResult, parityJobs } from '../site/parity-jobs.ts';
import type { Engine, EnginePage, RunningEngine } from '../support/engine-page.ts';
import { expectNoProblems, waitForScript } from '../support/view.ts';

/** How far numbers of the relaxed build may be from those of the other one. All others, those of int8 encoders and of
 *  language models among them, have the same bits. docs/engines.md explains them. */
const relaxedBounds: Readonly<Record<string, number>> = {
  'embeddings, f32': 1e-6,
  'reranking, f32': 1e-6,
  'pictures, floats': 1e-4,
  'pictures, DQ8': 1e-4,
  'pictures, SQ8': 1e-4,
};

/** Pages run these in modules that have one build. */
const hasOneBuild = new Set(['static embeddings', 'word vectors', 'search']);

/** The largest difference of two numbers at the same place. */
function differenceOf(a: ParityResult, b: ParityResult): number {
  // WebDriver brings the names in another order.
  expect(Object.keys(a.numbers).sort()).toEqual(Object.keys(b.numbers).sort());
  let largest = 0;
  for (const [name, numbers] of Object.entries(a.numbers)) {
    const others = b.numbers[name] ?? [];
    expect(others.length, name).toBe(numbers.length);
    for (const [i, number] of numbers.entries()) {
      expect(Number.isFinite(number), `${name}[${i}]`).toBe(true);
      largest = Math.max(largest, Math.abs(number - (others[i] ?? Number.NaN)));
    }
  }
  return largest;
}

/** What the table says of a job. */
function detailOf({ flavour }: ParityResult, difference: number): string {
  if (flavour === null) {
    return 'the same as in Node';
  }
  if (flavour === 'baseline') {
    return 'baseline: the same bits as in Node';
  }
  return `baseline: the same bits as in Node; ${flavour}: within ${difference.toExponential(1)}`;
}

function runInPage(page: EnginePage, name: string, deterministic: boolean): Promise<ParityResult> {
  return page.evaluate(`runParityJob(${JSON.stringify(name)}, ${deterministic})`);
}

function runInNode(job: ParityJob): Promise<ParityResult> {
  const read = async (file: string) => {
    const response = await fetch(`${inject('sites').package}files/${file}`);
    if (!response.ok) {
      throw new Error(`${file}: ${response.status}`);
    }
    return new Uint8Array(await response.arrayBuffer());
  };
  return job({ ambry, read, deterministic: true });
}

export function testParity(engine: Engine, running: () => RunningEngine): void {
  describe('the package beside Node', () => {
    beforeAll(async () => {
      const { page } = running();
      await page.goto(inject('sites').package);
      await waitForScript(page, 'runParityJob');
    });

    for (const [name, job] of Object.entries(parityJobs)) {
      test(name, async ({ task }) => {
        const { page } = running();
        const same = await runInPage(page, name, true);
        const expected = await runInNode(job);
        expect(same.flavour).toBe(expected.flavour);
        expect(same.exact).toEqual(expected.exact);
        expect(differenceOf(same, expected)).toBe(0);

        // Without a model there is nothing that the other build could compute.
        const usual = same.flavour === null ? same : await runInPage(page, name, false);
        const hasRelaxed = same.flavour !== null && !hasOneBuild.has(name);
        expect(usual.flavour).toBe(hasRelaxed ? engine.flavour : same.flavour);
        expect(usual.exact).toEqual(expected.exact);
        const difference = differenceOf(usual, expected);
        task.meta.detail = detailOf(usual, difference);
        const bound = usual.flavour === 'relaxed' ? (relaxedBounds[name] ?? 0) : 0;
        expect(difference).toBeLessThanOrEqual(bound);
        await expectNoProblems(page);
      });
    }
  });
}
