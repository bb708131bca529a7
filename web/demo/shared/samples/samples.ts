// Files of the site that users try instead of files of their own. web/build/samples.mjs makes those in samples/.

import type { GivenFiles, PathFile } from '../files/given-files.ts';
import { siteRoot } from '../site/site-root.ts';
import { noteUsed } from '../site/used-files.ts';

export interface Sample {
  /** On its button. */
  readonly label: string;
  /** Below the site's root. */
  readonly paths: readonly string[];
}

export const samples = {
  encoder: { label: 'A model for search', paths: ['models/english-192x1.weights'] },
  words: { label: 'Word vectors', paths: ['models/books-96.fifu'] },
  wordsAsText: { label: '400 word vectors as text', paths: ['samples/frequent-words.vec'] },
  gguf: { label: 'A language model (GGUF)', paths: ['samples/stories.gguf'] },
  tagger: { label: 'A model that finds names', paths: ['models/entities-96x1.weights'] },
  languages: { label: 'A model that tells languages', paths: ['models/languages-14.ftz'] },
  textEncoder: { label: 'A model for search', paths: ['models/english-static-336.weights'] },
  network: {
    label: 'A network for digits',
    paths: ['models/digits-dq8.bin', 'models/digits-plan.json'],
  },
  damaged: { label: 'A damaged file', paths: ['samples/damaged-file.amb'] },
  cutOff: { label: 'A download that was cut off', paths: ['samples/cut-off-download.gguf'] },
} as const satisfies Readonly<Record<string, Sample>>;

export type SampleName = keyof typeof samples;

/** The address of a sample of one file. */
export const sampleUrl = ({ paths: [path = ''] }: Sample): URL => new URL(path, siteRoot());

async function fetchFile(path: string): Promise<PathFile> {
  const name = path.split('/').pop() ?? path;
  const response = await fetch(new URL(path, siteRoot())).catch((cause: unknown) => {
    throw new Error(`The sample ${name} did not come. Look at your connection, and try again.`, {
      cause,
    });
  });
  if (!response.ok) {
    throw new Error(
      `The sample ${name} could not be loaded. The server answered ${response.status}.`,
    );
  }
  const file = new File([await response.blob()], name);
  noteUsed(path);
  return { path: name, file };
}

/** The sample as if the user had chosen it. */
export async function fetchSample({ paths }: Sample): Promise<GivenFiles> {
  return { files: await Promise.all(paths.map(fetchFile)), skipped: [] };
}
