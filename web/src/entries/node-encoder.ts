// `ambry/encoder` in Node.
import { node } from '../workers/node.ts';
import { encoderEntry } from './encoder-entry.ts';

export { AmbryError } from '../base/errors.ts';

export const { open, openReranker, createIndex, loadIndex } = encoderEntry(node);
