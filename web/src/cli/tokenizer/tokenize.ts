import { openTokenizer } from '../../node.ts';
import { defineCommand } from '../shared/command.ts';
import { jsonOption } from '../shared/common-options.ts';
import { readTexts, tokenizerFiles, tokenizerSource } from '../shared/input.ts';

export const command = defineCommand({
  usage: 'MODEL',
  summary: 'Split texts into tokens',
  details: [
    `MODEL is a model file, ${tokenizerFiles.map((name) => `a ${name}`).join(', ')}, or a directory with one of these. Each text gives a line: the ids, a tab, the tokens.`,
  ],
  options: {
    text: {
      type: 'string',
      multiple: true,
      value: 'TEXT',
      help: 'A text. May be repeated. Default: none.',
    },
    file: {
      type: 'string',
      value: 'FILE',
      help: 'A file with one text on each line, or - for standard input. Default: none.',
    },
    'no-special': {
      type: 'boolean',
      help: 'Add no special tokens: [CLS] and [SEP], or BOS and EOS of a language model.',
    },
    ...jsonOption,
  },
  json: 'A line for each text: {text, ids, tokens}.',
  examples: [
    "tokenize minilm.weights --text 'Hello, world!'",
    'tokenize vocab.txt --file texts.txt',
  ],
  argumentCount: [1, 1],
  run: async ([model = ''], values, terminal) => {
    const { signal, onProgress } = terminal;
    const texts = await readTexts(values);
    const tokenizer = await openTokenizer(await tokenizerSource(model), { signal, onProgress });
    try {
      for (const text of texts) {
        const { ids, tokens } = await tokenizer.tokenize(text, { special: !values['no-special'] });
        if (values.json) terminal.printJson({ text, ids, tokens });
        else terminal.print(`${ids.join(' ')}\t${tokens.join(' ')}`);
      }
    } finally {
      await tokenizer.dispose();
    }
    return 0;
  },
});
