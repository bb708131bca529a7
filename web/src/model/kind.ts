// The kind of a file that runs as it is. opening.ts knows what has to be converted.
import type { ByteSource } from '../sources/base/byte-source.ts';
import { modelMagics, type ModelKind as RunKind } from '../wasm/tables.ts';

/** As what a worker runs a file. */
export type { RunKind };

/** The kind of an opened model. An encoder with a classification head is a reranker. The first bytes of a file do not tell
 *  it, and the encoder's worker runs it. */
export type ModelKind = RunKind | 'reranker';

/** As what a worker runs a model of this kind. */
export function runKind(kind: ModelKind): RunKind;
export function runKind(kind: ModelKind | undefined): RunKind | undefined;
export function runKind(kind: ModelKind | undefined): RunKind | undefined {
  return kind === 'reranker' ? 'encoder' : kind;
}

/** How many first bytes tell how a file opens. */
export const headBytes = 1024;

/** The first bytes of a file. */
export function headOf(source: ByteSource): Promise<Uint8Array> {
  return source.read(0, Math.min(source.size ?? headBytes, headBytes));
}

/** The kind of a file that runs as it is. Undefined when no format begins like this. The file may still be a
 *  tinyRuntime network, which has no magic. */
export function kindOf(head: Uint8Array): RunKind | undefined {
  const text = new TextDecoder('latin1').decode(head.subarray(0, 16));
  return modelMagics.find(([magic]) => text.startsWith(magic))?.[1];
}

/** Whether an encoder that begins like this is static. Its architecture is among the first metadata of EMBD: the lengths of
 *  key and value, key, value. */
export function isStaticEncoder(head: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(head).includes('\u000c\0\u0006\0architecturestatic');
}

/** The kind whose worker opens the file as `wanted`. Language models that make embeddings are encoders, and the worker of
 *  generators runs them. */
export function workerKind(head: Uint8Array, wanted?: RunKind): RunKind | undefined {
  return wanted === 'encoder' && kindOf(head) === 'generator' ? 'generator' : wanted;
}
