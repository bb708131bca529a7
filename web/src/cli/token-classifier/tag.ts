import { visibleLine, visibleName } from '../../base/visible.ts';
import type { TagOptions, TextEntity } from '../../entries/types.ts';
import type { TokenClassifier } from '../../index.ts';
import { answerLines } from '../shared/answer-lines.ts';
import { defineCommand } from '../shared/command.ts';
import { jsonOption } from '../shared/common-options.ts';
import { shortFloat } from '../shared/format.ts';
import { parseTextLine } from '../shared/read-lines.ts';
import type { Terminal } from '../shared/terminal.ts';
import { checkTextInput, lineInput, textInputOptions, withTexts } from '../shared/text-input.ts';
import { textGroups } from '../shared/text-lines.ts';
import { markedText } from './marked-text.ts';
import { parseTagOptions, tagModelOptions, tagOptions, withTagger } from './tag-options.ts';

export const command = defineCommand({
  usage: 'MODEL [TEXT...]',
  summary: 'Find names and other entities in texts',
  details: [
    'MODEL is a token classifier: an encoder such as a BertForTokenClassification. Each entity gives a line: place of the text from 0 on, start, end, label, score, part of the text, with tabs in between. start and end count UTF-16 units. At a terminal each text is printed with its entities in brackets.',
    'The lines of a file or of standard input are read as they are needed, so there may be any number. A text that is too long for the model is read in windows, as a whole.',
  ],
  options: {
    ...textInputOptions(
      'Read lines {"id", "text"} from standard input or --file, and print lines {"id", "entities"}.',
    ),
    ...tagOptions,
    ...tagModelOptions,
    ...jsonOption,
  },
  json: 'A line for each text: {text, entities}. An entity is {label, start, end, text, score}.',
  examples: [
    "tag ner.weights 'Ada Lovelace lived in London.'",
    'tag ner.weights --file texts.txt --labels PER,LOC',
    'tag ner.weights --jsonl < texts.jsonl > entities.jsonl',
  ],
  argumentCount: [1, Number.POSITIVE_INFINITY],
  run: async ([file = '', ...after], given, terminal) => {
    const values = withTexts(given, after);
    checkTextInput(file, values);
    const options = parseTagOptions(values, terminal);
    const lines = lineInput(values);
    const groups = lines ? undefined : await textGroups(values, terminal);
    return withTagger(file, values, terminal, async (model) => {
      if (lines) {
        return answerLines(lines, terminal, {
          parse: parseTextLine,
          answer: async (requests) => {
            const all = await model.tag(
              requests.map(({ text }) => text),
              options,
            );
            return requests.map(({ id }, i) => ({ id, entities: shortened(all[i] ?? []) }));
          },
        });
      }
      await tagGroups(model, groups ?? [], options, values.json === true, terminal);
      return 0;
    });
  },
});

async function tagGroups(
  model: TokenClassifier,
  groups: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
  options: TagOptions,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  let place = 0;
  for await (const texts of groups) {
    const all = await model.tag(texts, options);
    const lines = texts.map((text, i) => printed(place + i, text, all[i] ?? [], json, terminal));
    // What is hidden in texts is visible already, and marks of colours are none of it.
    await terminal.write(new TextEncoder().encode(lines.join('')));
    place += texts.length;
    terminal.countTexts(place);
  }
  terminal.clearBar();
}

function printed(
  place: number,
  text: string,
  entities: readonly TextEntity[],
  json: boolean,
  { isTerminal, hasColours }: Terminal,
): string {
  if (json) {
    return `${visibleLine(JSON.stringify({ text, entities: shortened(entities) }))}\n`;
  }
  return isTerminal
    ? `${markedText(text, entities, hasColours)}\n`
    : entities.map((entity) => `${entityLine(place, entity)}\n`).join('');
}

const entityLine = (place: number, { start, end, label, score, text }: TextEntity): string =>
  [place, start, end, visibleName(label), score.toFixed(4), visibleLine(text)].join('\t');

const shortened = (entities: readonly TextEntity[]): TextEntity[] =>
  entities.map(({ score, ...entity }) => ({ ...entity, score: shortFloat(score) }));
