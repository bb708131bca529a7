// The built-in vectors, example words and analogies, and questions to measure the accuracy.

import questionsUrl from '../../corpus/analogies.txt?url';
import type { Question } from './question.ts';

export const builtInFile = 'books-96.fifu';

/** The most frequent words of it, with the same vectors: a seventh of its bytes. web/build/samples.mjs makes it. */
export const firstWordsFile = '../samples/first-words.fifu';

export const firstWord = 'winter';

/** The last one is not in the vocabulary, but its n-grams are. */
export const exampleWords: readonly string[] = [
  'winter',
  'violin',
  'honest',
  'whispered',
  'moonlike',
];

export const firstQuestion: Question = { a: 'man', b: 'king', c: 'woman', include: false };

export const exampleQuestions: readonly Question[] = [
  firstQuestion,
  { a: 'walk', b: 'walked', c: 'climb', include: false },
  { a: 'france', b: 'paris', c: 'england', include: false },
];

export async function fetchQuestions(): Promise<string> {
  const response = await fetch(questionsUrl);
  if (!response.ok) {
    throw new Error(`The questions could not be loaded. The server answered ${response.status}.`);
  }
  return response.text();
}
