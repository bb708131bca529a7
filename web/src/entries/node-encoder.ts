// `ambry/encoder` in Node.

import { encoderEntry } from './encoder-entry.ts';
import { node } from './node-platform.ts';

export { AmbryError } from '../base/errors.ts';

export const { open, openReranker, createIndex, loadIndex } = encoderEntry(node);
