import type { AccuracyCounts, AccuracyReport } from '../../types.ts';
import { defineCommand } from '../shared/command.ts';
import { readText } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';
import { withWords } from './open-words.ts';

export const command = defineCommand({
  usage: 'compute-accuracy MODEL [QUESTIONS|-] [-f FORMAT] [--json]',
  summary: 'count how many analogy questions word vectors answer',
  details: [
    'QUESTIONS is a text of lines `: section` and `a b c d`; standard input when absent. A question is',
    'skipped when d is no word of the vocabulary, and wrong when there is no answer.',
    '-f, --from   what MODEL is, if not finalfusion: word2vec, text, textdims, fasttext',
  ],
  options: { from: { type: 'string', short: 'f' }, json: { type: 'boolean' } },
  takes: [1, 2],
  run: async ([file = '', questions = '-'], { from, json = false }, terminal) => {
    const text = await readText(questions);
    const { signal, onProgress } = terminal;
    const report = await withWords(file, from, terminal, (words) =>
      words.accuracy(text, { signal, onProgress }),
    );
    if (json) terminal.json(report);
    else print(report, terminal);
    return 0;
  },
});

/** The lines of the reference tool. */
function print({ sections, total }: AccuracyReport, terminal: Terminal): void {
  for (const section of sections) {
    const { name, count, skipped } = section;
    if (count === 0) terminal.note(`${name}: no question could be asked`);
    else terminal.print(`${name}: ${counts(section)}, skipped: ${skipped}`);
  }
  terminal.print(`Total: ${counts(total)}`);
  const all = total.count + total.skipped;
  terminal.print(`Skipped: ${total.skipped}/${all} (${percent(total.skipped, all)}%)`);
}

function counts({ correct, count, averageCosine }: AccuracyCounts): string {
  const accuracy = percent(correct, count).toFixed(2);
  const cosine = (averageCosine ?? Number.NaN).toFixed(2);
  return `${correct}/${count} correct, accuracy: ${accuracy}, avg cos: ${cosine}`;
}

function percent(part: number, whole: number): number {
  return (part / whole) * 100;
}
