// Texts to ids in the shipped WebAssembly, with their way into the heap, beside Hugging Face's tokenizers in
// JavaScript, by turns in one run, on one thread. Ids stay where they are made: an encoder's texts are taken to be
// embedded, a decoder's to be judged, neither is run. The tokenizers are in the data folder (tests/data-folder.mjs);
// without them there is the built-in model's alone. Build first (npm run build).
//
//   node tests/bench/tokenizer/tokenizer-bench.mjs [TEXT] [baseline|relaxed]
import { existsSync, readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import { dataPath, missingData } from '../../data-folder.mjs';
import { ambFile, ambTypes } from '../decoder/llama-model.mjs';
import { embdFile, randomEncoder } from '../encoder/encoder-model.mjs';
import { median } from '../support/median.mjs';
import { encoderOf, generatorOf } from '../support/session.mjs';
import { unwrap, wasmModules } from '../support/wasm-module.mjs';
import { bpePayload, gpt2Tokenizer } from './gpt2-tokenizer.mjs';

/** Characters: fewer tokens than an encoder takes. */
const pieceLength = 1500;
const nRounds = 9;
/** Bytes of text, about. */
const minBytes = 1e6;
const maxBytes = 4e6;
/** Megabytes of text a second. */
const targetSpeeds = { wordpiece: 20, bpe: 8 };
/** Ours : theirs, at least. */
const targetRatios = { wordpiece: 5 };

const given = process.argv.slice(2);
const flavour = given.includes('baseline') ? 'baseline' : 'relaxed';
const path = given.find((word) => word !== 'baseline' && word !== 'relaxed');
const root = new URL('../../../', import.meta.url);
const tokenizers = dataPath('tokenizers');

/** A text of one's own, or a novel where there is one and the notes that are searched. */
function english() {
  if (path) {
    return readFileSync(path, 'utf8').slice(0, maxBytes);
  }
  const { passages } = JSON.parse(readFileSync(new URL('web/demo/corpus/everyday.json', root)));
  const novel = `${tokenizers}/sentencepiece/botchan.txt`;
  const texts = [existsSync(novel) ? readFileSync(novel, 'utf8') : ''];
  return [...texts, ...passages.map(({ text }) => text)].join('\n');
}

const noText = new Uint8Array();

async function wordPiece(file) {
  const { module } = await (await wasmModules('ambry-encoder-small', flavour))();
  const session = encoderOf(module, file);
  return {
    ids: (text) => unwrap(module.tokenize(session, text, false, false, noText)).ids,
    run: (texts) => {
      const job = unwrap(module.beginTexts('embed', session, '{}'));
      for (const text of texts) {
        unwrap(module.addText(job, text));
      }
      unwrap(module.startTexts(job));
      module.release(job);
    },
  };
}

/** `section` is the tokenizer's of a file of ours. */
async function ofDecoder(section, vocabulary) {
  const shape = { width: 64, inner: 64, layers: 1, vocabulary };
  const { module } = await (await wasmModules('ambry-generator', flavour))();
  const session = generatorOf(module, ambFile(shape, ambTypes.int8, section));
  const settings = JSON.stringify({ special: false, window: 2, stride: 1 });
  return {
    ids: (text) => unwrap(module.tokenize(session, text, false, false, noText)).ids,
    run: (texts) => {
      for (const text of texts) {
        module.release(unwrap(module.beginPerplexity(session, text, settings)));
      }
    },
  };
}

function theirs(json) {
  const tokenizer = new Tokenizer(json, {});
  const encode = (text) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  return {
    ids: encode,
    run: (texts) => {
      for (const text of texts) {
        encode(text);
      }
    },
  };
}

/** As files of ours state kinds of tokenizers: the kind, no special tokens, and what it has. */
const section = (kind, bytes) =>
  Buffer.concat([Uint8Array.of(kind, ...Array(10).fill(255)), Buffer.from(bytes)]);
const bpeKind = 0;
const sentencePieceKind = 1;

const read = (name) => readFileSync(`${tokenizers}/${name}`);

async function* kinds() {
  const missing = missingData('tokenizers');
  if (missing !== undefined) {
    console.log(`${missing}. The built-in model's alone`);
    const model = new URL('web/demo/public/models/english-192x1.weights', root);
    yield { name: 'wordpiece', ours: await wordPiece(readFileSync(model)) };
    return;
  }
  const bert = JSON.parse(read('bert/tokenizer.json'));
  const words = read('bert/vocab.txt').toString().trimEnd().split('\n');
  const encoder = randomEncoder({ layers: 1, width: 32, inner: 32, vocabulary: words.length });
  yield { name: 'wordpiece', ours: await wordPiece(embdFile(encoder, words)), peer: theirs(bert) };

  const gpt2 = gpt2Tokenizer(
    JSON.parse(read('gpt2/encoder.json')),
    read('gpt2/vocab.bpe').toString(),
  );
  const bpe = section(bpeKind, bpePayload(gpt2.model));
  yield { name: 'bpe', ours: await ofDecoder(bpe, 50257), peer: theirs(gpt2) };

  const pieces = section(sentencePieceKind, read('sentencepiece/mistral.tokenizer.model.v1'));
  yield { name: 'sentencepiece', ours: await ofDecoder(pieces, 32000) };
}

const once = english();
const text = once.repeat(Math.ceil(minBytes / once.length));
const pieces = [];
for (let at = 0; at < text.length; at += pieceLength) {
  pieces.push(text.slice(at, at + pieceLength));
}
const encoded = pieces.map((piece) => new TextEncoder().encode(piece));
const size = encoded.reduce((sum, piece) => sum + piece.length, 0);

/** Megabytes a second of this thread, whoever else the machine works for. */
function rate(run) {
  const begin = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(begin);
  return size / (user + system);
}

function check(name, ours, peer) {
  for (const [i, piece] of pieces.entries()) {
    const [mine, others] = [ours.ids(encoded[i]), peer.ids(piece)];
    const at = mine.findIndex((id, at) => id !== others[at]);
    if (at < 0 && mine.length === others.length) {
      continue;
    }
    throw new Error(`${name}: other ids in piece ${i}, from token ${at} on`);
  }
}

const verdict = (value, wanted) =>
  wanted === undefined ? '' : ` (${wanted} wanted${value < wanted ? ': MISSED' : ''})`;

console.log(`${flavour}, ${(size / 1e6).toFixed(2)} MB of English`);
for await (const { name, ours, peer } of kinds()) {
  if (peer) {
    check(name, ours, peer);
  }
  // Code is compiled as it gets warm.
  ours.run(encoded);
  const rates = { ours: [], theirs: [] };
  for (let round = 0; round < nRounds; round++) {
    rates.ours.push(rate(() => ours.run(encoded)));
    if (peer) {
      rates.theirs.push(rate(() => peer.run(pieces)));
    }
  }
  const own = median(rates.ours);
  let line = `${name.padEnd(14)}${own.toFixed(1)} MB a second${verdict(own, targetSpeeds[name])}`;
  if (peer) {
    const ratio = median(rates.ours.map((speed, i) => speed / rates.theirs[i]));
    const other = median(rates.theirs).toFixed(1);
    line += `, ${ratio.toFixed(1)} times theirs${verdict(ratio, targetRatios[name])} of ${other}`;
  }
  console.log(line);
}
