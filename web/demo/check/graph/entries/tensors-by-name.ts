import type { TensorInfo } from 'ambry';

/** The tensors of the file by their names, with their places in the table. */
export type TensorsByName = ReadonlyMap<string, readonly [index: number, tensor: TensorInfo]>;
