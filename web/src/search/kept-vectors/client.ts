// Reads and writes kept vectors while an index is made. When this fails, `note` says why, and the work goes on
// without them.
import { AmbryError, isAbort, messageOf } from '../../base/errors.ts';
import type { Embedder } from '../../model/embedding.ts';
import type { IndexingOptions } from '../base/types.ts';
import { enter } from './open-places.ts';
import type { FoundVectors, VectorPlace } from './protocol.ts';

type Place = Awaited<ReturnType<typeof enter>>;

export class KeptVectorsClient {
  #place: Place | undefined;
  note: string | undefined;

  static async open(
    model: Embedder,
    keep: NonNullable<IndexingOptions['keep']>,
    prompt: string | null,
  ): Promise<KeptVectorsClient> {
    const kept = new KeptVectorsClient();
    const place = placeOf(keep);
    try {
      await kept.#try(async () => {
        kept.#place = await enter({ place, model, prompt });
        await kept.#place.opened;
      });
      return kept;
    } catch (error) {
      await kept.#place?.leave(true);
      throw error;
    }
  }

  /** Undefined when kept vectors cannot be read. */
  find(
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<FoundVectors | undefined> {
    return this.#try((place) => place.channel.call('findVectors', { texts }, { signal }));
  }

  async keep(texts: readonly string[], rows: Float32Array<ArrayBuffer>): Promise<void> {
    await this.#try((place) => place.channel.call('keepVectors', { texts, rows }));
  }

  async close(): Promise<void> {
    await this.#place?.leave(this.note !== undefined);
  }

  async #try<T>(work: (place: Place) => Promise<T>): Promise<T | undefined> {
    if (this.note !== undefined) {
      return undefined;
    }
    try {
      return await work(this.#place as Place);
    } catch (error) {
      if (isAbort(error) || (error as AmbryError).path === 'keep') {
        throw error;
      }
      this.note = `The vectors are not kept: ${messageOf(error)}`;
      return undefined;
    }
  }
}

function placeOf(keep: NonNullable<IndexingOptions['keep']>): VectorPlace {
  if (typeof keep === 'string') {
    return { name: keep };
  }
  if (typeof keep?.path === 'string') {
    return { path: keep.path };
  }
  throw new AmbryError('BadValue', 'Vectors are kept under a name, or in Node at a path.', {
    path: 'keep',
  });
}
