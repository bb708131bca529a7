// What the address of the words page holds: the word, the analogy, the settings and the vectors.

import type { WordMetric } from 'ambry';
import { wordMetrics } from 'ambry/tables';
import { modelUrl } from '../../shared/page-address/linked-model.ts';
import { urlInLink } from '../../shared/page-address/open-linked.ts';
import { choice, type Parameters, text } from '../../shared/page-address/parameters.ts';
import { firstQuestion, firstWord } from './built-in.ts';
import type { Question } from './question.ts';
import type { Settings, WordsState } from './state.ts';

/** The field's limit. */
const maxWordLength = 200;

const counts = ['10', '20', '50'] as const;
const firstCount = '20';

export interface WordsLink {
  readonly word: string;
  readonly a: string;
  readonly b: string;
  readonly c: string;
  /** `yes`: the three words may be answers. */
  readonly include: 'yes' | 'no';
  readonly k: (typeof counts)[number];
  readonly metric: WordMetric;
  readonly url: string;
}

export const wordsParameters: Parameters<WordsLink> = {
  word: text('word', maxWordLength, firstWord),
  a: text('a', maxWordLength),
  b: text('b', maxWordLength),
  c: text('c', maxWordLength),
  include: choice('include', ['yes', 'no'], 'no'),
  k: choice('k', counts, firstCount),
  metric: choice('metric', wordMetrics, 'cosine'),
  url: modelUrl,
};

/** The question of a link. Without all three words, it is the first one of the page. */
export function questionOf({ a, b, c, include }: WordsLink): Question {
  return a !== '' && b !== '' && c !== '' ? { a, b, c, include: include === 'yes' } : firstQuestion;
}

export const settingsOf = ({ k, metric }: WordsLink): Settings => ({ k: Number(k), metric });

const isFirst = ({ a, b, c }: Question): boolean =>
  a === firstQuestion.a && b === firstQuestion.b && c === firstQuestion.c;

/** The link to what the page shows. `linked` names the vectors while none are open. */
export function linkOf(
  { word, question, settings, loaded }: WordsState,
  linked: WordsLink,
): WordsLink {
  const { a, b, c, include } = question;
  return {
    word,
    ...(isFirst(question) && !include ? { a: '', b: '', c: '' } : { a, b, c }),
    include: include ? 'yes' : 'no',
    k: counts.find((count) => Number(count) === settings.k) ?? firstCount,
    metric: settings.metric,
    url: loaded === null ? linked.url : urlInLink(loaded.source),
  };
}
