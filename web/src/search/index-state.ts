// The data of an index. All parts of the index share it.
import { AmbryError } from '../base/errors.ts';
import { storedProbe } from '../model/probe.ts';
import type { Channel } from '../rpc/channel.ts';
import type { SparseEncoder } from '../sparse-encoder/client.ts';
import { isSparse, probe } from './base/probe.ts';
import type { IndexCalls, RowHit } from './base/protocol.ts';
import type {
  Doc,
  IndexedModel,
  IndexModel,
  IndexOptions,
  SearchHit,
  VectorStorage,
} from './base/types.ts';
import type { SavedWords } from './words/saved-words.ts';

export interface ProbedModel extends IndexedModel {
  readonly probe: readonly number[];
}

/** The JSON in the index file, beside the vectors. */
export interface IndexHeader {
  readonly version: 1;
  readonly model: ProbedModel;
  /** The sparse encoder, where its vectors are beside those of the model. */
  readonly sparse?: ProbedModel;
  readonly prompt?: string;
  /** The codes of the passages' languages, as they were stated. */
  readonly languages?: readonly string[];
  /** Without `languages`: those that were detected when the file was saved. Files of older versions have neither. */
  readonly detectedLanguages?: readonly string[];
  /** The words of the passages. Files of older versions have none. */
  readonly words?: SavedWords;
  readonly docs: readonly Doc[];
}

export interface IndexState {
  readonly channel: Channel<IndexCalls>;
  readonly model: IndexModel;
  /** The sparse encoder, where its vectors are beside those of the model. */
  readonly sparse?: SparseEncoder | undefined;
  readonly header: Omit<IndexHeader, 'docs' | 'detectedLanguages' | 'words'>;
  readonly vectors: VectorStorage;
  /** Whether the model gives the probe's numbers as they are in the header. */
  readonly computesAlike: boolean;
  /** One passage for each row in the worker. Passages and rows change together. */
  docs: readonly Doc[];
  /** The languages that were detected, and in which passages. */
  detected?: { readonly docs: readonly Doc[]; readonly codes: readonly string[] };
  /** The words that the index file has, and of which passages. */
  readonly savedWords?: { readonly docs: readonly Doc[]; readonly words: SavedWords } | undefined;
  /** Runs `work` after all earlier work, so that rows and passages stay together. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/** `vectors` is the number of those of the query: more than one only where the score is a sum over them. */
export function hitOf(
  docs: readonly Doc[],
  { row, score, cosine = score, sparse }: RowHit,
  vectors: number,
): SearchHit {
  const doc = docs[row] as Doc;
  const found = { id: doc.id ?? row, score, cosine: cosine / vectors, text: doc.text, doc };
  return sparse === undefined ? found : { ...found, sparse };
}

/** The header of an empty index for this model. */
export async function newHeader(model: IndexModel, options: IndexOptions): Promise<IndexHeader> {
  const { signal, prompt, language, sparse } = options;
  return {
    version: 1,
    model: await probed(model, signal),
    ...(sparse && { sparse: await probed(sparse, signal) }),
    ...(prompt !== undefined && { prompt }),
    ...(language !== undefined && { languages: await codesOf(language) }),
    docs: [],
  };
}

async function probed(model: IndexModel, signal: AbortSignal | undefined): Promise<ProbedModel> {
  const vector = await probe(model, signal);
  const own = isSparse(model)
    ? ({ dim: model.dimensions, kind: model.kind } as const)
    : { dim: vector.length };
  return { reference: null, format: model.info.format, ...own, probe: storedProbe(vector) };
}

async function codesOf(language: string | readonly string[]): Promise<readonly string[]> {
  const { languageCodes } = await import('./words/language-codes.ts');
  return languageCodes(language, { path: 'options.language' });
}

/** Throws `BadValue` for a passage with the id of another one: nobody could tell which of them a hit means. Pieces of a
 *  record have its id in common, and its source and position. */
export function checkIds(before: readonly Doc[], added: readonly Doc[]): void {
  const named = new Map<string | number, Doc>();
  for (const doc of added.some(({ id }) => id !== undefined) ? before : []) {
    remember(named, doc);
  }
  for (const [i, doc] of added.entries()) {
    const other = remember(named, doc);
    if (!other || isOfOneRecord(doc, other)) {
      continue;
    }
    const message = `Another passage has the id ${JSON.stringify(doc.id)}. Remove that one first, or give each an id of its own.`;
    throw new AmbryError('BadValue', message, { path: `docs[${i}].id` });
  }
}

/** The first passage with this id, if there is another one. */
function remember(named: Map<string | number, Doc>, doc: Doc): Doc | undefined {
  if (doc.id === undefined) {
    return undefined;
  }
  const other = named.get(doc.id);
  named.set(doc.id, other ?? doc);
  return other;
}

function isOfOneRecord(a: Doc, b: Doc): boolean {
  return (
    a['source'] !== undefined && a['source'] === b['source'] && a['position'] === b['position']
  );
}
