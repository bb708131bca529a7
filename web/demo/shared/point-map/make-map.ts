// Makes a map of vectors: their places, and groups of those that are near together. The work is done in workers.

import type { VectorMap } from 'ambry';
import { clusterVectors, projectVectors } from 'ambry/vectors';
import type { MakeOptions } from './map-panel.ts';

export interface MadeMap {
  readonly map: VectorMap;
  /** The group of each vector. */
  readonly members: Uint32Array;
  readonly groups: number;
}

interface MakeMapOptions extends MakeOptions {
  readonly dim: number;
}

const pointsOfGroup = 8;
const mostGroups = 16;

/** Groups are of places and not of vectors, so that each is one area of the map. */
export async function makeMap(
  vectors: Float32Array,
  { dim, signal, report }: MakeMapOptions,
): Promise<MadeMap> {
  const map = await projectVectors(vectors, {
    dim,
    signal,
    onProgress: ({ loaded, total }) => report(loaded / total),
  });
  const count = map.positions.length / 2;
  const groups = Math.min(mostGroups, Math.max(1, Math.round(count / pointsOfGroup)));
  const { members } = await clusterVectors(map.positions, { dim: 2, count: groups, signal });
  return { map, members, groups };
}
