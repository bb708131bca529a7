import { distillDefaults, distillTypes } from '../../entries/tables.ts';
import { distill } from '../../node.ts';
import { reportTarget, runFileJob } from '../files/file-job.ts';
import { defineCommand } from '../shared/command.ts';
import {
  fetchOptions,
  forceOption,
  jsonOption,
  parseFetchOptions,
} from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { readLines } from '../shared/input.ts';
import { integer, oneOf } from '../shared/option-values.ts';

export const command = defineCommand({
  usage: 'SRC DST',
  summary: 'Make a small static encoder of a sentence encoder',
  details: [
    'SRC is a sentence encoder: a file, a URL, a name at the hub (hf:owner/name), a directory with safetensors or ONNX, or - for standard input. DST is a file (.weights) or - for standard output.',
    'Each token of the vocabulary goes through the encoder once. A static encoder takes the weighted mean of its tokens’ vectors for a text. It is some MB small and embeds a hundred times as many texts a second, but does not see the order of words.',
  ],
  options: {
    dim: {
      type: 'string',
      value: 'N',
      help: `The numbers of a vector, at most as many as the encoder’s vectors have. Default: ${distillDefaults.dim}.`,
    },
    sif: {
      type: 'string',
      value: 'A',
      help: `The weight of a token of frequency P is A / (A + P). 0: all count alike. Default: ${distillDefaults.sif}.`,
    },
    dtype: {
      type: 'string',
      choices: distillTypes,
      help: `How the vectors are stored. Default: ${distillDefaults.dtype}.`,
    },
    'vocab-size': {
      type: 'string',
      value: 'N',
      help: 'Keep only the N most frequent tokens. Default: all.',
    },
    corpus: {
      type: 'string',
      value: 'FILE',
      help: 'A file with one text on each line, like those that will be searched. Its tokens are counted. Default: none; the order of the vocabulary stands for the frequencies.',
    },
    ...fetchOptions,
    ...forceOption,
    ...jsonOption,
  },
  json: '{source, target, warnings}.',
  examples: [
    'distill minilm.weights small.weights',
    'distill minilm.weights small.weights --dim 8 --corpus texts.txt --force',
  ],
  argumentCount: [2, 2],
  run: async ([source = '', target = ''], values, terminal) => {
    const { corpus, force = false, json = false } = values;
    const dim = integer(values.dim, '--dim', 1);
    const vocabSize = integer(values['vocab-size'], '--vocab-size', 1);
    const dtype = oneOf(values.dtype, '--dtype', distillTypes);
    const sif = share(values.sif);
    const fetching = parseFetchOptions(values);
    const texts = corpus === undefined ? undefined : await readLines(corpus);
    return runFileJob(
      {
        source,
        target,
        inputs: [corpus],
        force,
        fetching,
        run: (given, options) =>
          distill(given, {
            ...fetching,
            ...options,
            ...(dim !== undefined && { dim }),
            ...(sif !== undefined && { sif }),
            ...(dtype !== undefined && { dtype }),
            ...(vocabSize !== undefined && { vocabSize }),
            ...(texts && { corpus: texts }),
          }),
        report: (_, warnings) => reportTarget({ source, target }, json, { warnings }, terminal),
      },
      terminal,
    );
  },
});

function share(text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value < 1) {
    return value;
  }
  throw new UsageError(`--sif must be a number from 0 to 1, not ${text}.`, '--sif');
}
