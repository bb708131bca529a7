// The kinds of models.
import type { ModelKind as RunKind } from '../wasm/tables.ts';

/** As what a worker runs a file. A `textClassifier` is a model of fastText then. */
export type { RunKind };

/** What an encoder with a head is: a reranker if a classification head has one label, and a text classifier if it has more; the
 *  others have a head that every token passes. The first bytes of a file do not tell it, and the encoders' workers run all. */
export const headKinds = [
  'reranker',
  'tokenClassifier',
  'questionAnswering',
  'fillMask',
  'sparseEncoder',
] as const;
export type HeadKind = (typeof headKinds)[number];

/** The kind of an opened model. */
export type ModelKind = RunKind | HeadKind;

/** As what a worker runs a model of this kind. A text classifier may also be an encoder: `openingOf` knows it. */
export function runKind(kind: ModelKind): RunKind;
export function runKind(kind: ModelKind | undefined): RunKind | undefined;
export function runKind(kind: ModelKind | undefined): RunKind | undefined {
  return isHeadKind(kind) ? 'encoder' : kind;
}

function isHeadKind(kind: ModelKind | undefined): kind is HeadKind {
  return (headKinds as readonly (string | undefined)[]).includes(kind);
}
