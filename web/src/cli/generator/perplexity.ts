import { defineCommand } from '../shared/command.ts';
import { jsonOption } from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { plural } from '../shared/format.ts';
import { readText } from '../shared/input.ts';
import { integer } from '../shared/option-values.ts';
import { generatorOptions, withGenerator } from './open-generator.ts';

export const command = defineCommand({
  usage: 'MODEL (--text TEXT | --file FILE)',
  summary: 'Measure how well a language model predicts a text',
  details: ['MODEL is an amb or alt file. A lower perplexity is a better prediction.'],
  options: {
    text: { type: 'string', value: 'TEXT', help: 'The text. Required without --file.' },
    file: {
      type: 'string',
      value: 'FILE',
      help: 'A file with the text, or - for standard input. Required without --text.',
    },
    window: {
      type: 'string',
      value: 'N',
      help: 'The number of tokens that the model sees at once. Default: its context.',
    },
    stride: {
      type: 'string',
      value: 'N',
      help: 'The number of tokens from one window to the next. Default: half a window.',
    },
    ...generatorOptions,
    ...jsonOption,
  },
  json: '{perplexity, crossEntropy, tokens, windows}.',
  examples: ['perplexity stories.amb --file story.txt'],
  argumentCount: [1, 1],
  run: async ([file = ''], values, terminal) => {
    if ((values.file === undefined) === (values.text === undefined)) {
      throw new UsageError('Give either --text TEXT or --file FILE.', '--text');
    }
    const text = values.file === undefined ? (values.text ?? '') : await readText(values.file);
    const window = integer(values.window, '--window', 2);
    const stride = integer(values.stride, '--stride');
    const { signal, onProgress } = terminal;
    return withGenerator(file, values, terminal, async (model) => {
      const options = {
        ...(window !== undefined && { window }),
        ...(stride !== undefined && { stride }),
      };
      const result = await model.perplexity(text, { ...options, signal, onProgress });
      if (values.json) {
        terminal.printJson(result);
      } else {
        terminal.print(`${result.perplexity.toFixed(4)}\tover ${plural(result.tokens, 'token')}`);
      }
      return 0;
    });
  },
});
