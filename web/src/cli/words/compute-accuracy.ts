import type { AccuracyCounts, AccuracyReport } from '../../entries/types.ts';
import { defineCommand } from '../shared/command.ts';
import { jsonOption } from '../shared/common-options.ts';
import { readText } from '../shared/input.ts';
import type { Terminal } from '../shared/terminal.ts';
import { withWords, wordsOptions } from './open-words.ts';

export const command = defineCommand({
  usage: 'MODEL [QUESTIONS|-]',
  summary: 'Count the analogy questions that are answered correctly',
  details: [
    'QUESTIONS is a text with the lines ": section" and "a b c d". Default: standard input. A question is skipped if d is not in the vocabulary, and wrong if there is no answer.',
  ],
  options: { ...wordsOptions, ...jsonOption },
  json: '{sections, total}.',
  examples: ['compute-accuracy vectors.fifu questions-words.txt'],
  argumentCount: [1, 2],
  run: async ([file = '', questions = '-'], { json = false, ...values }, terminal) => {
    const text = await readText(questions);
    const { signal, onProgress } = terminal;
    const report = await withWords(file, values, terminal, (words) =>
      words.accuracy(text, { signal, onProgress }),
    );
    if (json) {
      terminal.printJson(report);
    } else {
      printReport(report, terminal);
    }
    return 0;
  },
});

/** Prints the same lines as finalfusion's own tool. */
function printReport({ sections, total }: AccuracyReport, terminal: Terminal): void {
  for (const section of sections) {
    const { name, count, skipped } = section;
    if (count === 0) {
      terminal.note(`${name}: no question could be asked`);
    } else {
      terminal.print(`${name}: ${formatCounts(section)}, skipped: ${skipped}`);
    }
  }
  terminal.print(`Total: ${formatCounts(total)}`);
  const all = total.count + total.skipped;
  terminal.print(`Skipped: ${total.skipped}/${all} (${percent(total.skipped, all)}%)`);
}

function formatCounts({ correct, count, averageCosine }: AccuracyCounts): string {
  const accuracy = percent(correct, count).toFixed(2);
  const cosine = (averageCosine ?? Number.NaN).toFixed(2);
  return `${correct}/${count} correct, accuracy: ${accuracy}, avg cos: ${cosine}`;
}

function percent(part: number, whole: number): number {
  return (part / whole) * 100;
}
