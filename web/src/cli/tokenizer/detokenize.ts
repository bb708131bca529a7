import { AmbryError } from '../../base/errors.ts';
import { defineCommand } from '../shared/command.ts';
import {
  encodingOption,
  fetchOptions,
  jsonOption,
  parseEncoding,
  parseFetchOptions,
} from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { decodeLine, lineGroups, linePath, openBytes } from '../shared/read-lines.ts';
import type { Terminal } from '../shared/terminal.ts';
import { openTokenizerOf } from './open-tokenizer.ts';

export const command = defineCommand({
  usage: 'MODEL [ID...|-]',
  summary: 'Turn token ids back into text',
  details: [
    'MODEL is what tokenize takes. Without ids, each line of standard input is a list of ids with spaces or commas between them, and gives a line of text. What follows a tab is left out, so that the lines of tokenize can be read.',
  ],
  options: {
    'skip-special': { type: 'boolean', help: 'Leave out special tokens such as [CLS] and </s>.' },
    ...encodingOption,
    ...fetchOptions,
    ...jsonOption,
  },
  json: 'A line for each list of ids: {ids, text}.',
  examples: [
    'detokenize minilm.weights 2 40 50 3',
    'detokenize minilm.weights --skip-special < ids.txt > texts.txt',
  ],
  argumentCount: [1, Number.POSITIVE_INFINITY],
  run: async ([model = '', ...words], values, terminal) => {
    const isInput = words.length === 0 || (words.length === 1 && words[0] === '-');
    if (isInput && model === '-') {
      throw new UsageError('MODEL and the ids cannot both be standard input.');
    }
    const given = isInput ? undefined : parseGiven(words);
    // Whether texts are lower-cased does not matter here.
    const how = { ...parseEncoding(values), ...parseFetchOptions(values) };
    await using tokenizer = await openTokenizerOf(model, how, terminal);
    const print = async (ids: readonly number[]) => {
      const skipSpecial = values['skip-special'] === true;
      const text = await tokenizer.detokenize(ids, { skipSpecial });
      await terminal.write(values.json ? `${JSON.stringify({ ids, text })}\n` : `${text}\n`);
    };
    await (given ? print(given) : answerLists(terminal, print));
    return 0;
  },
});

/** Hands every line of standard input to `print`. An error names the line. */
async function answerLists(
  terminal: Terminal,
  print: (ids: readonly number[]) => Promise<void>,
): Promise<void> {
  for await (const lines of lineGroups(await openBytes('-', terminal.signal))) {
    for (const line of lines) {
      const [list = ''] = decodeLine(line).split('\t');
      try {
        await print(parseIds(list));
      } catch (error) {
        if (!(error instanceof AmbryError)) {
          throw error;
        }
        const { code, message, cause } = error;
        const place = { path: linePath(line.number), cause };
        throw new AmbryError(code, `Line ${line.number}: ${message}`, place);
      }
    }
  }
}

function parseGiven(words: readonly string[]): number[] {
  try {
    return parseIds(words.join(' '));
  } catch (error) {
    throw error instanceof AmbryError ? new UsageError(error.message, error.path) : error;
  }
}

function parseIds(list: string): number[] {
  const words = list.split(/[\s,]+/).filter((word) => word !== '');
  return words.map((word, i) => {
    const id = Number(word);
    if (/^\d+$/.test(word) && Number.isSafeInteger(id)) {
      return id;
    }
    const message = `A token id must be an integer of at least 0, not "${word}".`;
    throw new AmbryError('BadValue', message, { path: `ids[${i}]` });
  });
}
