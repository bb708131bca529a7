// Loads the texts of the best pages, and embeds their passages again: this gives exact cosines for what the reader sees,
// without any bytes for them.
import type { Encoder } from 'ambry/static-encoder';
import { type PartText, passageText } from '../shared/part-text.ts';
import type { PageCandidate } from './candidates.ts';
import type { Snapshot } from './files/snapshot.ts';

export interface LoadedPart {
  readonly text: PartText;
  /** From 0 to 1, by the words of the part. */
  readonly words: number;
  /** The cosine of the part as far as its code tells, if meaning counts. */
  readonly cosine: number | undefined;
  /** A row for each passage, if a model gives them. */
  readonly vectors: Float32Array | undefined;
}

/** A page with at least one part. */
export interface LoadedPage {
  readonly parts: readonly LoadedPart[];
}

export async function loadTexts(
  snapshot: Snapshot,
  pages: readonly PageCandidate[],
  encoder: Encoder | undefined,
): Promise<LoadedPage[]> {
  const candidates = pages.flatMap(({ parts }) => parts);
  const texts = await Promise.all(candidates.map(({ part }) => snapshot.text(part)));
  const rows = encoder && (await rowsOf(texts, snapshot.vectors.dim, encoder));
  const loaded = new Map(
    candidates.map(({ part, words, cosine }, i): [number, LoadedPart] => [
      part,
      { text: texts[i] as PartText, words, cosine, vectors: rows?.[i] },
    ]),
  );
  return pages.map(({ parts }) => ({
    parts: parts.map(({ part }) => loaded.get(part) as LoadedPart),
  }));
}

/** The rows of each part's passages. */
async function rowsOf(
  parts: readonly PartText[],
  dim: number,
  encoder: Encoder,
): Promise<Float32Array[]> {
  const texts = parts.map(({ title, sections, passages }) =>
    passages.map((place) =>
      passageText(title, sections[place[0]] as PartText['sections'][number], place),
    ),
  );
  const all = texts.flat();
  const rows =
    all.length === 0
      ? new Float32Array()
      : await encoder.embed(all, { as: 'matrix', dim, normalize: true });
  let at = 0;
  return texts.map(({ length }) => {
    const begin = at;
    at += length * dim;
    return rows.subarray(begin, at);
  });
}
