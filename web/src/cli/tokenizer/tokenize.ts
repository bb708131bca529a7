import { openTokenizer } from '../../node.ts';
import { defineCommand } from '../shared/command.ts';
import { textsOf, tokenizerSource } from '../shared/input.ts';

export const command = defineCommand({
  usage: 'tokenize MODEL [--text T]... [--file LINES] [--no-special] [--json]',
  summary: 'split texts into tokens; MODEL may be a tokenizer.json, tokenizer.model or vocab.txt',
  details: [
    '--text         a text; may be given again',
    '--file         one text a line (- for standard input)',
    '--no-special   without [CLS] and [SEP], or a decoder’s BOS and EOS',
  ],
  options: {
    text: { type: 'string', multiple: true },
    file: { type: 'string' },
    'no-special': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  takes: [1, 1],
  run: async ([model = ''], values, terminal) => {
    const { signal, onProgress } = terminal;
    const texts = await textsOf(values);
    const tokenizer = await openTokenizer(await tokenizerSource(model), { signal, onProgress });
    try {
      for (const text of texts) {
        const { ids, tokens } = await tokenizer.tokenize(text, { special: !values['no-special'] });
        if (values.json) terminal.json({ text, ids, tokens });
        else terminal.print(`${ids.join(' ')}\t${tokens.join(' ')}`);
      }
    } finally {
      await tokenizer.dispose();
    }
    return 0;
  },
});
