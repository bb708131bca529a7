import { existsSync } from 'node:fs';
import { dropDuplicates, type Passage, passageFileTypes } from '../../entries/passages/passages.ts';
import { embedDefaults, vectorStorages } from '../../entries/tables.ts';
import type { IndexOptions } from '../../entries/types.ts';
import type { SearchIndex } from '../../index.ts';
import { createIndex, openIndex } from '../../node.ts';
import { type CommandOptions, defineCommand, type OptionValues } from '../shared/command.ts';
import {
  fetchOptions,
  jsonOption,
  parseFetchOptions,
  parseRunOptions,
  runOptions,
} from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { formatBytes, formatCount, plural } from '../shared/format.ts';
import { statReadable } from '../shared/input.ts';
import { modelReference } from '../shared/model-reference.ts';
import { type IndexModel, withIndexModels } from '../shared/open-model.ts';
import { integer, oneOf } from '../shared/option-values.ts';
import { refuseToReplace, type Target, targetOf } from '../shared/target.ts';
import type { Terminal } from '../shared/terminal.ts';
import { writeOutput } from '../shared/write-output.ts';
import { readCorpus, refuseDocument } from './corpus.ts';
import { noteOtherNumbers } from './note-other-numbers.ts';
import { type IndexUpdate, updateIndex } from './update-index.ts';

const options = {
  update: {
    type: 'boolean',
    help: 'Update OUT if it exists: unchanged passages keep their vectors, new ones are added, and missing ones are removed.',
  },
  workers: {
    type: 'string',
    value: 'N',
    help: `The number of workers that embed at the same time. Default: ${embedDefaults.workers}.`,
  },
  keep: {
    type: 'string',
    value: 'FILE',
    help: 'Save vectors in this file as they are made. A run after an interrupted one then continues from there. Default: none.',
  },
  sparse: {
    type: 'string',
    value: 'MODEL',
    help: 'A sparse encoder that embeds the documents, too. A search then ranks by both. Default: none.',
  },
  vectors: {
    type: 'string',
    choices: vectorStorages,
    help: `The type of the vectors in the index. f32 takes four times the space. Default: ${vectorStorages[0]}.`,
  },
  prompt: {
    type: 'string',
    value: 'TEXT',
    help: 'A text to put before each passage, or the name of one of the model’s prompts. Default: none.',
  },
  language: {
    type: 'string',
    multiple: true,
    value: 'TAG',
    help: 'The language of the documents, such as de or pt-BR. May be repeated. A search with --hybrid removes the endings of their words. Default: those that the documents are written in.',
  },
  ...runOptions,
  'skip-bad': {
    type: 'boolean',
    help: 'Skip documents that cannot be read, with a warning. By default they are an error.',
  },
  ...fetchOptions,
  ...jsonOption,
} as const satisfies CommandOptions;

export const command = defineCommand({
  usage: 'MODEL CORPUS OUT',
  summary: 'Make a search index of documents',
  details: [
    'CORPUS is a file, a folder with all its subfolders, or - for standard input. OUT is a file or - for standard output. It must be no document in CORPUS.',
    `These documents are read, in any encoding: ${passageFileTypes.join(', ')}.`,
  ],
  options,
  json: '{index, files, passages, dim, bytes, duplicates, kept, removed, added}.',
  examples: [
    'index minilm.weights docs/ docs.ambryindex',
    'index minilm.weights docs/ docs.ambryindex --update --workers 2',
    'index minilm.weights docs/ docs.ambryindex --sparse splade.weights',
  ],
  argumentCount: [3, 3],
  run: async ([file = '', corpusPath = '', target = ''], values, terminal) => {
    const { keep, json, update = false, sparse: sparseFile } = values;
    const files = { file, sparseFile, corpusPath, target, keep, update };
    const found = await checkTarget(files, terminal);
    const openOptions = { ...parseRunOptions(values), ...parseFetchOptions(values) };
    const settings = indexOptions(values, terminal);
    if (corpusPath !== '-') {
      await statReadable(corpusPath);
    }
    return withIndexModels(file, sparseFile, openOptions, terminal, async (model, sparse) => {
      const corpus = await readCorpus(corpusPath, terminal, {
        count: tokenCounter(model),
        skipBad: values['skip-bad'] === true,
      });
      const { passages, dropped } = dropDuplicates(corpus.passages);
      const start = performance.now();
      const indexing = { ...settings, ...(sparse && { sparse }) };
      const result = await (update && existsSync(target)
        ? updateExisting(model, target, passages, indexing, terminal)
        : createNew(model, passages, indexing));
      await using index = result.index;
      const seconds = (performance.now() - start) / 1000;
      const place = found.kind === 'file' ? target : undefined;
      const blob = await index.save({
        ...referenceOf('model', file, place),
        ...(sparseFile !== undefined && referenceOf('sparse', sparseFile, place)),
      });
      await writeOutput(target, blob, terminal);
      if (found.kind === 'stream' && found.isOutput) {
        return 0;
      }
      const { size, dim } = index;
      const { files } = corpus;
      const facts = { files, passages: size, dim, bytes: blob.size, duplicates: dropped };
      if (json) {
        terminal.printJson({ index: target, ...facts, ...result.update });
      } else {
        printSummary(target, facts, result.update, seconds, terminal);
      }
      return 0;
    });
  },
});

/** Where the model is, as the index says it. */
function referenceOf(name: 'model' | 'sparse', file: string, index: string | undefined) {
  const reference = modelReference(file, index);
  return reference === undefined ? {} : { [name]: reference };
}

interface IndexingFiles {
  readonly file: string;
  readonly sparseFile: string | undefined;
  readonly corpusPath: string;
  readonly target: string;
  readonly keep: string | undefined;
  readonly update: boolean;
}

/** Refuses a target that is read, that would be indexed, or that cannot be updated. */
async function checkTarget(
  { file, sparseFile, corpusPath, target, keep, update }: IndexingFiles,
  terminal: Terminal,
): Promise<Target> {
  await refuseToReplace(target, [file, sparseFile, corpusPath, keep]);
  await refuseDocument(corpusPath, target, 'OUT');
  await refuseDocument(corpusPath, keep, '--keep');
  const found = await targetOf(target, terminal);
  if (update && found.kind === 'stream') {
    throw new UsageError('--update needs a file OUT. A stream cannot be updated.', '--update');
  }
  return found;
}

function indexOptions(
  values: OptionValues<typeof options>,
  { signal, onProgress }: Terminal,
): IndexOptions {
  const { prompt, keep, language } = values;
  const workers = integer(values.workers, '--workers');
  const vectors = oneOf(values.vectors, '--vectors', vectorStorages);
  return {
    ...(prompt !== undefined && { prompt }),
    ...(vectors !== undefined && { vectors }),
    ...(language !== undefined && { language }),
    ...(workers !== undefined && { workers }),
    ...(keep !== undefined && { keep: { path: keep } }),
    signal,
    onProgress,
  };
}

interface IndexingResult {
  readonly index: SearchIndex;
  readonly update: IndexUpdate;
}

async function createNew(
  model: IndexModel,
  passages: readonly Passage[],
  options: IndexOptions,
): Promise<IndexingResult> {
  const index = await createIndex(model, passages, options);
  return { index, update: { kept: 0, removed: 0, added: passages.length } };
}

async function updateExisting(
  model: IndexModel,
  target: string,
  passages: readonly Passage[],
  options: IndexOptions,
  terminal: Terminal,
): Promise<IndexingResult> {
  const { prompt, vectors, sparse, language, ...indexing } = options;
  const { signal } = indexing;
  if (language !== undefined) {
    const message =
      '--language is for a new index. Leave out this option, or leave out --update to make a new index.';
    throw new UsageError(message, '--language');
  }
  const index = await openIndex(
    { path: target },
    { model, ...(sparse && { sparse }), ...(signal && { signal }) },
  );
  noteOtherNumbers(index, terminal);
  try {
    const advice = 'Leave out this option, or leave out --update to make a new index.';
    if (vectors !== undefined && vectors !== index.vectors) {
      const message = `${target} stores vectors as ${index.vectors}. ${advice}`;
      throw new UsageError(message, '--vectors');
    }
    if (prompt !== undefined && prompt !== (index.prompt ?? '')) {
      throw new UsageError(`${target} was made with another prompt. ${advice}`, '--prompt');
    }
    return { index, update: await updateIndex(index, passages, indexing) };
  } catch (error) {
    await index.dispose();
    throw error;
  }
}

/** Counts tokens with the model. Word vectors have no tokens. */
function tokenCounter(
  model: IndexModel,
): ((texts: readonly string[]) => Promise<Uint32Array>) | undefined {
  return model.kind === 'words' ? undefined : (texts) => model.tokenCounts(texts);
}

function printSummary(
  target: string,
  facts: { files: number; passages: number; bytes: number; duplicates: number },
  { kept, removed, added }: IndexUpdate,
  seconds: number,
  terminal: Terminal,
): void {
  const { files, passages, bytes, duplicates } = facts;
  const parts = [`${plural(passages, 'passage')} from ${plural(files, 'file')}`];
  if (kept > 0 || removed > 0) {
    parts.push(`${formatCount(kept)} kept, ${formatCount(removed)} removed`);
  }
  if (duplicates > 0) {
    parts.push(`${plural(duplicates, 'duplicate')} left out`);
  }
  if (added > 0) {
    const speed = formatCount(Math.round(added / seconds));
    parts.push(`${formatCount(added)} embedded at ${speed} passages/s`);
  }
  terminal.print(`${target}: ${[...parts, formatBytes(bytes)].join(', ')}`);
}
