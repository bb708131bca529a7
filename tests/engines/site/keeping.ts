// Every call of the package that keeps something, or looks at what is kept.

import type * as Ambry from 'ambry';

type Package = Pick<typeof Ambry, 'cache' | 'createIndex' | 'doctor' | 'open' | 'vectorCaches'>;

export interface Kept {
  /** What the package says of a download and of vectors that were to be kept. */
  readonly notes: readonly string[];
  /** The text that was found all the same. */
  readonly found: string;
  /** What is kept now, as the package lists it. */
  readonly downloads: number;
  readonly vectors: number;
  /** What deleting returned. */
  readonly deleted: readonly boolean[];
  /** What the examination says of the private file system. */
  readonly doctor: { readonly ok: boolean; readonly found: string; readonly fix?: string };
}

export async function tryToKeep(ambry: Package, url: string): Promise<Kept> {
  const notes = new Set<string>();
  const onProgress = ({ note }: { readonly note?: string | undefined }) => {
    if (note !== undefined) {
      notes.add(note);
    }
  };
  const model = await ambry.open(url, { kind: 'encoder', cache: true, onProgress });
  const docs = ['The cat sat on the mat.', 'Bread needs water and fire.'].map((text) => ({ text }));
  const index = await ambry.createIndex(model, docs, { keep: 'notes', onProgress });
  const [best] = await index.search('Bread needs water and fire.', { k: 1 });
  await index.dispose();
  // The model stays open: WebKit's cache in memory ends with the last worker that uses it.
  const downloads = (await ambry.cache.list()).length;
  const vectors = (await ambry.vectorCaches.list()).length;
  const deleted = [await ambry.cache.delete(url), await ambry.vectorCaches.delete('notes')];
  await ambry.cache.clear();
  await model.dispose();
  const checks = await ambry.doctor();
  const { ok, found, fix } = checks.find(({ name }) => name === 'opfs') ?? { ok: true, found: '' };
  return {
    notes: [...notes],
    found: best?.text ?? '',
    downloads,
    vectors,
    deleted,
    doctor: { ok, found, ...(fix !== undefined && { fix }) },
  };
}
