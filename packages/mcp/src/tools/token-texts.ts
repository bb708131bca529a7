// The arguments that tools for token classifiers have in common.
import { z } from 'zod';
import type { Service } from '../service/service.ts';
import { nameArgument } from './named.ts';

export const mostTexts = 64;
const mostCharacters = 50_000;
const mostLabels = 100;
const mostLabel = 200;

export function tokenArguments({ taggers }: Service) {
  const text = z.string().min(1).max(mostCharacters);
  return {
    texts: z
      .union([text, z.array(text).min(1).max(mostTexts)])
      .describe(`A text, or a list of up to ${mostTexts}.`),
    tagger: nameArgument([...taggers.keys()], 'tagger'),
    labels: z
      .array(z.string().min(1).max(mostLabel))
      .min(1)
      .max(mostLabels)
      .optional()
      .describe(
        'Only entities with these labels, such as PER. A label that the model does not have is an error that lists all.',
      ),
  };
}
