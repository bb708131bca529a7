import type { TextEntity } from 'ambry';
import { z } from 'zod';
import { exactObject } from '../options/check-options.ts';
import { firstOf, Room, shortName } from '../results/shorten.ts';
import type { Service } from '../service/service.ts';
import { named } from './named.ts';
import { mostTexts, tokenArguments } from './token-texts.ts';
import { defineTool, type Tool } from './tool.ts';

const mostEntities = 1000;

export function tagText(service: Service): Tool {
  const { taggers, settings } = service;
  return defineTool({
    name: 'tag_text',
    title: 'Find entities in texts',
    description:
      'Finds names and other entities in texts with a model on the user’s machine: each with its label, its place in UTF-16 units and a score. No text leaves the machine.',
    input: exactObject(
      {
        ...tokenArguments(service),
        threshold: z
          .number()
          .min(0)
          .max(1)
          .optional()
          .describe('Leave out entities with a smaller score.'),
      },
      'argument',
    ),
    run: ({ texts: given, tagger: name, labels, threshold }, call) =>
      named(taggers, name, 'tagger').use(call, async (tagger) => {
        const answers = await tagger.tag(typeof given === 'string' ? [given] : given, {
          ...(labels && { labels }),
          ...(threshold !== undefined && { threshold }),
          ...call,
        });
        const room = new Room(settings.maxResult);
        const results = answers.slice(0, mostTexts).map((entities) => {
          const { shown, leftOut } = firstOf(entities.map(shownEntity), room, mostEntities);
          return { entities: shown, ...(leftOut > 0 && { leftOut }) };
        });
        return { tagger: name, results };
      }),
  });
}

const shownEntity = ({ label, start, end, text, score }: TextEntity) => ({
  label: shortName(label),
  start,
  end,
  text: shortName(text),
  score: Number(score.toFixed(4)),
});
