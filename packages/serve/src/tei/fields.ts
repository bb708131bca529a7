// What requests in the form of Text Embeddings Inference have in common.

import type { Model, ModelOfKind } from 'ambry';
import type { ApiError } from 'ambry-openai/shared';
import { z } from 'zod';
import type { ServedModel } from '../service/models.ts';
import type { Service } from '../service/service.ts';

/** The field `model` is ours: a server of theirs has one model, and this one may have several. */
export const commonFields = {
  model: z.string().nullish(),
  truncate: z.boolean().nullish(),
  truncation_direction: z.enum(['Right', 'right']).nullish(),
};

/** Texts that are too long are cut unless the request says otherwise. */
export const truncation = (truncate: boolean | null | undefined) =>
  truncate === false ? 'error' : 'end';

/** The model that a request names, or the first one of these kinds. Throws an `ApiError`. */
export function modelFor<K extends Model['kind']>(
  { models }: Service,
  name: string | null | undefined,
  kinds: readonly K[],
): { served: ServedModel; model: ModelOfKind[K] } {
  const isFitting = ({ opened }: ServedModel) =>
    opened !== undefined && (kinds as readonly Model['kind'][]).includes(opened.kind);
  const found = name ?? (models.all.find(isFitting) ?? models.all[0])?.name ?? '';
  return models.ready(found, kinds);
}

/** The names of errors in their form, by the status of the answer. */
const errorTypes: Readonly<Record<number, string>> = {
  400: 'Validation',
  413: 'Validation',
  422: 'Tokenizer',
  429: 'Overloaded',
  503: 'Unhealthy',
};

/** The body of an error for clients of Text Embeddings Inference. */
export function teiError({ status, message, facts: { param } }: ApiError) {
  const error = param === undefined ? message : `${param}: ${message}`;
  return { error, error_type: errorTypes[status] ?? (status < 500 ? 'Validation' : 'Backend') };
}
