// English words that readers may type: the most frequent ones of documentation, questions, dictionaries and books.
import { readFile } from 'node:fs/promises';

export async function englishWords(): Promise<string[]> {
  const text = await readFile(new URL('../../../words/english.txt', import.meta.url), 'utf8');
  return text.trimEnd().split('\n');
}
