import { convertTo, formatByName } from '../files/convert.ts';
import { defineCommand } from '../shared/command.ts';
import { UsageError } from '../shared/failure.ts';
import { readLines } from '../shared/input.ts';

export const command = defineCommand({
  usage: 'select SRC DST [WORDS|-] [-f FORMAT] [--to FORMAT] [-i] [--json]',
  summary: 'write the vectors of some words only',
  details: [
    'WORDS is a file of one word a line, taken as they are; standard input when absent.',
    '--to                  the target format; by the name of DST when absent, else finalfusion',
    '-f, --from            what SRC is, if not finalfusion: word2vec, text, textdims, fasttext',
    '-i, --ignore-unknown  leave out words that get no vector, instead of failing',
    'Words that the file does not have get the vectors of their pieces. Texts have the lengths that',
    'vectors had before they got length 1; finalfusion keeps those as norms. Metadata are left out.',
  ],
  options: {
    from: { type: 'string', short: 'f' },
    to: { type: 'string', short: 't' },
    'ignore-unknown': { type: 'boolean', short: 'i' },
    json: { type: 'boolean' },
  },
  takes: [2, 3],
  run: async ([source = '', target = '', list = '-'], values, terminal) => {
    if (source === '-' && list === '-') {
      throw new UsageError('SRC and WORDS cannot both be standard input');
    }
    const words = (await readLines(list)).filter((word) => word !== '');
    const ignoreUnknown = values['ignore-unknown'] === true;
    const to = values.to ?? formatByName(target) ?? 'finalfusion';
    const select = { words, ignoreUnknown };
    return convertTo(
      source,
      target,
      { to, select, through: values.from },
      values.json === true,
      terminal,
    );
  },
});
