// Decides what the given files are: weights, a plan, labels, a picture or examples.

import type { PathFile } from '../../shared/files/given-files.ts';
import { recognize } from '../../shared/recognize/recognize.ts';

/** The files of a network. */
export interface NetworkParts {
  readonly weights: readonly File[];
  /** JSON that says how the layers follow one another. */
  readonly plan: File | null;
  /** One class name per line. */
  readonly labels: File | null;
}

export interface IdentifiedFiles extends NetworkParts {
  readonly picture: File | null;
  /** Texts with labels, to learn from. */
  readonly examples: File | null;
}

const tableName = /\.(csv|tsv|jsonl|ndjson)$/i;
const pictureName = /\.(png|jpe?g|webp|gif|avif|bmp)$/i;

/** A picture may have a name without an ending. */
async function isPicture(file: File): Promise<boolean> {
  if (file.type.startsWith('image/') || pictureName.test(file.name)) {
    return true;
  }
  return (await recognize(file)).kind === 'picture';
}

export async function identifyFiles(files: readonly PathFile[]): Promise<IdentifiedFiles> {
  const given = files.map(({ file }) => file);
  const ends = (ending: string) => (file: File) => file.name.toLowerCase().endsWith(ending);
  const plan = given.find(ends('.json')) ?? null;
  const labels = given.find(ends('.txt')) ?? null;
  const arePictures = await Promise.all(given.map(isPicture));
  const pictures = given.filter((_, at) => arePictures[at]);
  const examples = given.find(({ name }) => tableName.test(name)) ?? null;
  const others: readonly (File | null)[] = [plan, labels, examples, ...pictures];
  const weights = given.filter((file) => !others.includes(file));
  return { weights, plan, labels, picture: pictures[0] ?? null, examples };
}
