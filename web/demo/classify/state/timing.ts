// The time of each layer. The first runs of a network are slow, so they are not counted. Browsers round the clock, and a
// small layer takes less than one step of it, so a sample is the mean of a batch of runs. The median of the samples is
// shown, as other work on the machine slows some of them down.

import type { ClassifiedLayer } from 'ambry';

interface TimedLayer {
  readonly op: string;
  readonly shape: ClassifiedLayer['shape'];
  /** Milliseconds: the mean of each batch. */
  readonly samples: readonly number[];
}

export interface Timing {
  /** All runs that are counted. */
  readonly runs: number;
  readonly layers: readonly TimedLayer[];
  /** Milliseconds of a whole run: the mean of each batch. */
  readonly totals: readonly number[];
}

export const noTiming: Timing = { runs: 0, layers: [], totals: [] };

/** A median, and between which values the middle half of the samples is. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

const maxSamples = 200;

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** Adds a batch of runs of the same network, which is one sample. */
export function withBatch(timing: Timing, batch: readonly (readonly ClassifiedLayer[])[]): Timing {
  const [first] = batch;
  if (first === undefined) {
    return timing;
  }
  const layers = first.map(({ op, shape }, i) => {
    const mean = sumOf(batch.map((run) => run[i]?.milliseconds ?? 0)) / batch.length;
    const samples = [...(timing.layers[i]?.samples ?? []), mean].slice(-maxSamples);
    return { op, shape, samples };
  });
  const total = sumOf(layers.map(({ samples }) => samples.at(-1) ?? 0));
  return {
    runs: timing.runs + batch.length,
    layers,
    totals: [...timing.totals, total].slice(-maxSamples),
  };
}

export function spreadOf(samples: readonly number[]): Spread {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share: number): number => {
    const place = share * (sorted.length - 1);
    const below = sorted[Math.floor(place)] ?? 0;
    const above = sorted[Math.ceil(place)] ?? below;
    return below + (place - Math.floor(place)) * (above - below);
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** The milliseconds of a layer; 0 if there is no such layer. */
export const timeOf = ({ layers }: Timing, layer: number): number =>
  spreadOf(layers[layer]?.samples ?? []).median;
