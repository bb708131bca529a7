import { visibleLine, visibleName } from '../../base/visible.ts';
import { decideDefaults, scoreNormalizations } from '../../entries/tables.ts';
import type { DecideOptions, Decisions, Questions } from '../../entries/types.ts';
import type { Generator } from '../../index.ts';
import { answerLines } from '../shared/answer-lines.ts';
import { asGiven, callOptions, word } from '../shared/call-options.ts';
import { type CommandOptions, defineCommand } from '../shared/command.ts';
import { jsonOption } from '../shared/common-options.ts';
import { readText } from '../shared/input.ts';
import { parseTextLine } from '../shared/read-lines.ts';
import type { Terminal } from '../shared/terminal.ts';
import { checkTextInput, lineInput, textInputOptions, withTexts } from '../shared/text-input.ts';
import { textGroups } from '../shared/text-lines.ts';
import { generatorOptions, withGenerator } from './open-generator.ts';
import { questionOptions, readQuestions } from './question-options.ts';
import { readTemplate, readVariables, templateOptions } from './template-option.ts';

const decideOptions = {
  normalize: {
    type: 'string',
    choices: scoreNormalizations,
    help: `What becomes of scores: nothing (none), the mean over the tokens of an answer (tokens), or the difference to the score after an empty text (prior). Default: ${decideDefaults.normalize}.`,
    read: word(scoreNormalizations),
  },
  system: {
    type: 'string',
    value: 'TEXT',
    help: 'The system message. Default: none.',
    read: asGiven,
  },
} as const satisfies CommandOptions;

export const command = defineCommand({
  usage: 'MODEL [TEXT...]',
  summary: 'Answer questions about texts with probabilities',
  details: [
    'MODEL is a language model with a chat template. It writes nothing: each answer that a question may have gets a score. Each question gives a line: place of the text from 0 on, question, most probable answer, its probability, with tabs in between.',
    'The lines of a file or of standard input are read as they are needed, so there may be any number.',
  ],
  options: {
    ...questionOptions,
    ...textInputOptions(
      'Read lines {"id", "text"} from standard input or --file, and print lines {"id", "decisions"}.',
    ),
    ...decideOptions,
    prompt: {
      type: 'string',
      value: 'FILE',
      help: 'A file with what is said to the model, in which {text}, {question} and {answers} are replaced. Default: what the documentation says.',
    },
    ...templateOptions,
    ...generatorOptions,
    ...jsonOption,
  },
  json: 'A line for each text: {text, decisions}. A decision is {value, probability, probabilities: [{value, probability, score}]}.',
  examples: [
    "decide chat.amb 'My bill is wrong.' --ask topic=bill,other --ask urgent",
    'decide chat.amb --file texts.txt --ask severity=1..5',
    'decide chat.amb --questions questions.json --jsonl < texts.jsonl',
  ],
  argumentCount: [1, Number.POSITIVE_INFINITY],
  run: async ([file = '', ...after], given, terminal) => {
    const values = withTexts(given, after);
    checkTextInput(file, values);
    const questions = await readQuestions(values);
    const prompt = values.prompt === undefined ? undefined : await readText(values.prompt);
    const lines = lineInput(values);
    const groups = lines ? undefined : await textGroups(values, terminal);
    return withGenerator(file, values, terminal, async (model) => {
      const options: DecideOptions = {
        ...callOptions<DecideOptions>(decideOptions, values),
        ...(prompt !== undefined && { prompt }),
        ...(await readTemplate(values.template, model)),
        ...readVariables(values),
        signal: terminal.signal,
      };
      if (lines) {
        return answerLines(lines, terminal, {
          parse: parseTextLine,
          answer: async (requests) => {
            const texts = requests.map(({ text }) => text);
            const all = await model.decide(texts, questions, options);
            return requests.map(({ id }, i) => ({ id, decisions: all[i] }));
          },
        });
      }
      await decideGroups(
        model,
        groups ?? [],
        { questions, options },
        values.json === true,
        terminal,
      );
      return 0;
    });
  },
});

async function decideGroups(
  model: Generator,
  groups: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
  { questions, options }: { readonly questions: Questions; readonly options: DecideOptions },
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  let place = 0;
  for await (const texts of groups) {
    const all = await model.decide(texts, questions, options);
    const lines = texts.map((text, i) => {
      const decisions = all[i] ?? {};
      return json
        ? `${visibleLine(JSON.stringify({ text, decisions }))}\n`
        : decisionLines(place + i, decisions);
    });
    await terminal.write(new TextEncoder().encode(lines.join('')));
    place += texts.length;
    terminal.countTexts(place);
  }
  terminal.clearBar();
}

const decisionLines = (place: number, decisions: Decisions): string =>
  Object.entries(decisions)
    .map(([name, { value, probability }]) =>
      [place, visibleName(name), visibleLine(String(value)), probability.toFixed(4)].join('\t'),
    )
    .map((line) => `${line}\n`)
    .join('');
