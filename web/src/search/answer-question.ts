// Answers to a question from the best passages of an index. Browsers fetch this file with the first one.
import { AmbryError, abortError } from '../base/errors.ts';
import { count } from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import { answerOptionNames } from '../question-answering/check-question.ts';
import { answerDefaults } from '../question-answering/types.ts';
import {
  type Answerer,
  type IndexAnswer,
  type IndexAnswerOptions,
  indexAnswerDefaults,
  type SearchHit,
  type SearchOptions,
} from './base/types.ts';
import { searchOptionNames } from './search-options.ts';

const { prompt, hybrid, sparse, filter, rerank, candidates } = searchOptionNames;
/** The options that are those of a search, too. */
const ofSearch = { prompt, hybrid, sparse, filter, rerank, candidates };
const names: OptionNames<IndexAnswerOptions> = {
  ...answerOptionNames,
  ...ofSearch,
  passages: count,
};

export async function answerFrom(
  search: (query: string, options: SearchOptions) => Promise<SearchHit[]>,
  model: Answerer,
  question: string,
  options: IndexAnswerOptions,
): Promise<IndexAnswer[]> {
  await refuseUnknown(options, names);
  if (question.trim() === '') {
    throw new AmbryError('BadValue', 'The question is empty.', { path: 'question' });
  }
  const { signal, k = answerDefaults.k, passages = indexAnswerDefaults.passages } = options;
  const searching = only({ ...ofSearch, signal: true }, options);
  const hits = await search(question, { ...searching, k: passages });
  if (signal?.aborted) {
    throw abortError(signal);
  }
  const read = hits.filter(({ text }) => text.trim() !== '');
  if (read.length === 0) {
    return [];
  }
  const texts = read.map(({ text }) => text);
  const answers = await model.answer(question, texts, {
    ...only(answerOptionNames, options),
    k,
  });
  return read
    .flatMap((hit, i) => likely(answers[i] ?? []).map((answer) => ({ ...answer, ...placeOf(hit) })))
    .sort((a, b) => b.score - a.score)
    .slice(0, k);
}

/** The options that have these names. */
function only<Name extends keyof IndexAnswerOptions>(
  names: Readonly<Record<Name, unknown>>,
  options: IndexAnswerOptions,
): Pick<IndexAnswerOptions, Name> {
  const known = Object.entries(options).filter(([name]) => Object.hasOwn(names, name));
  return Object.fromEntries(known) as Pick<IndexAnswerOptions, Name>;
}

const placeOf = ({ id, text: passage, score: retrievalScore, doc }: SearchHit) => ({
  id,
  passage,
  retrievalScore,
  doc,
});

/** The answers that come before "no answer", which has no text. */
function likely<A extends { readonly text: string }>(answers: readonly A[]): readonly A[] {
  const none = answers.findIndex(({ text }) => text === '');
  return none < 0 ? answers : answers.slice(0, none);
}
