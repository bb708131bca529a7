// POST /predict, in the form of Text Embeddings Inference.
import type { TextClassifier, TextPair } from 'ambry';
import { checkCount } from 'ambry-openai/shared';
import { z } from 'zod';
import { overTexts } from '../service/numbers.ts';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';
import { commonFields, modelFor, truncation } from './fields.ts';

type Input = string | TextPair;

/** One text or two, which are read together. */
const sequence = z.array(z.string()).min(1).max(2);
/** A list of texts is one input, so that several inputs are a list of lists. */
const predictRequest = z.object({
  ...commonFields,
  inputs: z.union([z.string(), sequence, z.array(sequence).min(1)]),
  raw_scores: z.boolean().nullish(),
});

export async function predict(c: ApiContext, service: Service): Promise<Response> {
  const request = await readBody(c, predictRequest);
  const { served, model } = modelFor(service, request.model, ['textClassifier']);
  const { inputs: given } = request;
  const isBatch = typeof given !== 'string' && given.some(Array.isArray);
  const inputs = (isBatch ? (given as string[][]) : [given as string | string[]]).map(inputOf);
  checkCount('inputs', inputs.length, service.settings.maxInputs);
  const options = { signal: c.var.signal, truncate: truncation(request.truncate) } as const;
  const texts = inputs.map((input) => (typeof input === 'string' ? input : input.join(' ')));
  const labelled = await overTexts(service, served, model, texts, c.var.signal, (some, begin) => {
    const part = inputs.slice(begin, begin + some.length);
    return request.raw_scores
      ? rawScores(model, part, options)
      : model.classify(part, { ...options, k: model.labels.length });
  });
  const answers = labelled.map((labels) => labels.map(({ label, score }) => ({ score, label })));
  return c.json(isBatch ? answers : answers[0]);
}

function inputOf(given: string | string[]): Input {
  if (typeof given === 'string') {
    return given;
  }
  const [first = '', second] = given;
  return second === undefined ? first : [first, second];
}

/** The logits of the labels, the best first. */
async function rawScores(
  model: TextClassifier,
  inputs: readonly Input[],
  options: { readonly signal: AbortSignal; readonly truncate: 'end' | 'error' },
) {
  const logits = await model.logits(inputs, options);
  const width = model.labels.length;
  return inputs.map((_, i) =>
    model.labels
      .map((label, j) => ({ label, score: logits[i * width + j] ?? 0 }))
      .toSorted((a, b) => b.score - a.score),
  );
}
