import { defineCommand, wholeNumber } from '../shared/command.ts';
import { UsageError } from '../shared/failure.ts';
import { plural } from '../shared/format.ts';
import { readText } from '../shared/input.ts';
import { kModelDetails, kModelOptions, withLanguageModel } from './open-generator.ts';

export const command = defineCommand({
  usage: 'perplexity MODEL (--text T | --file F) [--window N] [--stride N] [--json]',
  summary: 'how surprising a text is to a model of language (amb, alt)',
  details: [
    '--text                the text',
    '--file                a file of it; - reads standard input',
    '--window              tokens looked at together; the context when absent',
    '--stride              tokens by which a longer text’s windows move on; half a window when absent',
    ...kModelDetails,
  ],
  options: {
    text: { type: 'string' },
    file: { type: 'string' },
    window: { type: 'string' },
    stride: { type: 'string' },
    json: { type: 'boolean' },
    ...kModelOptions,
  },
  takes: [1, 1],
  run: async ([model = ''], values, terminal) => {
    const text = values.file === undefined ? values.text : await readText(values.file);
    if (text === undefined || (values.file !== undefined && values.text !== undefined)) {
      throw new UsageError('one of --text TEXT and --file FILE is wanted', '--text');
    }
    const window = wholeNumber(values.window, '--window', 2);
    const stride = wholeNumber(values.stride, '--stride');
    const { signal, onProgress } = terminal;
    return withLanguageModel(model, values, terminal, async (opened) => {
      const options = {
        ...(window !== undefined && { window }),
        ...(stride !== undefined && { stride }),
      };
      const found = await opened.perplexity(text, { ...options, signal, onProgress });
      if (values.json) terminal.json(found);
      else terminal.print(`${found.perplexity.toFixed(4)}\tover ${plural(found.tokens, 'token')}`);
      return 0;
    });
  },
});
