// What a passage must be.
import { AmbryError } from '../../base/errors.ts';
import type { Doc } from './types.ts';

export function checkDocs(docs: readonly Doc[]): void {
  for (const [i, doc] of docs.entries()) {
    if (typeof doc?.text === 'string') {
      continue;
    }
    const advice = typeof doc === 'string' ? ' Write { text: … } for each text.' : '';
    const message = `A passage must be an object with a text.${advice}`;
    throw new AmbryError('BadValue', message, { path: `docs[${i}].text` });
  }
}
