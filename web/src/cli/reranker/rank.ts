import { truncations } from '../../entries/tables.ts';
import type { RankedDocument, RankOptions } from '../../entries/types.ts';
import { defineCommand } from '../shared/command.ts';
import {
  fetchOptions,
  jsonOption,
  parseFetchOptions,
  parseRunOptions,
  runOptions,
} from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { shortFloat } from '../shared/format.ts';
import { readTexts } from '../shared/input.ts';
import { withRanker } from '../shared/open-model.ts';
import { integer, oneOf } from '../shared/option-values.ts';

export const command = defineCommand({
  usage: 'MODEL QUERY [FILE]',
  summary: 'Sort texts by how well they match a query',
  details: [
    'MODEL is a reranker (a cross-encoder, or a language model such as Qwen3-Reranker), or an encoder with late interaction (ColBERT). FILE has one text on each line; - is standard input. Each text gives a line, the best first: score, tab, place in the input from 0 on, tab, text.',
  ],
  options: {
    text: {
      type: 'string',
      multiple: true,
      value: 'TEXT',
      help: 'A text. May be repeated. These come before those of FILE. Default: none.',
    },
    k: {
      type: 'string',
      short: 'k',
      value: 'N',
      help: 'The number of texts to print. Default: all.',
    },
    instruction: {
      type: 'string',
      value: 'TEXT',
      help: 'What makes a text fit, for language models that rank. Default: that of the model.',
    },
    layer: {
      type: 'string',
      value: 'N',
      help: 'After how many layers to score, for models such as bge-reranker-v2-minicpm-layerwise. Default: all.',
    },
    truncate: {
      type: 'string',
      choices: truncations,
      help: `What to do with a text that is too long: cut off its end, or fail. Default: ${truncations[0]}.`,
    },
    ...runOptions,
    ...fetchOptions,
    ...jsonOption,
  },
  json: '[{index, score, text}, …]',
  examples: [
    "rank reranker.weights 'how do cats sleep?' passages.txt -k 5",
    "rank reranker.weights 'cat naps' --text 'Cats nap.' --text 'Dogs bark.'",
    "rank reranker.weights 'how do cats sleep?' - < passages.txt",
  ],
  argumentCount: [2, 3],
  run: async ([model = '', query = '', file], values, terminal) => {
    if (model === '-' && file === '-') {
      throw new UsageError('MODEL and FILE cannot both be standard input.');
    }
    if (values.text === undefined && file === undefined) {
      throw new UsageError(
        'No text was given. Use --text TEXT, or FILE with - for standard input.',
      );
    }
    const k = integer(values.k, '-k');
    const layer = integer(values.layer, '--layer');
    const truncate = oneOf(values.truncate, '--truncate', truncations);
    const options: RankOptions = {
      ...(k !== undefined && { k }),
      ...(truncate && { truncate }),
      ...(values.instruction !== undefined && { instruction: values.instruction }),
      ...(layer !== undefined && { layer }),
      returnDocuments: true,
      signal: terminal.signal,
      onProgress: terminal.onProgress,
    };
    const texts = await readTexts({ text: values.text, file });
    const openOptions = { ...parseRunOptions(values), ...parseFetchOptions(values) };
    return withRanker(model, openOptions, terminal, async (reranker) => {
      const ranked = await reranker.rank(query, texts, options);
      if (values.json) {
        terminal.printJson(ranked.map(shortened));
      } else {
        for (const { index, score, text } of ranked) {
          terminal.print(line(index, score, text));
        }
      }
      return 0;
    });
  },
});

const line = (index: number, score: number, text: string | undefined): string =>
  `${score.toFixed(4)}\t${index}\t${text}`;

const shortened = ({ score, ...rest }: RankedDocument): RankedDocument => ({
  ...rest,
  score: shortFloat(score),
});
