import { classifierDefaults } from '../../entries/tables.ts';
import type { ClassifierExample, ClassifierOptions, TrainingFacts } from '../../entries/types.ts';
import { createClassifier } from '../../node.ts';
import { type CommandOptions, defineCommand, type OptionValues } from '../shared/command.ts';
import {
  fetchOptions,
  jsonOption,
  parseFetchOptions,
  parseRunOptions,
  runOptions,
} from '../shared/common-options.ts';
import { formatBytes, plural, shortFloat } from '../shared/format.ts';
import { directorySource } from '../shared/input.ts';
import { modelReference } from '../shared/model-reference.ts';
import { openAs, openCall } from '../shared/open-model.ts';
import { integer, positiveNumber } from '../shared/option-values.ts';
import { refuseToReplace, targetOf } from '../shared/target.ts';
import type { Terminal } from '../shared/terminal.ts';
import { writeOutput } from '../shared/write-output.ts';
import { examplesIn } from './read-examples.ts';

const options = {
  prompt: {
    type: 'string',
    value: 'TEXT',
    help: 'A text to put before each text, or the name of one of the model’s prompts. It is saved with the classifier. Default: none.',
  },
  balanced: {
    type: 'boolean',
    help: 'All labels count the same, however many examples each has.',
  },
  l2: {
    type: 'string',
    value: 'X',
    help: `How much large weights cost. A larger number makes scores less certain. Default: ${classifierDefaults.l2}.`,
  },
  workers: {
    type: 'string',
    value: 'N',
    help: `The number of workers that embed at the same time. Default: ${classifierDefaults.workers}.`,
  },
  ...runOptions,
  ...fetchOptions,
  ...jsonOption,
} as const satisfies CommandOptions;

export const command = defineCommand({
  usage: 'MODEL EXAMPLES OUT',
  summary: 'Train a text classifier on examples',
  details: [
    'MODEL is a sentence encoder. EXAMPLES is JSON Lines or JSON with the fields text and label, a table (CSV, TSV) with these columns, or lines of fastText (__label__x text); or - for standard input. OUT is a file or - for standard output.',
    'Every fifth example of each label is held out first, and the score on these is printed. The classifier is then trained on all examples. ambry classify OUT opens it together with MODEL.',
  ],
  options,
  json: '{classifier, labels, examples, heldOut, bytes}. A label is {label, examples}; heldOut is null or {correct, count, accuracy, perLabel}.',
  examples: [
    'train-classifier minilm.weights examples.csv topics.safetensors',
    'train-classifier minilm.weights examples.jsonl topics.safetensors --l2 1',
  ],
  argumentCount: [3, 3],
  run: async ([file = '', examplesFile = '', target = ''], values, terminal) => {
    await refuseToReplace(target, [file, examplesFile]);
    const found = await targetOf(target, terminal);
    const settings = classifierOptions(values, terminal);
    const opening = { ...parseRunOptions(values), ...parseFetchOptions(values) };
    const examples = await examplesIn(examplesFile, terminal);
    const source = await directorySource(file);
    const call = { ...opening, ...openCall(terminal) };
    await using model = await openAs(['encoder'], file, source, call);
    const classifier = await createClassifier(model, examples, settings);
    const reference = modelReference(file, found.kind === 'file' ? target : undefined);
    const blob = await classifier.save(reference === undefined ? {} : { model: reference });
    await writeOutput(target, blob, terminal);
    if (found.kind === 'stream' && found.isOutput) {
      return 0;
    }
    const { training } = classifier;
    const labels = countsOf(classifier.labels, examples);
    const facts = { labels, ...training, bytes: blob.size };
    if (values.json) {
      const { examples: count, heldOut, bytes } = facts;
      terminal.printJson({ classifier: target, labels, examples: count, heldOut, bytes });
    } else {
      printSummary(target, facts, terminal);
    }
    return 0;
  },
});

function classifierOptions(
  values: OptionValues<typeof options>,
  { signal, onProgress }: Terminal,
): ClassifierOptions {
  const { prompt, balanced } = values;
  const l2 = positiveNumber(values.l2, '--l2');
  const workers = integer(values.workers, '--workers');
  return {
    ...(prompt !== undefined && { prompt }),
    ...(balanced && { balanced }),
    ...(l2 !== undefined && { l2 }),
    ...(workers !== undefined && { workers }),
    signal,
    onProgress,
  };
}

interface LabelCount {
  readonly label: string;
  readonly examples: number;
}

/** An example that is given twice counts once, as in the training. */
function countsOf(
  labels: readonly string[],
  examples: readonly ClassifierExample[],
): readonly LabelCount[] {
  const texts = new Map(labels.map((label) => [label, new Set<string>()]));
  for (const { text, label } of examples) {
    texts.get(label)?.add(text);
  }
  return labels.map((label) => ({ label, examples: texts.get(label)?.size ?? 0 }));
}

interface Facts extends TrainingFacts {
  readonly labels: readonly LabelCount[];
  readonly bytes: number;
}

function printSummary(
  target: string,
  { labels, examples, heldOut, bytes }: Facts,
  terminal: Terminal,
): void {
  labels.forEach(({ label, examples: count }, i) => {
    const row = heldOut?.perLabel[i];
    const score = row && row.count > 0 ? `, ${row.correct} of ${row.count} held out right` : '';
    terminal.print(`${label}: ${plural(count, 'example')}${score}`);
  });
  const score = heldOut
    ? `${heldOut.correct} of ${heldOut.count} held out right (${shortFloat(100 * heldOut.accuracy).toFixed(1)} %)`
    : 'no score: at least two labels need 5 examples';
  const count = `${plural(labels.length, 'label')}, ${plural(examples, 'example')}`;
  terminal.print(`${target}: ${count}, ${score}, ${formatBytes(bytes)}`);
}
