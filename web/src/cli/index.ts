import { dirname, relative, resolve, sep } from 'node:path';
import { createIndex, open } from '../node.ts';
import { defineCommand, oneOf } from './command.ts';
import { needPassages, readCorpus } from './corpus.ts';
import { formatBytes, plural } from './format.ts';
import { isUrl, modelSource } from './input.ts';
import { writeResult } from './write-result.ts';

export const command = defineCommand({
  usage: 'index MODEL CORPUS OUT [--prompt P] [--weights int8|f32] [--vectors int8|f32] [--json]',
  summary:
    'make a search index of documents (text, .md, .html, .pdf, .csv, .json, .jsonl; a file or a folder)',
  details: [
    '--prompt    text put before each passage, or the name of one of the model’s prompts',
    '--weights   how to hold the weights: as-stored, int8, f32',
    '--vectors   how to keep the vectors: int8, or f32 in four times the room',
  ],
  options: {
    prompt: { type: 'string' },
    weights: { type: 'string' },
    vectors: { type: 'string' },
    json: { type: 'boolean' },
  },
  takes: [3, 3],
  run: async ([file = '', corpusPath = '', target = ''], values, terminal) => {
    const { signal, onProgress } = terminal;
    const { prompt, json } = values;
    const weights = oneOf(values.weights, '--weights', ['as-stored', 'int8', 'f32']);
    const vectors = oneOf(values.vectors, '--vectors', ['int8', 'f32']) ?? 'int8';
    const source = await modelSource(file);
    const corpus = await readCorpus(corpusPath, terminal);
    needPassages(corpus, corpusPath);
    const model = await open(source, { ...(weights && { weights }), signal, onProgress });
    try {
      const options = {
        ...(prompt !== undefined && { prompt }),
        vectors,
        signal,
        onProgress,
      };
      await using index = await createIndex(model, corpus.passages, options);
      const reference = referenceTo(file, target);
      const blob = await index.save(reference === undefined ? {} : { model: reference });
      await writeResult(target, blob, terminal);
      if (target === '-') return 0;
      const { size: passages, dim } = index;
      const facts = { index: target, files: corpus.files, passages, dim, bytes: blob.size };
      const files = plural(corpus.files, 'file');
      if (json) terminal.json(facts);
      else {
        terminal.print(
          `${target}: ${plural(passages, 'passage')} from ${files}, ${formatBytes(blob.size)}`,
        );
      }
    } finally {
      await model.dispose();
    }
    return 0;
  },
});

/** Where the model is, seen from the index file, so that both can be moved together. */
function referenceTo(model: string, target: string): string | undefined {
  if (model === '-') return undefined;
  if (isUrl(model) || target === '-') return isUrl(model) ? model : resolve(model);
  return relative(dirname(resolve(target)), resolve(model))
    .split(sep)
    .join('/');
}
