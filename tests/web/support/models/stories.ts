// The real model of stories and what its reference program says, from the data folder.
import { readFileSync } from 'node:fs';
import { dataPath } from '../../../data-folder.mjs';

export interface KnownStory {
  readonly prompt: string;
  readonly prompt_tokens: readonly number[];
  readonly generated_tokens: readonly number[];
  readonly text: string;
}

const read = (name: string) => new Uint8Array(readFileSync(dataPath(`stories260k/${name}`)));

/** The files to convert. */
export const storiesFile = () =>
  new Map([
    ['stories260K.bin', read('stories260K.bin')],
    ['tokenizer.bin', read('tok512.bin')],
  ]);

export function knownStories(): readonly KnownStory[] {
  const { answers } = JSON.parse(new TextDecoder().decode(read('known_answers.json'))) as {
    readonly answers: readonly KnownStory[];
  };
  return answers;
}
