// Makes the map of the words of a file.

import type { Point } from '../../shared/point-map/camera.ts';
import { makeMap } from '../../shared/point-map/make-map.ts';
import type { MakeOptions } from '../../shared/point-map/map-panel.ts';
import { groupsOf, type PointMapData } from '../../shared/point-map/points.ts';
import type { LoadedWords } from '../session/state.ts';

/** The map shows at most so many words: the first ones, in most files the most frequent. */
const mostWords = 20_000;

const wordsAtOnce = 2000;
const wordsOfName = 3;
const shortestWord = 3;
/** The most frequent words, which are in most texts. */
const mostCommon = 400;
/** The part of the work that reads the vectors. */
const readingShare = 0.15;

export interface VocabularyMap {
  readonly words: readonly string[];
  readonly points: ReadonlyMap<string, number>;
  readonly data: PointMapData;
  readonly place: (vector: Float32Array) => Point;
}

async function vectorsOf(
  { model }: LoadedWords,
  shown: readonly string[],
  { signal, report }: MakeOptions,
): Promise<Float32Array> {
  const all = new Float32Array(shown.length * model.dim);
  for (let at = 0; at < shown.length; at += wordsAtOnce) {
    const { vectors } = await model.vectors(shown.slice(at, at + wordsAtOnce), { signal });
    all.set(vectors, at * model.dim);
    report((readingShare * at) / shown.length);
  }
  return all;
}

/** The first words of each group: they come first in the file. The most frequent words of all, short words and numbers say
 *  little. */
export function namesOf(words: readonly string[], members: Uint32Array, groups: number): string[] {
  const common = Math.min(mostCommon, Math.floor(words.length / 20));
  const names = Array.from({ length: groups }, (): string[] => []);
  words.forEach((word, i) => {
    const name = names[members[i] ?? 0];
    const isTelling = /^\p{L}+$/u.test(word) && word.length >= shortestWord && i >= common;
    if (isTelling && name !== undefined && name.length < wordsOfName) {
      name.push(word);
    }
  });
  return names.map((name) => name.join(', '));
}

export async function mapVocabulary(
  loaded: LoadedWords,
  options: MakeOptions,
): Promise<VocabularyMap | null> {
  const words = loaded.vocabulary.slice(0, mostWords);
  if (words.length === 0) {
    return null;
  }
  const vectors = await vectorsOf(loaded, words, options);
  const { map, members, groups } = await makeMap(vectors, {
    dim: loaded.model.dim,
    signal: options.signal,
    report: (part) => options.report(readingShare + (1 - readingShare) * part),
  });
  const { positions, place } = map;
  return {
    words,
    points: new Map(words.map((word, i) => [word, i])),
    data: {
      positions,
      members,
      groups: groupsOf(positions, members, namesOf(words, members, groups)),
      describe: (point) => ({ source: '', text: words[point] ?? '' }),
      labels: words,
    },
    place: (vector) => {
      const [x = 0, y = 0] = place(vector);
      return { x, y };
    },
  };
}
