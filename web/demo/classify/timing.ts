// The mean time of each layer over the runs so far. Browsers round the clock, and a small layer takes less than one step
// of it, so only a mean is meaningful. A run may be slow because of other work on the machine. Such outliers are capped
// at twice the median.

import type { ClassifiedLayer } from 'ambry';

export interface TimedLayer {
  readonly op: string;
  readonly shape: ClassifiedLayer['shape'];
  /** Milliseconds of the last runs. */
  readonly times: readonly number[];
}

export interface Timing {
  readonly runs: number;
  readonly layers: readonly TimedLayer[];
}

export const noTiming: Timing = { runs: 0, layers: [] };

const maxRuns = 200;
/** The step of the clock, in milliseconds. */
const clockStep = 0.1;

export function withRun({ layers }: Timing, run: readonly ClassifiedLayer[]): Timing {
  const timed = run.map(({ op, shape, milliseconds }, i) => {
    const times = [...(layers[i]?.times ?? []), milliseconds].slice(-maxRuns);
    return { op, shape, times };
  });
  return { runs: timed[0]?.times.length ?? 0, layers: timed };
}

/** The mean milliseconds of a layer; 0 if there is no such layer. */
export function timeOf({ layers }: Timing, layer: number): number {
  const times = layers[layer]?.times ?? [];
  const median = times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
  const max = Math.max(2 * clockStep, 2 * median);
  return times.reduce((sum, time) => sum + Math.min(time, max), 0) / Math.max(1, times.length);
}

/** The mean milliseconds of all layers together. */
export function timeOfAll(timing: Timing): number {
  return timing.layers.reduce((sum, _, i) => sum + timeOf(timing, i), 0);
}
