// The public calls that list and delete kept vectors. Fetched with the first such call.
import type { KeptVectorsFile, VectorCacheControl } from '../base/types.ts';
import { endIdle } from './open-places.ts';

/** The stores of the platform. */
interface VectorStore {
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
