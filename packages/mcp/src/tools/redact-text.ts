import { z } from 'zod';
import { exactObject } from '../options/check-options.ts';
import { firstOf, Room } from '../results/shorten.ts';
import type { Service } from '../service/service.ts';
import { named } from './named.ts';
import { mostTexts, tokenArguments } from './token-texts.ts';
import { defineTool, type Tool } from './tool.ts';

const mostReplacement = 200;

export function redactText(service: Service): Tool {
  const { taggers, settings } = service;
  return defineTool({
    name: 'redact_text',
    title: 'Replace entities in texts',
    description:
      'Replaces names and other entities in texts, by [PER] and the like, with a model on the user’s machine. A model misses some. No text leaves the machine.',
    input: exactObject(
      {
        ...tokenArguments(service),
        replacement: z
          .string()
          .max(mostReplacement)
          .optional()
          .describe('What takes the place of an entity; {label} stands for its label.'),
      },
      'argument',
    ),
    run: ({ texts: given, tagger: name, labels, replacement }, call) =>
      named(taggers, name, 'tagger').use(call, async (tagger) => {
        const texts = await tagger.redact(typeof given === 'string' ? [given] : given, {
          ...(labels && { labels }),
          ...(replacement !== undefined && { replacement }),
          ...call,
        });
        const { shown, leftOut } = firstOf(texts, new Room(settings.maxResult), mostTexts);
        return { tagger: name, texts: shown, ...(leftOut > 0 && { leftOut }) };
      }),
  });
}
