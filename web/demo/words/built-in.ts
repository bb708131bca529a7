// What the page opens with: its vectors, a word, an analogy, and some questions to measure by.

import questionsUrl from '../corpus/analogies.txt?url';
import type { Question } from './state.ts';

export const builtInFile = 'books-96.fifu';

export const firstWord = 'winter';

/** The last one is in no list, but its parts are. */
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
    throw new Error(`The questions did not arrive: the server answered ${response.status}.`);
  }
  return response.text();
}
