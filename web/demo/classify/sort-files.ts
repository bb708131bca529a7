// What the files that somebody dropped are for.

import type { PathFile } from '../shared/given-files.ts';

export interface SortedFiles {
  readonly weights: readonly File[];
  /** How the layers follow one another; JSON. */
  readonly plan: File | null;
  /** A name of a class a line. */
  readonly labels: File | null;
  readonly picture: File | null;
}

const kPicture = /\.(png|jpe?g|webp|gif|avif|bmp)$/i;

export function sortFiles(files: readonly PathFile[]): SortedFiles {
  const given = files.map(({ file }) => file);
  const ends = (ending: string) => (file: File) => file.name.toLowerCase().endsWith(ending);
  const isPicture = ({ name, type }: File): boolean =>
    type.startsWith('image/') || kPicture.test(name);
  const plan = given.find(ends('.json')) ?? null;
  const labels = given.find(ends('.txt')) ?? null;
  const pictures = given.filter(isPicture);
  const weights = given.filter(
    (file) => file !== plan && file !== labels && !pictures.includes(file),
  );
  return { weights, plan, labels, picture: pictures[0] ?? null };
}

export const linesOf = (text: string): string[] => text.trimEnd().split(/\r?\n/);
