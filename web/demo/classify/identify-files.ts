// Decides what the given files are: weights, a plan, labels or a picture.

import type { PathFile } from '../shared/given-files.ts';

export interface IdentifiedFiles {
  readonly weights: readonly File[];
  /** JSON that says how the layers follow one another. */
  readonly plan: File | null;
  /** One class name per line. */
  readonly labels: File | null;
  readonly picture: File | null;
}

const pictureName = /\.(png|jpe?g|webp|gif|avif|bmp)$/i;

export function identifyFiles(files: readonly PathFile[]): IdentifiedFiles {
  const given = files.map(({ file }) => file);
  const ends = (ending: string) => (file: File) => file.name.toLowerCase().endsWith(ending);
  const isPicture = ({ name, type }: File): boolean =>
    type.startsWith('image/') || pictureName.test(name);
  const plan = given.find(ends('.json')) ?? null;
  const labels = given.find(ends('.txt')) ?? null;
  const pictures = given.filter(isPicture);
  const weights = given.filter(
    (file) => file !== plan && file !== labels && !pictures.includes(file),
  );
  return { weights, plan, labels, picture: pictures[0] ?? null };
}

export const linesOf = (text: string): string[] => text.trimEnd().split(/\r?\n/);
