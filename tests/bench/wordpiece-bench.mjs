// WordPiece in the shipped WebAssembly, on one core: English text to ids, with its way into the heap. Build first
// (npm run build).
//
//   node tests/bench/wordpiece-bench.mjs [TEXT] [baseline|relaxed]
import { readFileSync } from 'node:fs';
import { leastSeconds } from './plain-read.mjs';
import { encoderOf } from './session.mjs';
import { unwrap, wasmModules } from './wasm-module.mjs';

const kPiece = 2000;
const kBytes = 4e6;
/** Megabytes of text a second. */
const kWanted = 20;

const words = process.argv.slice(2);
const flavour = words.includes('baseline') ? 'baseline' : 'relaxed';
const path = words.find((word) => word !== 'baseline' && word !== 'relaxed');
const models = new URL('../../web/demo/public/models/', import.meta.url);

/** A text of one's own, or the notes again and again. */
function english() {
  if (path) return readFileSync(path, 'utf8').slice(0, kBytes);
  const notes = new URL('../../web/demo/corpus/everyday.json', import.meta.url);
  const { passages } = JSON.parse(readFileSync(notes, 'utf8'));
  const once = passages.map(({ text }) => text).join('\n');
  return once.repeat(Math.ceil(kBytes / once.length)).slice(0, kBytes);
}

const text = english();
const pieces = [];
for (let at = 0; at < text.length; at += kPiece) {
  pieces.push(new TextEncoder().encode(text.slice(at, at + kPiece)));
}
const size = pieces.reduce((sum, piece) => sum + piece.length, 0);

const { module } = await (await wasmModules('ambry-run', flavour))();
const session = encoderOf(module, readFileSync(new URL('english-192x1.weights', models)));
const seconds = leastSeconds(() => {
  const job = unwrap(module.beginEmbed(session, '{}'));
  for (const piece of pieces) unwrap(module.addText(job, piece));
  unwrap(module.startEmbed(job));
  module.release(job);
}, 7);
const rate = size / 1e6 / seconds;
console.log(
  `WordPiece, ${flavour}: ${rate.toFixed(1)} MB of English a second (${kWanted} wanted${rate < kWanted ? ': MISSED' : ''})`,
);
