// `ambry/files` in Node.
import { node } from '../workers/node.ts';
import { filesEntry } from './files-entry.ts';

export { AmbryError } from '../base/errors.ts';

export const { inspect, validate, convert, conversionTargets, openTokenizer } = filesEntry(node);
