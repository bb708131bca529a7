// A document whose passages are partly indexed.
import type { DocumentSource } from '../../../../../web/demo/search/state/state.ts';

export function source(name: string, done: number, waiting: number): DocumentSource {
  const passages = (count: number, from: number) =>
    Array.from({ length: count }, (_, n) => ({ text: `${name} ${from + n}` }));
  return { id: name, name, passages: passages(done, 0), waiting: passages(waiting, done) };
}
