// `ambry/files` in Node.

import { filesEntry } from './files-entry.ts';
import { node } from './node-platform.ts';

export { AmbryError } from '../base/errors.ts';

export const { inspect, validate, convert, conversionTargets, openTokenizer } = filesEntry(node);
