// Files by the names that the examples of the documentation give to what readers have: built-in models, small files in the
// place of large ones, and texts.
import { copyFileSync, cpSync, mkdirSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { headDirectory, nliLabels } from '../directories/head-directories.ts';
import { allOutputsDirectory, spladeDirectory } from '../directories/sparse-directories.ts';
import { taggerDirectory } from '../directories/tagger-directories.ts';
import { maskDirectory, questionDirectory } from '../directories/token-head-directories.ts';
import { onnxEncoder } from '../files/onnx-encoder.ts';
import { unitRow, wordFile } from '../files/word-files.ts';
import { modelDirectory } from '../fixtures.ts';
import { languageModelDirectory } from '../models/reranker-models.ts';
import { ambry } from '../package.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const models = join(root, 'web/demo/public/models');

const texts: Readonly<Record<string, string>> = {
  'vocab.txt': '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n',
  'texts.txt': 'one text\nanother\n',
  'ids.txt': '2 40 3\n',
  'texts.jsonl': '{"text": "one"}\n',
  'examples.csv': 'text,label\nmy card was stolen,card\nwhere is my money,money\n',
  'examples.jsonl': '{"text": "cats", "label": "pets"}\n{"text": "oaks", "label": "trees"}\n',
  'masked.jsonl': '{"text": "The [MASK] purrs."}\n',
  'passages.txt': 'Cats nap all day.\nDogs bark.\n',
  'questions.txt': 'what is a tide?\n',
  'questions.json': '{"topic": {"choices": ["pets", "trees"]}, "urgent": "boolean"}',
  'queries.txt': 'man king woman\n',
  'questions-words.txt': ': family\nman king woman queen\n',
  'words.txt': 'Berlin\n',
  'letters.txt': 'Dear friend, the sea was calm today.\n'.repeat(20),
  'story.txt': 'Once upon a time there was a cat.',
  'dist/index.html': '<title>Tides</title><main><h1>Tides</h1><p>They follow the moon.</p></main>',
  'glove.txt': [1, 2, 3]
    .map((n) => `${['Berlin', 'Paris', 'Rome'][n - 1]}${` ${n}`.repeat(24)} 0\n`)
    .join(''),
};

/** Writes all of them to a folder. */
export async function writeReaderFiles(folder: string): Promise<void> {
  const at = (name: string) => join(folder, name);
  cpSync(models, at('node_modules/ambry-demo/site/models'), { recursive: true });
  mkdirSync(at('dist'));
  for (const [name, content] of Object.entries(texts)) {
    await writeFile(at(name), content);
  }
  copyModels(at);
  await ambry.convert({ path: at('stories.amb') }, { to: 'gguf', output: at('tinyllama.gguf') });
  copyFileSync(at('tinyllama.gguf'), at('models/tinyllama.gguf'));
  await writeDirectory(at('all-MiniLM-L6-v2'), modelDirectory());
  await writeDirectory(at('ms-marco-MiniLM-L6-v2'), headDirectory());
  await ambry.convert(headDirectory(), { output: at('reranker.weights') });
  await writeDirectory(at('tinyroberta-squad2'), questionDirectory());
  await writeDirectory(at('bert-base-uncased'), maskDirectory());
  await writeDirectory(at('splade'), spladeDirectory());
  await ambry.convert(spladeDirectory(), { output: at('splade.weights') });
  await writeDirectory(at('bge-m3'), allOutputsDirectory());
  const named = { 'README.md': '# Qwen3-Reranker-0.6B\n' };
  await writeDirectory(at('Qwen3-Reranker-0.6B'), languageModelDirectory({ files: named }));
  const { onnx } = onnxEncoder('bert_opset17_sdpa');
  await writeDirectory(at('all-MiniLM-L6-v2-ONNX'), onnx);
  await writeFile(at('model.onnx'), onnx.get('onnx/model.onnx') as Uint8Array);
  await ambry.convert(headDirectory({ labels: nliLabels }), { output: at('nli.weights') });
  await ambry.convert(taggerDirectory(), { output: at('ner.weights') });
  // 256 codes need as many rows.
  const others = Array.from({ length: 300 }, (_, i) => `word${i}`);
  const words = ['Berlin', 'man', 'king', 'woman', 'queen', ...others];
  const made = wordFile({ words, dim: 4, row: (i) => unitRow(i, 4), exponent: 4 });
  await writeFile(at('vectors.fifu'), made);
}

function copyModels(at: (name: string) => string): void {
  for (const name of readdirSync(models).filter((file) => file.startsWith('digits'))) {
    copyFileSync(join(models, name), at(name));
    const other = name.replace('digits-vanilla', 'net').replace('digits-plan', 'net');
    copyFileSync(join(models, name), at(other.replace('digits', 'net')));
  }
  copyFileSync(join(root, 'tests/fixtures/digits/sheet.png'), at('digit.png'));
  copyFileSync(join(root, 'tests/fixtures/onnx/cnn/digits-folded.onnx'), at('digits.onnx'));
  copyFileSync(join(models, 'english-192x1.weights'), at('minilm.weights'));
  copyFileSync(join(models, 'books-96.fifu'), at('vectors-pq.fifu'));
  const fastText = join(root, 'tests/fixtures/fasttext');
  copyFileSync(join(fastText, 'skipgram.bin'), at('cc.en.300.bin'));
  copyFileSync(join(fastText, 'classifiers/quantized.ftz'), at('lid.176.ftz'));
  for (const name of ['stories', 'chat', 'odd']) {
    copyFileSync(join(models, 'stories.amb'), at(`${name}.amb`));
  }
  mkdirSync(at('models'));
  copyFileSync(at('minilm.weights'), at('models/english-192x1.weights'));
}

/** Writes the files of a model's directory. */
export async function writeDirectory(
  folder: string,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  for (const [name, bytes] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
}
