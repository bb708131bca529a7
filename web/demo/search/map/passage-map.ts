// Makes the map of the passages of an index, and finds the place of a question on it.

import type { Doc, SearchHit, SearchIndex } from 'ambry';
import { alignTo, type PointPair, startOf } from '../../shared/point-map/align.ts';
import type { Point } from '../../shared/point-map/camera.ts';
import { groupNames } from '../../shared/point-map/group-names.ts';
import { type MadeMap, makeMap } from '../../shared/point-map/make-map.ts';
import type { MakeOptions } from '../../shared/point-map/map-panel.ts';
import { groupsOf, type PointMapData } from '../../shared/point-map/points.ts';
import { sourceOf } from '../results/result-item.ts';
import type { Embedder } from '../state/state.ts';
import { tellingWords } from './passage-names.ts';

/** The map shows at most so many passages: of more, some at even distances. */
const mostPassages = 20_000;

export interface PassageMap {
  /** The passages on the map. */
  readonly docs: readonly Doc[];
  /** The number of passages of the index. */
  readonly all: number;
  readonly points: ReadonlyMap<Doc, number>;
  readonly data: PointMapData;
  readonly made: MadeMap;
  /** Where the points of the map before it were. */
  readonly start?: Float32Array;
}

interface Passages {
  readonly docs: readonly Doc[];
  readonly vectors: Float32Array;
  readonly all: number;
}

/** The text whose words may name a group. The name of a source says what the passage is about, unless it is a file's. */
function namingText(doc: Doc): string {
  const source = sourceOf(doc);
  return source.includes('.') ? doc.text : `${source}\n${doc.text}`;
}

/** The passages of an index with their vectors. Passages that are added meanwhile are left out. */
async function passagesOf(index: SearchIndex): Promise<Passages> {
  const vectors = await index.passageVectors();
  const { dim } = index;
  const docs = index.docs.slice(0, vectors.length / dim);
  if (docs.length <= mostPassages) {
    return { docs, vectors: vectors.subarray(0, docs.length * dim), all: docs.length };
  }
  const chosen = Array.from({ length: mostPassages }, (_, i) =>
    Math.floor((i * docs.length) / mostPassages),
  );
  const some = new Float32Array(mostPassages * dim);
  chosen.forEach((row, i) => {
    some.set(vectors.subarray(row * dim, (row + 1) * dim), i * dim);
  });
  return { docs: chosen.map((row) => docs[row] as Doc), vectors: some, all: docs.length };
}

/** The map of the passages of an index. It is turned like the one before it, so that passages stay about where they were. */
export async function mapPassages(
  index: SearchIndex,
  before: PassageMap | null,
  options: MakeOptions,
): Promise<PassageMap | null> {
  const { docs, vectors, all } = await passagesOf(index);
  if (docs.length === 0) {
    return null;
  }
  const made = await makeMap(vectors, { dim: index.dim, ...options });
  const { positions } = made.map;
  // `place` uses the same positions, so it places questions on the turned map.
  const start = before === null ? undefined : turnLike(positions, docs, before);
  const names = groupNames(docs.map(namingText), made.members, made.groups, tellingWords);
  const data: PointMapData = {
    positions,
    members: made.members,
    groups: groupsOf(positions, made.members, names),
    describe: (point) => {
      const doc = docs[point];
      return { source: doc === undefined ? '' : sourceOf(doc), text: doc?.text ?? '' };
    },
  };
  const points = new Map(docs.map((doc, i) => [doc, i]));
  return { docs, all, points, data, made, ...(start !== undefined && { start }) };
}

/** Returns where the points were. */
function turnLike(
  positions: Float32Array,
  docs: readonly Doc[],
  { points, data }: PassageMap,
): Float32Array {
  const pairs = docs.flatMap((doc, point): PointPair[] => {
    const old = points.get(doc);
    return old === undefined ? [] : [[point, old]];
  });
  alignTo(positions, data.positions, pairs);
  return startOf(positions, data.positions, pairs);
}

/** The points of hits, the best first. */
export function pointsOf({ points }: PassageMap, hits: readonly SearchHit[]): number[] {
  return hits.flatMap(({ doc }) => points.get(doc) ?? []);
}

/** Where the question is: among the passages nearest to its vector. A model with late interaction has no single vector
 *  of a question, so its place is that of the best hit. */
export async function placeOf(
  { made, data }: PassageMap,
  model: Embedder,
  query: string,
  hits: readonly number[],
  signal: AbortSignal,
): Promise<Point | null> {
  if ('lateInteraction' in model && model.lateInteraction !== undefined) {
    const [best] = hits;
    return best === undefined
      ? null
      : { x: data.positions[2 * best] ?? 0, y: data.positions[2 * best + 1] ?? 0 };
  }
  const vector = await model.embed(query, { normalize: true, signal });
  const [x = 0, y = 0] = made.map.place(vector);
  return { x, y };
}
