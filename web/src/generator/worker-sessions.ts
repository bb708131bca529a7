// The keys and values of conversations in the worker's heap, by number.
import { AmbryError } from '../base/errors.ts';
import { copyOut, encode, unwrap, using } from '../runtime/worker-heap.ts';
import type { GeneratorModel, GeneratorModule, PromptCache } from '../wasm/module.mjs';

export class Sessions {
  readonly #module: GeneratorModule;
  readonly #model: GeneratorModel;
  readonly #caches = new Map<number, PromptCache>();
  #last = 0;

  constructor(module: GeneratorModule, model: GeneratorModel) {
    this.#module = module;
    this.#model = model;
  }

  open(): number {
    return this.#add(unwrap(this.#module.createPromptCache(this.#model)));
  }

  fork(session: number): number {
    return this.#add(unwrap(this.#module.forkPromptCache(this.find(session))));
  }

  close(session: number): null {
    const cache = this.find(session);
    this.#caches.delete(session);
    this.#module.release(cache);
    return null;
  }

  save(session: number, note: string): Promise<Uint8Array<ArrayBuffer>> {
    const module = this.#module;
    const saved = unwrap(module.savePromptCache(this.find(session), encode(note)));
    return using(module, saved, () => copyOut(module, unwrap(module.rangeOf(saved))));
  }

  restore(bytes: Uint8Array): Promise<{ session: number; note: string }> {
    const module = this.#module;
    const room = unwrap(module.createSavedPromptCache(bytes.byteLength));
    return using(module, room, () => {
      module.HEAPU8.set(bytes, unwrap(module.rangeOf(room)).address);
      const cache = unwrap(module.restorePromptCache(this.#model, room));
      const { note } = unwrap(module.promptCacheFacts(cache));
      return { session: this.#add(cache), note };
    });
  }

  find(session: number): PromptCache {
    const cache = this.#caches.get(session);
    if (cache !== undefined) {
      return cache;
    }
    throw new AmbryError('NotFound', 'There is no such session.', { path: 'session' });
  }

  #add(cache: PromptCache): number {
    this.#caches.set(++this.#last, cache);
    return this.#last;
  }
}
