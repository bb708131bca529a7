// An index from a file, and whether the model is the one that made it. Browsers fetch this with the first
// such file.
import { AmbryError } from '../errors.ts';
import type {
  Doc,
  FetchOptions,
  IndexedModel,
  JobOptions,
  ModelSource,
  RuntimeOptions,
} from '../types.ts';
import { keepWorker } from './connect.ts';
import { cosine } from './cosine.ts';
import { Model } from './model.ts';
import type { Platform } from './platform.ts';
import { checkDocs, type IndexHeader, probe, SearchIndex } from './search-index.ts';
import { purposeOf, transferOf, wireSource } from './wire-source.ts';

/** int8 and f32 weights of one model agree to 0.999; models that differ at all in training do not. */
const kLeastAgreement = 0.99;

export async function loadIndex(
  platform: Platform,
  model: Model | ((indexed: IndexedModel) => Promise<Model>),
  source: ModelSource,
  options: JobOptions & RuntimeOptions & FetchOptions,
): Promise<SearchIndex> {
  const wire = await wireSource(platform, source, options);
  const runtime = model instanceof Model ? { ...model.runtime, ...options } : options;
  return keepWorker(platform, runtime, purposeOf(wire), async (channel) => {
    const transfer = transferOf(wire);
    const facts = await channel.call('readIndex', { source: wire }, { ...options, transfer });
    const header = readHeader(facts.header, facts.size, facts.dim);
    const opened = model instanceof Model ? model : await model(header.model);
    await checkModel(opened, header.model, options.signal);
    return new SearchIndex(channel, opened, header);
  });
}

function readHeader(text: string, rows: number, dim: number): IndexHeader {
  const header = parseHeader(text);
  if (header.docs.length !== rows || header.model.dim !== dim) {
    const message = `The index has ${rows} vectors of ${dim} numbers but ${header.docs.length} passages for ${header.model.dim}.`;
    throw new AmbryError('Mismatch', message, { path: 'header' });
  }
  return header;
}

function parseHeader(text: string): IndexHeader {
  let header: Partial<IndexHeader> | null = null;
  try {
    header = JSON.parse(text) as Partial<IndexHeader> | null;
  } catch {
    // Said below.
  }
  const probe: unknown = header?.model?.probe;
  const docs: unknown = header?.docs;
  const known = header?.version === 1 && Array.isArray(probe) && Array.isArray(docs);
  if (!known) {
    throw new AmbryError('BadValue', 'The file is no index of passages that this version knows.', {
      path: 'header',
    });
  }
  checkDocs(docs as Doc[]);
  return header as IndexHeader;
}

/** Refuses a model that is not the one that made the index. */
async function checkModel(
  model: Model,
  indexed: IndexHeader['model'],
  signal?: AbortSignal,
): Promise<void> {
  const now = await probe(model, signal);
  if (now.length === indexed.probe.length) {
    // Word vectors that have none of its words give zeros.
    const isNothing = [...now, ...indexed.probe].every((x) => x === 0);
    if (isNothing || cosine(now, indexed.probe) >= kLeastAgreement) return;
  }
  const was = `${indexed.dim} numbers a vector${indexed.reference === null ? '' : `, ${indexed.reference}`}`;
  throw new AmbryError('Mismatch', `This is not the model that made the index (${was}).`, {
    path: 'model',
  });
}
