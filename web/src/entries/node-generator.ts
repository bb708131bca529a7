// `ambry/generator` in Node.
import { node } from './node-platform.ts';
import { openOfKind } from './open-of-kind.ts';

export { AmbryError } from '../base/errors.ts';

export const open = openOfKind(node, 'generator');
