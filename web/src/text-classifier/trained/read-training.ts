// What a classifier's file says of its training.
import { AmbryError, type ErrorPlace } from '../../base/errors.ts';
import { isObject } from '../../base/kinds.ts';
import type { HeldOutScore, TrainingFacts } from './types.ts';

type Unknown<T> = { readonly [K in keyof T]?: unknown };

export function trainingOf(
  given: unknown,
  labels: readonly string[],
  place: ErrorPlace,
): TrainingFacts {
  const { examples, l2, balanced, heldOut } = (
    isObject(given) ? given : {}
  ) as Unknown<TrainingFacts>;
  const isKnown = isCount(examples) && typeof balanced === 'boolean' && Number.isFinite(l2);
  if (!isKnown) {
    const message =
      'The training must have the number of examples, the cost of weights, and how labels count.';
    throw new AmbryError('BadValue', message, place);
  }
  const path = `${place.path}.heldOut`;
  const score = heldOut === null ? null : scoreOf(heldOut, labels, { ...place, path });
  return { examples, l2: l2 as number, balanced, heldOut: score };
}

function scoreOf(given: unknown, labels: readonly string[], place: ErrorPlace): HeldOutScore {
  const { correct, count, accuracy, perLabel } = (
    isObject(given) ? given : {}
  ) as Unknown<HeldOutScore>;
  const rows = Array.isArray(perLabel) ? perLabel.map(rowOf) : [];
  const isKnown =
    isShare(correct, count) &&
    typeof accuracy === 'number' &&
    accuracy >= 0 &&
    accuracy <= 1 &&
    rows.length === labels.length &&
    rows.every((row, i) => isShare(row.correct, row.count) && row.label === labels[i]);
  if (!isKnown) {
    const message = 'The score must say how many examples were right, of how many, for each label.';
    throw new AmbryError('BadValue', message, place);
  }
  const perRow = rows as HeldOutScore['perLabel'];
  return { correct: correct as number, count: count as number, accuracy, perLabel: perRow };
}

function rowOf(given: unknown): Unknown<HeldOutScore['perLabel'][number]> {
  const { label, correct, count } = (isObject(given) ? given : {}) as Unknown<
    HeldOutScore['perLabel'][number]
  >;
  return { label, correct, count };
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

const isShare = (correct: unknown, count: unknown): boolean =>
  isCount(correct) && isCount(count) && correct <= count;
