import { defineCommand } from '../shared/command.ts';
import { jsonOption } from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { plural } from '../shared/format.ts';
import { pipedText, readText } from '../shared/input.ts';
import { integer } from '../shared/option-values.ts';
import { generatorOptions, withGenerator } from './open-generator.ts';

export const command = defineCommand({
  usage: 'MODEL [TEXT]',
  summary: 'Measure how well a language model predicts a text',
  details: [
    'MODEL is a language model: a GGUF, AMB or ALT file, a directory, a URL or a name at the hub. A lower perplexity is a better prediction.',
  ],
  options: {
    text: {
      type: 'string',
      value: 'TEXT',
      help: 'The text, as one after MODEL. Default: what is piped to the command.',
    },
    file: {
      type: 'string',
      value: 'FILE',
      help: 'A file with the text, or - for standard input. Default: none.',
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
  argumentCount: [1, 2],
  run: async ([file = '', after], values, terminal) => {
    const text = await textOf([after, values.text], values.file);
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

/** The one text that is given, in a file or piped. */
async function textOf(
  texts: readonly (string | undefined)[],
  file: string | undefined,
): Promise<string> {
  const given = [...texts, file].filter((each) => each !== undefined);
  if (given.length > 1) {
    throw new UsageError('Give one text, or --file FILE.', '--text');
  }
  const [text] = texts.filter((each) => each !== undefined);
  const found = text ?? (file === undefined ? await pipedText() : await readText(file));
  if (found === undefined) {
    throw new UsageError(
      'No text was given. Write it after the model, or use --file FILE.',
      '--text',
    );
  }
  return found;
}
