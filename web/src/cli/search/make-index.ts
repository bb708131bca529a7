import { existsSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import type { Model, SearchIndex } from '../../index.ts';
import { createIndex, loadIndex, open } from '../../node.ts';
import { dropDuplicates, type Passage } from '../../passages/passages.ts';
import type { IndexOptions } from '../../types.ts';
import { defineCommand, oneOf, wholeNumber } from '../shared/command.ts';
import { UsageError } from '../shared/failure.ts';
import { formatBytes, formatCount, plural } from '../shared/format.ts';
import { isUrl, modelSource, readable } from '../shared/input.ts';
import { kRunOptions, runOptions } from '../shared/run-options.ts';
import type { Terminal } from '../shared/terminal.ts';
import { writeResult } from '../shared/write-result.ts';
import { needPassages, readCorpus } from './corpus.ts';
import { type Update, updateIndex } from './update-index.ts';

export const command = defineCommand({
  usage:
    'index MODEL CORPUS OUT [--update] [--workers N] [--keep FILE] [--vectors int8|f32] [--prompt P] [--weights int8|f32] [--deterministic] [--skip-bad] [--json]',
  summary:
    'make a search index of documents (text, .md, .html, .pdf, .csv, .json, .jsonl; a file or a folder)',
  details: [
    '--update        if OUT is there, its passages that are as they were keep their vectors; others go or come',
    '--workers       how many workers embed side by side, each with a copy of the model; 1 when absent',
    '--keep          keep vectors in this file as they come, so that a run that was cut off goes on from there',
    '--vectors       how the index keeps vectors: int8, or f32 in four times the room; int8 when absent',
    '--prompt        text put before each passage, or the name of one of the model’s prompts',
    '--weights       how to hold the weights: as-stored, int8, f32',
    '--deterministic the same numbers on every machine, to the last bit; slower',
    '--skip-bad      warn of documents that cannot be read and leave them out',
  ],
  options: {
    update: { type: 'boolean' },
    workers: { type: 'string' },
    keep: { type: 'string' },
    vectors: { type: 'string' },
    prompt: { type: 'string' },
    ...kRunOptions,
    'skip-bad': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  takes: [3, 3],
  run: async ([file = '', corpusPath = '', target = ''], values, terminal) => {
    const { signal, onProgress } = terminal;
    const { prompt, json, update = false } = values;
    if (update && target === '-') throw new UsageError('--update needs a file OUT', '--update');
    const how = runOptions(values);
    const workers = wholeNumber(values.workers, '--workers');
    const vectors = oneOf(values.vectors, '--vectors', ['int8', 'f32']);
    const options: IndexOptions = {
      ...(prompt !== undefined && { prompt }),
      ...(vectors !== undefined && { vectors }),
      ...(workers !== undefined && { workers }),
      ...(values.keep !== undefined && { keep: { path: values.keep } }),
      signal,
      onProgress,
    };
    const source = await modelSource(file);
    if (corpusPath !== '-') await readable(corpusPath);
    const model = await open(source, { ...how, signal, onProgress });
    try {
      const corpus = await readCorpus(corpusPath, terminal, {
        count: counterOf(model),
        skipBad: values['skip-bad'] === true,
      });
      needPassages(corpus, corpusPath);
      const { passages, dropped } = dropDuplicates(corpus.passages);
      const start = performance.now();
      const made = await (update && existsSync(target)
        ? updated(model, target, passages, options)
        : created(model, passages, options));
      await using index = made.index;
      const seconds = (performance.now() - start) / 1000;
      const reference = referenceTo(file, target);
      const blob = await index.save(reference === undefined ? {} : { model: reference });
      await writeResult(target, blob, terminal);
      if (target === '-') return 0;
      const { size, dim } = index;
      const { files } = corpus;
      const facts = { files, passages: size, dim, bytes: blob.size, duplicates: dropped };
      if (json) terminal.json({ index: target, ...facts, ...made.update });
      else tell(target, facts, made.update, seconds, terminal);
    } finally {
      await model.dispose();
    }
    return 0;
  },
});

interface Made {
  readonly index: SearchIndex;
  readonly update: Update;
}

async function created(
  model: Model,
  passages: readonly Passage[],
  options: IndexOptions,
): Promise<Made> {
  const index = await createIndex(model, passages, options);
  return { index, update: { kept: 0, removed: 0, added: passages.length } };
}

async function updated(
  model: Model,
  target: string,
  passages: readonly Passage[],
  options: IndexOptions,
): Promise<Made> {
  const { signal, prompt = '', vectors } = options;
  const index = await loadIndex(model, { path: target }, { ...(signal && { signal }) });
  try {
    if (vectors !== undefined && vectors !== index.vectors) {
      throw new UsageError(`${target} keeps vectors as ${index.vectors}`, '--vectors');
    }
    if (options.prompt !== undefined && prompt !== (index.prompt ?? '')) {
      throw new UsageError(`${target} was made with another prompt`, '--prompt');
    }
    return { index, update: await updateIndex(index, passages, options) };
  } catch (error) {
    await index.dispose();
    throw error;
  }
}

/** As the model counts; word vectors have no tokens. */
function counterOf(model: Model): ((texts: readonly string[]) => Promise<Uint32Array>) | undefined {
  return model.words === null ? (texts) => model.tokenCounts(texts) : undefined;
}

function tell(
  target: string,
  facts: { files: number; passages: number; bytes: number; duplicates: number },
  { kept, removed, added }: Update,
  seconds: number,
  terminal: Terminal,
): void {
  const { files, passages, bytes, duplicates } = facts;
  const parts = [`${plural(passages, 'passage')} from ${plural(files, 'file')}`];
  if (kept > 0 || removed > 0) {
    parts.push(`${formatCount(kept)} kept, ${formatCount(removed)} removed`);
  }
  if (duplicates > 0) parts.push(`${plural(duplicates, 'duplicate')} left out`);
  if (added > 0) {
    const speed = formatCount(Math.round(added / seconds));
    parts.push(`${formatCount(added)} embedded at ${speed} passages/s`);
  }
  terminal.print(`${target}: ${[...parts, formatBytes(bytes)].join(', ')}`);
}

/** Where the model is, seen from the index file, so that both can be moved together. */
function referenceTo(model: string, target: string): string | undefined {
  if (model === '-') return undefined;
  if (isUrl(model) || target === '-') return isUrl(model) ? model : resolve(model);
  return relative(dirname(resolve(target)), resolve(model))
    .split(sep)
    .join('/');
}
