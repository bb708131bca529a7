// The calls that keep vectors. A worker serves the vectors of one name.

import type { Handlers } from '../../rpc/serve.ts';
import { requireOpen } from '../../runtime/worker-open-check.ts';
import type { KeptVectorsCalls } from './protocol.ts';
import type { OpenVectorFile } from './vector-file.ts';
import { KeptVectors } from './worker-store.ts';

export function keptVectorsHandlers(openFile: OpenVectorFile): Handlers<KeptVectorsCalls> {
  let kept: KeptVectors | undefined;

  return {
    openVectors: async ({ place, fingerprint }) => {
      kept = await KeptVectors.open(await openFile(place), fingerprint);
      return kept.size;
    },

    findVectors: async ({ texts }, { transfer }) => {
      const vectors = await requireOpen(kept).find(texts);
      transfer.push(vectors.found.buffer, vectors.rows.buffer);
      return vectors;
    },

    keepVectors: async ({ texts, rows }) => {
      await requireOpen(kept).keep(texts, rows);
      return null;
    },

    closeVectors: async () => {
      await kept?.close();
      kept = undefined;
      return null;
    },
  };
}
