// Reads the plan of the core: a list of numbers.
import {
  bufferNames,
  type DevicePlan,
  kernelBuffers,
  type PlannedMatrix,
  type PlannedStep,
  weightTypes,
} from './plan.ts';

export function readPlan(numbers: readonly number[]): DevicePlan {
  let at = 0;
  const next = (): number => numbers[at++] ?? 0;
  const list = <T>(read: () => T): T[] => Array.from({ length: next() }, read);
  const head = {
    norm: next() > 0 ? ('layer' as const) : ('rms' as const),
    eps: next(),
    layers: next(),
    kvWidth: next(),
    context: next(),
    buffers: Object.fromEntries(bufferNames.map((name) => [name, next()])) as DevicePlan['buffers'],
  };
  return {
    ...head,
    vectors: list(() => [next(), next()] as const),
    matrices: list(() => readMatrix(next)),
    parts: list(() =>
      list(() => {
        const length = next();
        at += length;
        return readStep(numbers.slice(at - length, at));
      }),
    ),
  };
}

function readMatrix(next: () => number): PlannedMatrix {
  return {
    tensor: next(),
    type: weightTypes[next()] ?? 'f32',
    rows: next(),
    cols: next(),
    factor: next(),
    transposed: next() > 0,
    block: next(),
    scaleBytes: next(),
    scalesAt: next(),
    codesAt: next(),
  };
}

function readStep([kernel = 0, ...rest]: readonly number[]): PlannedStep {
  const [name, count] = Object.entries(kernelBuffers)[kernel] ?? ['copy', 0];
  const buffers = rest.slice(0, count).map((buffer) => bufferNames[buffer] ?? 'hidden');
  return [name, buffers, rest.slice(count)];
}
