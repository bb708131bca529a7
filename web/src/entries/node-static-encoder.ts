// `ambry/static-encoder` in Node.
import { node } from './node-platform.ts';
import { openStatic } from './static-encoder-entry.ts';

export { AmbryError } from '../base/errors.ts';

export const open = openStatic(node);
