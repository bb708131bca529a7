// Arrays of files as networks take them: channel by channel.
import { UsageError } from '../shared/failure.ts';
import { directorySource } from '../shared/input.ts';
import { type FloatArray, readFloats, shapeText } from '../shared/npy.ts';
import { openAs, openCall } from '../shared/open-model.ts';
import type { Terminal } from '../shared/terminal.ts';

type InputShape = readonly [channels: number, height: number, width: number];

/** The values in the order of the network. An array whose channels come last is transposed. One of another shape is refused,
 *  even where the number of its values is right. The library checks the number of raw values, which have no shape. */
export function valuesFor(
  { path, values, shape }: FloatArray,
  input: InputShape | undefined,
): Float32Array {
  if (!shape || !input) {
    return values;
  }
  const [channels, height, width] = input;
  if (isSameShape(shape, input)) {
    return values;
  }
  if (isSameShape(shape, [height, width, channels])) {
    return channelsFirst(values, channels);
  }
  const wanted = `${shapeText(input)}, or ${shapeText([height, width, channels])} with the channels last`;
  const message = `${path} has the shape ${shapeText(shape)}, but the network takes ${wanted}.`;
  throw new UsageError(`${message} Reshape it, or write each picture into a file of its own.`);
}

/** Whether the shapes differ at most in axes of length 1. */
function isSameShape(a: readonly number[], b: readonly number[]): boolean {
  const longAxes = (shape: readonly number[]) => shape.filter((length) => length !== 1).join();
  return longAxes(a) === longAxes(b);
}

function channelsFirst(values: Float32Array, channels: number): Float32Array {
  const pixels = values.length / channels;
  return Float32Array.from(values, (_, i) => {
    const [channel, pixel] = [Math.floor(i / pixels), i % pixels];
    return values[pixel * channels + channel] ?? 0;
  });
}

/** The shape of the network's input: its plan's, or its own. Whoever runs the network says what is wrong with a plan. */
export function inputShape(
  plan: string | undefined,
  own: InputShape | null,
): InputShape | undefined {
  return (plan === undefined ? undefined : shapeIn(plan)) ?? own ?? undefined;
}

function shapeIn(plan: string): InputShape | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(plan);
  } catch {
    return undefined;
  }
  const { input } = (parsed ?? {}) as { readonly input?: unknown };
  const isShape = Array.isArray(input) && input.length === 3 && input.every(Number.isInteger);
  return isShape ? (input as unknown as InputShape) : undefined;
}

/** The arrays of these files, as the network `model` takes them. */
export async function readTensors(
  paths: readonly string[],
  model: string,
  plan: string | undefined,
  terminal: Terminal,
): Promise<Float32Array[]> {
  const arrays = await Promise.all(paths.map(readFloats));
  const needsShape = arrays.some(({ shape }) => shape !== undefined);
  const shape = needsShape ? await shapeOfNetwork(model, plan, terminal) : undefined;
  return arrays.map((array) => valuesFor(array, shape));
}

async function shapeOfNetwork(
  file: string,
  plan: string | undefined,
  terminal: Terminal,
): Promise<InputShape | undefined> {
  const source = await directorySource(file);
  await using model = await openAs(['imageClassifier'], file, source, openCall(terminal));
  return inputShape(plan, model.info.imageClassifier.input);
}
