// Makes the samples of the pages, which users try instead of files of their own: from the built-in models, with the built
// package. They go to demo/public/samples/, from which the site is built.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { convert, open } from '../../dist/node.js';
import { firstWords } from './first-words.mjs';

const models = fileURLToPath(new URL('../demo/public/models/', import.meta.url));
const samples = fileURLToPath(new URL('../demo/public/samples/', import.meta.url));

/** This many words are in the list of word vectors, from the most frequent one on. */
const wordCount = 400;

/** The words page answers from this many words while all of them are on their way. */
const firstWordCount = 3000;

/** The model that writes stories, as people find most language models. */
async function storiesAsGguf() {
  const made = await convert(`${models}stories.amb`, { to: 'gguf' });
  return new Uint8Array(await made.arrayBuffer());
}

/** A disk or a line has changed four bytes in the middle: in the name of a tensor. */
function damaged() {
  const bytes = readFileSync(`${models}stories.amb`);
  const name = bytes.indexOf('layers.1.');
  for (let at = name; at < name + 4; at++) {
    bytes[at] ^= 0xff;
  }
  return bytes;
}

/** A download ended too early. */
const cutOff = (bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.6));

/** Frequent words of four letters and more with their vectors, in the text format of word2vec. */
async function wordsAsText() {
  const model = await open(`${models}books-96.fifu`, { kind: 'words' });
  const frequent = await model.list({ offset: 0, limit: 4 * wordCount });
  const chosen = frequent.filter((word) => /^[a-z]{4,}$/.test(word)).slice(0, wordCount);
  const { vectors } = await model.vectors(chosen);
  const lines = chosen.map((word, row) => {
    const values = vectors.subarray(row * model.dim, (row + 1) * model.dim);
    return `${word} ${Array.from(values, (value) => value.toFixed(3)).join(' ')}`;
  });
  await model.dispose();
  return `${chosen.length} ${model.dim}\n${lines.join('\n')}\n`;
}

rmSync(samples, { recursive: true, force: true });
mkdirSync(samples, { recursive: true });
const gguf = await storiesAsGguf();
writeFileSync(`${samples}stories.gguf`, gguf);
writeFileSync(`${samples}cut-off-download.gguf`, cutOff(gguf));
writeFileSync(`${samples}damaged-file.amb`, damaged());
writeFileSync(`${samples}frequent-words.vec`, await wordsAsText());
writeFileSync(
  `${samples}first-words.fifu`,
  await firstWords(`${models}books-96.fifu`, firstWordCount),
);
