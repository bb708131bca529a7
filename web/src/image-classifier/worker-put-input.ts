// Copies the input of a network to the heap.

import type { Pixels } from '../platform/types.ts';
import { bytesOf, unwrap } from '../runtime/worker-heap.ts';
import type { HeapRange, ImageClassifierModule, OutcomeText } from '../wasm/module.mjs';

/** Functions that return where the core expects the input. */
interface InputRoom {
  readonly tensor: (numbers: number) => OutcomeText<HeapRange>;
  readonly picture: (width: number, height: number) => OutcomeText<HeapRange>;
}

export function putInput(
  module: Pick<ImageClassifierModule, 'HEAPU8'>,
  input: Float32Array | Pixels,
  room: InputRoom,
): void {
  const isTensor = input instanceof Float32Array;
  const range = isTensor ? room.tensor(input.length) : room.picture(input.width, input.height);
  module.HEAPU8.set(bytesOf(isTensor ? input : input.data), unwrap(range).address);
}
