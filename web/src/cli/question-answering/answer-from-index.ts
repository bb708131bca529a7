// `ambry answer --index`: reads the best passages of an index.
import { indexAnswerDefaults } from '../../entries/tables.ts';
import type { AnswerOptions, IndexAnswer, IndexAnswerOptions } from '../../entries/types.ts';
import type { QuestionAnswerer } from '../../index.ts';
import { openIndexFile } from '../search/open-index-file.ts';
import { asGiven, callOptions, count } from '../shared/call-options.ts';
import type { CommandOptions } from '../shared/command.ts';
import { type FetchValues, parseFetchOptions } from '../shared/common-options.ts';
import type { Terminal } from '../shared/terminal.ts';

const searchOptions = {
  passages: {
    type: 'string',
    value: 'N',
    help: `With --index: how many passages are read. Default: ${indexAnswerDefaults.passages}.`,
    read: count(1),
  },
  hybrid: {
    type: 'boolean',
    help: 'With --index: search by the words of the question too, not by meaning alone.',
    read: asGiven,
  },
} as const satisfies CommandOptions;

export const indexOptions = {
  index: {
    type: 'string',
    value: 'INDEX',
    help: 'An index whose best passages are read. Default: none.',
  },
  encoder: {
    type: 'string',
    value: 'MODEL',
    help: 'With --index: the encoder of the index. Default: the one that the index names.',
  },
  ...searchOptions,
} as const satisfies CommandOptions;

export async function answerFromIndex(
  model: QuestionAnswerer,
  question: string,
  file: string,
  options: AnswerOptions,
  values: FetchValues & { readonly encoder?: string | undefined },
  terminal: Terminal,
): Promise<IndexAnswer[]> {
  const fetching = parseFetchOptions(values);
  await using opened = await openIndexFile(file, values.encoder, fetching, terminal, '--encoder');
  const searching = callOptions<IndexAnswerOptions>(searchOptions, { ...values });
  return await opened.index.answer(model, question, { ...options, ...searching });
}
