// The real model of stories and what its reference program says (stories260k in the data folder), where there
// is one.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const data = process.env['AMBRY_DATA'] ?? join(import.meta.dirname, '../../../../shared/data');
const folder = join(data, 'stories260k');

export interface KnownStory {
  readonly prompt: string;
  readonly prompt_tokens: readonly number[];
  readonly generated_tokens: readonly number[];
  readonly text: string;
}

const read = (name: string) => new Uint8Array(readFileSync(join(folder, name)));

/** The files to convert; undefined without the data. */
export const storiesFile = existsSync(folder)
  ? () =>
      new Map([
        ['stories260K.bin', read('stories260K.bin')],
        ['tokenizer.bin', read('tok512.bin')],
      ])
  : undefined;

export function knownStories(): readonly KnownStory[] {
  const { answers } = JSON.parse(new TextDecoder().decode(read('known_answers.json'))) as {
    readonly answers: readonly KnownStory[];
  };
  return answers;
}
