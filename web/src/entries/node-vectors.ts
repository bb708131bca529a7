// `ambry/vectors` in Node.
import { node } from './node-platform.ts';
import { vectorsEntry } from './vectors-entry.ts';

export { AmbryError } from '../base/errors.ts';

export const { createIndex, loadIndex, clusterVectors, projectVectors } = vectorsEntry(node);
