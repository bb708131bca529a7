import type { LabelScore } from 'ambry';
import { z } from 'zod';
import { exactObject } from '../options/check-options.ts';
import { firstOf, Room, shortName } from '../results/shorten.ts';
import type { Service } from '../service/service.ts';
import { nameArgument, named } from './named.ts';
import { defineTool, type Tool } from './tool.ts';

const mostTexts = 64;
const mostCharacters = 50_000;
const mostLabels = 100;
const mostLabel = 200;

export function classifyText({ classifiers, settings }: Service): Tool {
  const text = z.string().min(1).max(mostCharacters);
  return defineTool({
    name: 'classify_text',
    title: 'Classify texts',
    description:
      'Gives labels to texts with a classifier on the user’s machine, the best first, each with a score. No text leaves the machine.',
    input: exactObject(
      {
        texts: z
          .union([text, z.array(text).min(1).max(mostTexts)])
          .describe(`A text, or a list of up to ${mostTexts}.`),
        classifier: nameArgument([...classifiers.keys()], 'classifier'),
        k: z.int().min(1).max(mostLabels).default(5).describe('How many labels for each text.'),
        candidates: z
          .array(z.string().min(1).max(mostLabel))
          .min(1)
          .max(mostLabels)
          .optional()
          .describe(
            'Labels to choose from instead of those of the model. Only models for natural language inference take them.',
          ),
      },
      'argument',
    ),
    run: ({ texts: given, classifier: name, k, candidates }, call) =>
      named(classifiers, name, 'classifier').use(call, async (classifier) => {
        const texts = typeof given === 'string' ? [given] : given;
        const answers = await classifier.classify(texts, {
          k,
          ...(candidates && { candidates }),
          ...call,
        });
        const room = new Room(settings.maxResult);
        const { shown, leftOut } = firstOf(answers.map(shownLabels), room, mostTexts);
        return {
          classifier: name,
          results: shown,
          ...(leftOut > 0 && { leftOut }),
        };
      }),
  });
}

function shownLabels(labels: readonly LabelScore[]) {
  return {
    labels: labels.map(({ label, index, score }) => ({
      label: shortName(label),
      index,
      score: Number(score.toFixed(4)),
    })),
  };
}
