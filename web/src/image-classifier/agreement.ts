// Compares the answers of two variants of a network, such as before and after quantization, on the caller's inputs.
import { AmbryError } from '../base/errors.ts';
import type {
  Agreement,
  AgreementOnInput,
  Classification,
  ClassifierInput,
  ClassifyOptions,
} from './types.ts';

interface Classifies {
  classify(input: ClassifierInput, options?: ClassifyOptions): Promise<Classification>;
}

export async function agreementOf(
  first: Classifies,
  second: Classifies,
  inputs: readonly ClassifierInput[],
  options: ClassifyOptions,
): Promise<Agreement> {
  if (inputs.length === 0) {
    throw new AmbryError('BadValue', 'There is nothing to compare them on.', { path: 'inputs' });
  }
  const settings = { ...options, topK: 1 };
  const each: AgreementOnInput[] = [];
  for (const input of inputs) {
    const a = await first.classify(input, settings);
    each.push(compared(a, await second.classify(input, settings)));
  }
  const differences = each.map(({ difference }) => difference);
  return {
    inputs: each.length,
    sameAnswer: each.filter(({ answers: [a, b] }) => a === b).length,
    largestDifference: Math.max(...differences),
    meanDifference: differences.reduce((sum, difference) => sum + difference, 0) / each.length,
    each,
  };
}

function compared(a: Classification, b: Classification): AgreementOnInput {
  if (a.logits.length !== b.logits.length) {
    const message = `One network has ${a.logits.length} classes, the other ${b.logits.length}.`;
    throw new AmbryError('Mismatch', message, { path: 'classifier.classes' });
  }
  const gaps = a.logits.map((logit, i) => Math.abs(logit - (b.logits[i] ?? 0)));
  return {
    answers: [a.top[0]?.index ?? -1, b.top[0]?.index ?? -1],
    difference: Math.max(...gaps),
  };
}
