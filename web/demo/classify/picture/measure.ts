// Runs a network again and again to time its layers.

import type { ClassifiedLayer } from 'ambry';
import type { Network, Picture } from '../state/state.ts';
import { noTiming, type Timing, withBatch } from '../state/timing.ts';
import { classifyBy } from './open-network.ts';

/** A run of a fast network is far shorter than a step of the browser's clock. */
const runsOfBatch = 25;
/** A batch of a slow network has fewer runs. */
const batchMilliseconds = 500;

/** How many runs a batch has, when a run of all variants takes so long. */
export function batchSize(milliseconds: number): number {
  const fitting = Math.floor(batchMilliseconds / Math.max(0.001, milliseconds));
  return Math.max(1, Math.min(runsOfBatch, fitting));
}

/** Runs without the copies of feature maps, as these take time, too. */
async function runsOf(
  network: Network,
  picture: Picture,
  count: number,
  signal: AbortSignal,
): Promise<ClassifiedLayer[][][]> {
  const runs: ClassifiedLayer[][][] = network.variants.map(() => []);
  for (let run = 0; run < count; run += 1) {
    const answers = await classifyBy(network, picture, signal, { activations: false });
    answers.forEach(({ layers }, i) => {
      runs[i]?.push([...layers]);
    });
  }
  return runs;
}

/** Warms the network up, and returns how many runs a batch of it has. */
export async function warmUp(
  network: Network,
  picture: Picture,
  signal: AbortSignal,
): Promise<number> {
  await runsOf(network, picture, 1, signal);
  const begin = performance.now();
  await runsOf(network, picture, 1, signal);
  const size = batchSize(performance.now() - begin);
  await runsOf(network, picture, size - 1, signal);
  return size;
}

/** Adds a batch of runs to the timings of all variants. */
export async function measured(
  network: Network,
  picture: Picture,
  size: number,
  timings: readonly Timing[],
  signal: AbortSignal,
): Promise<Timing[]> {
  const runs = await runsOf(network, picture, size, signal);
  return runs.map((batch, i) => withBatch(timings[i] ?? noTiming, batch));
}
