// The kinds of models.
import type { ModelKind as RunKind } from '../wasm/tables.ts';

/** As what a worker runs a file. A `textClassifier` is a model of fastText then. */
export type { RunKind };

/** The kind of an opened model. An encoder with a classification head is a reranker if the head has one label, and a text
 *  classifier if it has more. The first bytes of a file do not tell it, and the encoder's worker runs both. */
export type ModelKind = RunKind | 'reranker';

/** As what a worker runs a model of this kind. A text classifier may also be an encoder: `openingOf` knows it. */
export function runKind(kind: ModelKind): RunKind;
export function runKind(kind: ModelKind | undefined): RunKind | undefined;
export function runKind(kind: ModelKind | undefined): RunKind | undefined {
  return kind === 'reranker' ? 'encoder' : kind;
}
