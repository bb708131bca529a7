// How long each layer took, on average over the runs so far. A small layer is shorter than a step of the clock
// that browsers give to pages, which the mean evens out. In any run something else may take the processor; such
// a run counts for no more than one that is a little slow.

import type { ClassifiedLayer } from 'ambry';

export interface TimedLayer {
  readonly op: string;
  readonly shape: ClassifiedLayer['shape'];
  /** Milliseconds of the latest runs. */
  readonly times: readonly number[];
}

export interface Timing {
  readonly runs: number;
  readonly layers: readonly TimedLayer[];
}

export const noTiming: Timing = { runs: 0, layers: [] };

const kMostRuns = 200;
/** Of the clock, in milliseconds. */
const kStep = 0.1;

export function withRun({ layers }: Timing, run: readonly ClassifiedLayer[]): Timing {
  const timed = run.map(({ op, shape, milliseconds }, i) => {
    const times = [...(layers[i]?.times ?? []), milliseconds].slice(-kMostRuns);
    return { op, shape, times };
  });
  return { runs: timed[0]?.times.length ?? 0, layers: timed };
}

/** Milliseconds of one layer in one run; 0 for a layer that there is none of. */
export function timeOf({ layers }: Timing, layer: number): number {
  const times = layers[layer]?.times ?? [];
  const median = times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
  const most = Math.max(2 * kStep, 2 * median);
  return times.reduce((sum, time) => sum + Math.min(time, most), 0) / Math.max(1, times.length);
}

export function timeOfAll(timing: Timing): number {
  return timing.layers.reduce((sum, _, i) => sum + timeOf(timing, i), 0);
}
