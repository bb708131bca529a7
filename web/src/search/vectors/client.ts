// Own vectors on the caller's side. Pages fetch this with the first such call.

import { refuseWrong } from '../../base/call.ts';
import { AmbryError } from '../../base/errors.ts';
import { isSomeObject, type Kind, list, number, oneOf } from '../../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../../base/options.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Channel } from '../../rpc/channel.ts';
import { keepWorker, withWorker } from '../../runtime/connect.ts';
import { jobOptionNames, runtimeOptionNames, sourceJobNames } from '../../runtime/option-names.ts';
import type { ModelSource } from '../../sources/base/types.ts';
import { transferOf, wireSource } from '../../sources/wire-source.ts';
import { vectorStorages } from '../base/types.ts';
import { lengthsOf, placeOnMap } from './place-on-map.ts';
import type { VectorCalls } from './protocol.ts';
import type {
  ClusterOptions,
  MeasuredSearch,
  OpenVectorsOptions,
  ProjectionOptions,
  VectorClusters,
  VectorCollection,
  VectorIndexOptions,
  VectorMap,
} from './types.ts';
import { VectorIndex } from './vector-index.ts';

const defaultRecall = 0.95;
const defaultMemory = 64 << 20;
/** More is worth a word. */
const largeShare = 0.1;
/** Numbers in a message. */
const numbersAtOnce = 1 << 20;

const collectionNames: OptionNames<VectorCollection> = { vectors: true, ids: true, dim: number };
const mapOptionNames: OptionNames<ProjectionOptions> = {
  ...jobOptionNames,
  ...runtimeOptionNames,
  dim: number,
};
const indexOptionNames: OptionNames<VectorIndexOptions> = {
  ...jobOptionNames,
  ...runtimeOptionNames,
  vectors: oneOf(vectorStorages),
  recall: number,
  lists: number,
};

const vectorBlocks: Kind = {
  words:
    'a Float32Array of all numbers, or blocks of them; Float32Array.from(rows.flat()) makes one of lists',
  is: (value) =>
    isSomeObject(value) &&
    (Array.isArray(value)
      ? value.every(isSomeObject) && !value.some(Array.isArray)
      : value instanceof Float32Array || isBlocks(value)),
};
const idList: Kind = { ...list, is: (value) => value === undefined || list.is(value) };
const vectorRows: Kind = { words: 'a Float32Array', is: (value) => value instanceof Float32Array };

/** Typed arrays of another type give numbers, and no blocks. */
function isBlocks(value: object): boolean {
  const isIterable = Symbol.iterator in value || Symbol.asyncIterator in value;
  return isIterable && !ArrayBuffer.isView(value);
}

export async function createVectorIndex(
  platform: Platform,
  collection: VectorCollection,
  options: VectorIndexOptions = {},
): Promise<VectorIndex> {
  await refuseUnknown(collection, collectionNames, 'collection');
  await refuseUnknown(options, indexOptionNames);
  await refuseWrong([collection.vectors, collection.ids], { vectors: vectorBlocks, ids: idList });
  const dim = dimOf(collection);
  const { vectors = vectorStorages[0], recall = defaultRecall, lists, ...job } = options;
  const { ids } = collection;
  checkIds(ids);
  return keepWorker<VectorCalls, VectorIndex>(platform, options, 'vectors', async ({ channel }) => {
    const int8 = vectors !== 'f32';
    await channel.call('createVectors', { dim, int8 }, job);
    const size = await appendAll(channel, collection.vectors, dim, options);
    if (ids && ids.length !== size) {
      const message = `${ids.length} ids, but ${size} vectors of ${dim} numbers`;
      throw new AmbryError('Mismatch', message, { path: 'ids' });
    }
    const measured = await channel.call('buildVectors', { lists, recall }, job);
    const facts = { dim, size, int8, measured: withNote(measured, recall) };
    return new VectorIndex({ channel, facts, ids, isFile: false });
  });
}

export async function openVectorIndex(
  platform: Platform,
  source: ModelSource,
  options: OpenVectorsOptions = {},
): Promise<VectorIndex> {
  await refuseUnknown(options, { ...sourceJobNames, memory: number });
  const { memory = defaultMemory } = options;
  const wire = await wireSource(platform.locate, source, options);
  return keepWorker<VectorCalls, VectorIndex>(platform, options, 'vectors', async ({ channel }) => {
    const transfer = transferOf(wire);
    const facts = await channel.call(
      'openVectorFile',
      { source: wire, memory },
      { ...options, transfer },
    );
    return new VectorIndex({ channel, facts, isFile: true });
  });
}

export async function clusterVectors(
  platform: Platform,
  vectors: Float32Array,
  given: ClusterOptions,
): Promise<VectorClusters> {
  await refuseWrong([vectors], { vectors: vectorRows });
  await refuseUnknown(given, { ...mapOptionNames, count: number });
  const { dim, count, ...options } = given;
  checkDim(dim);
  checkWhole(vectors, dim, 0);
  return withWorker<VectorCalls, VectorClusters>(platform, options, 'vectors', (channel) =>
    channel.call('clusterVectors', { vectors, dim, count }, options),
  );
}

export async function projectVectors(
  platform: Platform,
  vectors: Float32Array,
  given: ProjectionOptions,
): Promise<VectorMap> {
  await refuseWrong([vectors], { vectors: vectorRows });
  await refuseUnknown(given, mapOptionNames);
  const { dim, ...options } = given;
  checkDim(dim);
  checkWhole(vectors, dim, 0);
  const positions = await withWorker<VectorCalls, Float32Array<ArrayBuffer>>(
    platform,
    options,
    'vectors',
    (channel) => channel.call('projectVectors', { vectors, dim }, options),
  );
  let lengths: Float32Array | undefined;
  return {
    positions,
    place(queries) {
      checkWhole(queries, dim, 0);
      lengths ??= lengthsOf(vectors, dim);
      return placeOnMap({ vectors, dim, lengths, positions }, queries);
    },
  };
}

function withNote(measured: MeasuredSearch, wanted: number): MeasuredSearch {
  const { recall, share, lists } = measured;
  if (lists === 0 || (recall >= wanted && share <= largeShare)) {
    return measured;
  }
  const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
  const note = `A search reads ${percent(share)} of the vectors and finds ${percent(recall)} of the nearest ten; ${percent(wanted)} were asked for.`;
  return { ...measured, note };
}

async function appendAll(
  channel: Channel<VectorCalls>,
  given: VectorCollection['vectors'],
  dim: number,
  { signal, onProgress }: VectorIndexOptions,
): Promise<number> {
  const perMessage = Math.max(1, Math.floor(numbersAtOnce / dim)) * dim;
  const total = given instanceof Float32Array ? given.byteLength : 0;
  let size = 0;
  for await (const block of given instanceof Float32Array ? [given] : given) {
    checkWhole(block, dim, size);
    for (let at = 0; at < block.length; at += perMessage) {
      const vectors = block.slice(at, at + perMessage) as Float32Array<ArrayBuffer>;
      const transfer = [vectors.buffer];
      size = await channel.call('appendVectors', { vectors }, { signal, transfer });
      onProgress?.({ phase: 'load', loaded: size * dim * 4, total, cached: false });
    }
  }
  return size;
}

function dimOf({ vectors, ids, dim }: VectorCollection): number {
  if (dim !== undefined) {
    return checkDim(dim);
  }
  if (vectors instanceof Float32Array && ids && ids.length > 0) {
    return checkDim(vectors.length / ids.length);
  }
  const message =
    'The length of a vector is unknown. Give it as `dim`, or give one array and `ids`.';
  throw new AmbryError('BadValue', message, { path: 'dim' });
}

function checkDim(dim: number): number {
  if (Number.isInteger(dim) && dim >= 1) {
    return dim;
  }
  const message = `The length of a vector is a whole number from 1 on, not ${dim}.`;
  throw new AmbryError('BadValue', message, { path: 'dim' });
}

function checkWhole(block: unknown, dim: number, before: number): void {
  if (block instanceof Float32Array && block.length % dim === 0) {
    return;
  }
  const isArray = block instanceof Float32Array;
  const row = before + (isArray ? Math.floor(block.length / dim) : 0);
  const message = isArray
    ? `${block.length % dim} numbers are left over, but a vector has ${dim}.`
    : 'Vectors come as Float32Array.';
  throw new AmbryError('BadValue', message, { path: `vectors[${row}]` });
}

function checkIds(ids: VectorCollection['ids']): void {
  const wrong = ids?.findIndex(
    (id) => typeof id !== 'string' && !(typeof id === 'number' && Number.isFinite(id)),
  );
  if (wrong === undefined || wrong < 0) {
    return;
  }
  const message = 'An id is a string or a finite number.';
  throw new AmbryError('BadValue', message, { path: `ids[${wrong}]` });
}
