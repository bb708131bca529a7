// An index of 100,000 passages of 384 numbers in the shipped WebAssembly, on one core: searching it, as bytes
// and as floats, beside a plain read of the same memory; then the file as the package makes it, with passages of
// 100 bytes of text. Build first (npm run build).
//
//   node tests/bench/search/index-bench.mjs [baseline|relaxed] [PASSAGES]
import { readFileSync } from 'node:fs';
import { deflateSync, inflateSync } from 'node:zlib';
import { leastSeconds, plainReader } from '../support/plain-read.mjs';
import { randomNumbers, unwrap, wasmModules } from '../support/wasm-module.mjs';

const flavour = process.argv.includes('baseline') ? 'baseline' : 'relaxed';
const nRows = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 100_000);
const dim = 384;
const batchRows = 1000;
const targets = { search: 15, file: 45, save: 1, load: 1 };

const load = await wasmModules('ambry-encoder-small', flavour);
const random = randomNumbers();

/** Unit vectors. */
function rows(n) {
  const numbers = Float32Array.from({ length: n * dim }, random);
  for (let at = 0; at < numbers.length; at += dim) {
    const row = numbers.subarray(at, at + dim);
    const length = Math.hypot(...row);
    for (let i = 0; i < dim; i++) {
      row[i] /= length;
    }
  }
  return numbers;
}

const bytesOf = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

function say(what, value, unit, wanted) {
  const verdict =
    wanted === undefined ? '' : ` (wanted ${wanted}${value <= wanted ? '' : ': MISSED'})`;
  console.log(`${what.padEnd(34)} ${value.toFixed(2)} ${unit}${verdict}`);
}

const noBytes = new Uint8Array();

async function filled(asBytes) {
  const { module, memory } = await load();
  const index = unwrap(module.createIndex(dim, asBytes));
  const made = leastSeconds(() => {
    for (let at = 0; at < nRows; at += batchRows) {
      unwrap(module.append(index, bytesOf(rows(batchRows))));
    }
  }, 1);
  return { module, memory, index, made };
}

async function search(name, asBytes, wanted) {
  const { module, memory, index } = await filled(asBytes);
  const queries = Array.from({ length: 20 }, () => bytesOf(rows(1)));
  let next = 0;
  const seconds = leastSeconds(
    () => unwrap(module.search(index, queries[next++ % 20], noBytes, 10)),
    20,
  );
  const [, { address, size }] = unwrap(module.save(index, noBytes));
  const read = await plainReader(memory);
  const plain = leastSeconds(() => read(address, address + Math.floor(size / 64) * 64), 20);
  say(`nearest ten, ${name}`, seconds * 1000, 'ms', wanted);
  say(`  a plain read of ${(size / 1e6).toFixed(1)} MB`, plain * 1000, 'ms');
  say('  as many times as long', seconds / plain, '');
  const bias = bytesOf(
    Float32Array.from({ length: nRows }, (_, i) => (i % 3 ? random() / 4 : -Infinity)),
  );
  say(
    '  with a bias for each row',
    1000 * leastSeconds(() => unwrap(module.search(index, queries[0], bias, 10))),
    'ms',
  );
  return { module, index };
}

/** A hundred bytes of English words. */
function passages() {
  const text = readFileSync(
    new URL('../../../web/demo/corpus/everyday.json', import.meta.url),
    'utf8',
  );
  const words = text.match(/[a-z]{2,}/gi) ?? [];
  return Array.from({ length: nRows }, (_, i) => {
    let passage = '';
    while (passage.length < 95) {
      passage += `${words[Math.floor((random() + 1) * 0.5 * words.length)]} `;
    }
    return {
      id: `folder/file-${i >> 5}.md#${i & 31}`,
      text: passage,
      source: `folder/file-${i >> 5}.md`,
      position: i & 31,
    };
  });
}

console.log(`${nRows} passages of ${dim} numbers, ${flavour}`);
await search('floats', false);
const { module, index } = await search('bytes', true, targets.search);

// As client/index-changes.ts and client/open-index.ts do it.
const docs = passages();
let file;
const saved = leastSeconds(() => {
  const pieces = unwrap(module.save(index, deflateSync(JSON.stringify({ docs }))));
  file = Buffer.concat(
    pieces.map(({ address, size }) => module.HEAPU8.slice(address, address + size)),
  );
}, 3);
say('file', file.length / 1e6, 'MB', targets.file);
say('  without its rows', (file.length - nRows * (dim + 4)) / 1e6, 'MB');
say('saved in', saved, 's', targets.save);
const opened = await load();
const loaded = leastSeconds(() => {
  const reader = unwrap(opened.module.openIndex(file.length));
  opened.module.HEAPU8.set(file, unwrap(opened.module.rangeOf(reader)).address);
  const read = unwrap(opened.module.finishIndex(reader));
  const { address, size } = unwrap(opened.module.rangeOf(read));
  const text = inflateSync(opened.module.HEAPU8.slice(address, address + size)).toString();
  if (JSON.parse(text).docs.length !== nRows) {
    throw new Error('passages are missing');
  }
  opened.module.release(read);
  opened.module.release(reader);
}, 3);
say('loaded in', loaded, 's', targets.load);
