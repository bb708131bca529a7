// Compares the answers of two variants of a network, such as before and after quantization, on the caller's inputs.
import { AmbryError } from '../base/errors.ts';
import type {
  Agreement,
  AgreementOnInput,
  ClassifyImageOptions,
  ImageInput,
  ImageRun,
} from './types.ts';

interface Runs {
  run(input: ImageInput, options?: ClassifyImageOptions): Promise<ImageRun>;
}

export async function agreementOf(
  first: Runs,
  second: Runs,
  inputs: readonly ImageInput[],
  options: ClassifyImageOptions,
): Promise<Agreement> {
  if (inputs.length === 0) {
    throw new AmbryError('BadValue', 'There is nothing to compare them on.', { path: 'inputs' });
  }
  const settings = { ...options, k: 1 };
  const each: AgreementOnInput[] = [];
  for (const input of inputs) {
    const a = await first.run(input, settings);
    each.push(compared(a, await second.run(input, settings)));
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

function compared(a: ImageRun, b: ImageRun): AgreementOnInput {
  if (a.logits.length !== b.logits.length) {
    const message = `One network has ${a.logits.length} classes, the other ${b.logits.length}.`;
    throw new AmbryError('Mismatch', message, { path: 'imageClassifier.classes' });
  }
  const gaps = a.logits.map((logit, i) => Math.abs(logit - (b.logits[i] ?? 0)));
  return {
    answers: [a.labels[0]?.index ?? -1, b.labels[0]?.index ?? -1],
    difference: Math.max(...gaps),
  };
}
