// Opens an index file, and checks that the model is the one that made it. Browsers fetch this file with the
// first such call.

import { refuseWrong } from '../base/call.ts';
import { AmbryError, type ErrorPlace } from '../base/errors.ts';
import type { Kind } from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import { isEmbedder } from '../model/embedding.ts';
import { probeAgreement } from '../model/probe.ts';
import type { Platform } from '../platform/platform.ts';
import { type Connection, keepWorker } from '../runtime/connect.ts';
import { sourceJobNames } from '../runtime/option-names.ts';
import type { ModelSource } from '../sources/base/types.ts';
import { transferOf, wireSource } from '../sources/wire-source.ts';
import { checkDocs } from './base/check-docs.ts';
import { mostCharacters } from './base/header-size.ts';
import { isSparse, probe } from './base/probe.ts';
import type { IndexCalls, IndexFacts } from './base/protocol.ts';
import type { IndexedModel, IndexModel, OpenIndexOptions } from './base/types.ts';
import { indexWorkerFor } from './client.ts';
import type { IndexHeader, ProbedModel } from './index-state.ts';
import { SearchIndex } from './search-index.ts';
import { languageCodes } from './words/language-codes.ts';

const isFunction = (value: unknown) => typeof value === 'function';
const embedder: Kind = {
  words: 'an opened encoder, sparse encoder or word vectors, or a function that opens it',
  is: (value) => isFunction(value) || isEmbedder(value) || isSparse(value),
};
const sparseEncoder: Kind = {
  words: 'an opened sparse encoder, or a function that opens it',
  is: (value) => isFunction(value) || isSparse(value),
};
const openIndexNames: OptionNames<OpenIndexOptions> = {
  ...sourceJobNames,
  model: embedder,
  sparse: sparseEncoder,
};

export async function openIndex(
  platform: Platform,
  source: ModelSource,
  // A call without options hears what it needs.
  given: OpenIndexOptions = {} as OpenIndexOptions,
): Promise<SearchIndex> {
  await refuseUnknown(given, openIndexNames);
  const { model, sparse, ...options } = given;
  await refuseWrong([model], { 'options.model': embedder });
  const wire = await wireSource(platform.locate, source, options);
  const isOpen = typeof model !== 'function';
  const runtime = isOpen ? { ...model.connection.runtime, ...options } : options;
  const worker = sparse ? 'encoder' : indexWorkerFor(wire, isOpen ? model : undefined);
  const read = async ({ channel }: Connection<IndexCalls>): Promise<SearchIndex> => {
    const transfer = transferOf(wire);
    const facts = await channel.call('readIndex', { source: wire }, { ...options, transfer });
    const { detectedLanguages: codes, words, ...header } = await readHeader(facts);
    checkSparse(sparse, header);
    const opened = isOpen ? model : await model(header.model);
    await refuseWrong([opened], { model: embedder });
    const { signal } = options;
    let computesAlike = await checkModel(opened, header.model, kindIn(facts), signal);
    const beside = header.sparse && (await openedOf(sparse, header.sparse));
    if (header.sparse && beside) {
      await refuseWrong([beside], { sparse: sparseEncoder });
      computesAlike =
        (await checkModel(beside, header.sparse, 'sparse', signal, 'sparse')) && computesAlike;
    }
    const vectors = facts.int8 ? 'int8' : 'f32';
    const detected = codes && { detected: { docs: header.docs, codes } };
    const savedWords = words && { docs: header.docs, words };
    const found = { vectors, computesAlike, sparse: beside, savedWords, ...detected } as const;
    return new SearchIndex(channel, opened, header, found);
  };
  return keepWorker(platform, runtime, worker, read).catch((error: unknown) => {
    if (worker === 'encoder' || wire.kind === 'stream' || !isOfOthers(error)) {
      throw error;
    }
    return keepWorker(platform, runtime, 'encoder', read);
  });
}

/** Throws where a sparse encoder is missing, or is one too many. */
function checkSparse(given: OpenIndexOptions['sparse'], header: IndexHeader): void {
  const message =
    header.sparse && !given
      ? 'The index has the vectors of a sparse encoder, too. Give it in the option sparse.'
      : isSparse(given) && !header.sparse
        ? 'The index has no vectors of a sparse encoder beside those of its model. Leave out the option sparse.'
        : undefined;
  if (message) {
    throw new AmbryError('Mismatch', message, { path: 'options.sparse' });
  }
}

const openedOf = async (given: OpenIndexOptions['sparse'], indexed: IndexedModel) =>
  typeof given === 'function' ? given(indexed) : given;

/** Whether the error is that of a smaller module for an index that is not of one vector a passage. */
function isOfOthers(error: unknown): boolean {
  return (
    error instanceof AmbryError && error.code === 'UnsupportedVersion' && error.path === 'version'
  );
}

async function readHeader(facts: IndexFacts): Promise<IndexHeader> {
  const place = { path: 'header', byteOffset: facts.headerOffset };
  const header = parseHeader(await headerText(facts), place);
  if (header.sparse?.dim !== facts.words) {
    const message = `The file has ${facts.words ?? 'no'} words of sparse vectors, but its facts say ${header.sparse?.dim ?? 'none'}.`;
    throw new AmbryError('Mismatch', message, place);
  }
  if (header.docs.length !== facts.size || header.model.dim !== facts.dim) {
    const message = `The index has ${facts.size} vectors of ${facts.dim} numbers but ${header.docs.length} passages for ${header.model.dim}.`;
    throw new AmbryError('Mismatch', message, place);
  }
  return header;
}

/** Version 1 stores the text as it is, version 2 deflated. */
async function headerText({ version, headerOffset, header }: IndexFacts): Promise<string> {
  const place = { path: 'header', byteOffset: headerOffset };
  const whole = new Blob([header]).stream();
  const bytes = version === 1 ? whole : whole.pipeThrough(new DecompressionStream('deflate'));
  const most = mostCharacters(header.length);
  const reader = bytes.pipeThrough(new TextDecoderStream('utf-8', { fatal: true })).getReader();
  let text = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value;
      if (text.length > most) {
        break;
      }
    }
  } catch (cause) {
    throw new AmbryError('BadValue', 'The passages are not stored as deflated UTF-8.', {
      ...place,
      cause,
    });
  }
  if (text.length <= most) {
    return text;
  }
  await reader.cancel();
  const message = `The passages are ${header.length} bytes and become more than ${most} characters. An index of Ambry never grows so much.`;
  throw new AmbryError('LimitExceeded', message, place);
}

function parseHeader(text: string, place: ErrorPlace): IndexHeader {
  let header: Partial<IndexHeader> | null = null;
  try {
    header = JSON.parse(text) as Partial<IndexHeader> | null;
  } catch {
    // The error is thrown below.
  }
  const probes: readonly unknown[] = [
    header?.model?.probe,
    header?.sparse ? header.sparse.probe : [],
  ];
  const docs: unknown = header?.docs;
  const lists = ['languages', 'detectedLanguages'] as const;
  const known =
    header?.version === 1 &&
    probes.every(Array.isArray) &&
    Array.isArray(docs) &&
    lists.every((name) => header?.[name] === undefined || isListOfTexts(header[name])) &&
    (header.words === undefined || areSavedWords(header.words));
  if (!known) {
    throw new AmbryError(
      'BadValue',
      'The file is no index of passages that this version knows.',
      place,
    );
  }
  const found = header as IndexHeader;
  checkDocs(found.docs);
  for (const name of lists) {
    const languages = found[name];
    if (languages) {
      languageCodes(languages, { ...place, path: `header.${name}` });
    }
  }
  return found;
}

function areSavedWords(list: unknown): boolean {
  const names = ['code', 'lengths', 'words'] as const;
  return (
    Array.isArray(list) &&
    list.every((one) => names.every((name) => typeof one?.[name] === 'string'))
  );
}

function isListOfTexts(list: unknown): boolean {
  return Array.isArray(list) && list.every((text) => typeof text === 'string');
}

type VectorKind = 'one' | 'tokens' | 'sparse';

const kindIn = ({ rows, weights }: IndexFacts): VectorKind =>
  rows !== undefined ? 'tokens' : weights === undefined ? 'one' : 'sparse';

const kindOf = (model: IndexModel): VectorKind =>
  isSparse(model) ? 'sparse' : model.lateInteraction ? 'tokens' : 'one';

/** Throws if the model is not the one that made the index. Returns whether it computes the same numbers as that one did. */
async function checkModel(
  model: IndexModel,
  indexed: ProbedModel,
  kind: VectorKind,
  signal?: AbortSignal,
  path = 'model',
): Promise<boolean> {
  const now = await probe(model, signal);
  const agreement = kindOf(model) === kind ? probeAgreement(now, indexed.probe) : 'other';
  if (agreement !== 'other') {
    return agreement === 'same';
  }
  const was = `${indexed.dim} numbers a vector${indexed.reference === null ? '' : `, ${indexed.reference}`}`;
  throw new AmbryError('Mismatch', `This is not the model that made the index (${was}).`, { path });
}
