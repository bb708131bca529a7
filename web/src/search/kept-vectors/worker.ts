// The calls that keep vectors. A worker keeps those of one name.
import type { KeepCalls } from '../../rpc/protocol.ts';
import type { Handlers } from '../../rpc/serve.ts';
import { need } from '../../runtime/worker-need.ts';
import type { OpenVectorFile } from './vector-file.ts';
import { KeptVectors } from './worker-store.ts';

export function keepHandlers(openFile: OpenVectorFile): Handlers<KeepCalls> {
  let kept: KeptVectors | undefined;

  return {
    openVectors: async ({ place, fingerprint }) => {
      kept = await KeptVectors.open(await openFile(place), fingerprint);
      return kept.size;
    },

    findVectors: async ({ texts }, { transfer }) => {
      const vectors = await need(kept).find(texts);
      transfer.push(vectors.found.buffer, vectors.rows.buffer);
      return vectors;
    },

    keepVectors: async ({ texts, rows }) => {
      await need(kept).keep(texts, rows);
      return null;
    },

    closeVectors: async () => {
      await kept?.close();
      kept = undefined;
      return null;
    },
  };
}
