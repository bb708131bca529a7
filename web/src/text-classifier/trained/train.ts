// Trains a classifier: measures on examples that were held out, and then learns from all. There is no chance in it, so equal
// input gives equal weights.
import { Yielder } from '../../base/yielder.ts';
import type { JobOptions } from '../../rpc/types.ts';
import { putLogits, rowsAtATime } from './logits.ts';
import { minimize, mostSteps } from './minimize.ts';
import { Objective, type TrainingData, weightsAt } from './objective.ts';
import { splitOf } from './split.ts';

interface Trained {
  readonly weight: Float32Array<ArrayBuffer>;
  readonly bias: Float32Array<ArrayBuffer>;
  readonly heldOut: Measured | null;
}

/** By label: how many examples were held out, and how many of them were right. */
export interface Measured {
  readonly counts: Int32Array;
  readonly correct: Int32Array;
}

export async function train(
  data: TrainingData,
  l2: number,
  { signal, onProgress }: JobOptions,
): Promise<Trained> {
  const yielder = new Yielder(signal);
  const split = splitOf(data.targets, data.labels);
  const searches = split ? 2 : 1;
  let done = 0;
  const tell = (share: number) => {
    const loaded = Math.floor((1000 * (done + share)) / searches);
    onProgress?.({ phase: 'train', loaded, total: 1000, cached: false });
  };
  const learn = async (chosen: Int32Array, start: Float64Array): Promise<Float64Array> => {
    const objective = new Objective(data, chosen, l2, yielder);
    const found = await minimize(objective, start, yielder, (step) => tell(step / mostSteps));
    done++;
    return found;
  };
  let point: Float64Array = new Float64Array(data.labels * (data.dim + 1));
  let heldOut: Measured | null = null;
  if (split) {
    point = await learn(split.rest, point);
    heldOut = await measure(data, split.heldOut, point, yielder);
  }
  const all = Int32Array.from(data.targets, (_, i) => i);
  const { weight, bias } = weightsAt(await learn(all, point), data);
  tell(0);
  return { weight: Float32Array.from(weight), bias: Float32Array.from(bias), heldOut };
}

async function measure(
  data: TrainingData,
  chosen: Int32Array,
  point: Float64Array,
  yielder: Yielder,
): Promise<Measured> {
  const { rows, dim, labels, targets } = data;
  const weights = weightsAt(point, data);
  const logits = new Float64Array(labels);
  const counts = new Int32Array(labels);
  const correct = new Int32Array(labels);
  const step = rowsAtATime(point.length);
  for (const [i, example] of chosen.entries()) {
    const target = targets[example] as number;
    putLogits(weights, rows, example * dim, logits);
    const isBest = logits.indexOf(Math.max(...logits)) === target;
    counts[target] = (counts[target] as number) + 1;
    correct[target] = (correct[target] as number) + (isBest ? 1 : 0);
    if (i % step === 0) {
      await yielder.yieldIfDue();
    }
  }
  return { counts, correct };
}
