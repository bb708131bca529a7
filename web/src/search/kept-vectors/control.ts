// What callers see of kept vectors. Fetched with the first look at them.
import type { KeptVectorsFile, VectorCacheControl } from '../types.ts';
import { endIdle } from './open-places.ts';

/** Where the platform keeps them. */
export interface VectorStore {
  readonly list: () => Promise<KeptVectorsFile[]>;
  readonly remove: (name: string) => Promise<boolean>;
}

export function vectorCacheControl(load: () => Promise<VectorStore>): VectorCacheControl {
  return {
    list: async () => (await load()).list(),
    delete: async (name) => {
      await endIdle({ name });
      return (await load()).remove(name);
    },
  };
}
