// The stemmer of Bulgarian changes letters of the word in their place. Strings refuse that, so it gets an array of them.
import { stemmer as stemOfLetters } from '@orama/stemmers/bulgarian';

export function stemmer(word: string): string {
  const letters = word.split('');
  const substring = (start: number, end: number) => letters.slice(start, end).join('');
  return stemOfLetters(Object.assign(letters, { substring }) as unknown as string);
}
