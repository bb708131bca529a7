// Generating text in the shipped WebAssembly, on one core: tokens a second of answers and of prompts, the heap,
// and how fast weights are read for a token beside a plain read of the same memory, by turns in one run. The
// models are made up: llamas of one shape whose matrices have each type in turn. Build the modules first
// (npm run build).
//
//   node tests/bench/generate-bench.mjs [baseline|relaxed] [WIDTH] [LAYERS]
import { leastSeconds, plainReader } from './plain-read.mjs';
import { generatorOf } from './session.mjs';
import { unwrap, wasmModules } from './wasm-module.mjs';

const words = process.argv.slice(2);
const flavour = words.includes('baseline') ? 'baseline' : 'relaxed';
const [width = 768, layers = 8] = words.filter((word) => /^\d+$/.test(word)).map(Number);
const kVocabulary = 4096;
const kPrompt = 64;
const kAnswer = 8;
const kTurns = 5;
const kBlock = 32;
/** Of a plain read, for int8. */
const kWanted = 0.6;

const load = await wasmModules('ambry-generate', flavour);

let state = 1;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state >>> 8;
};

function randomBytes(n) {
  const bytes = new Uint32Array(Math.ceil(n / 4));
  for (let i = 0; i < bytes.length; i++) bytes[i] = random() * 257;
  return new Uint8Array(bytes.buffer, 0, n);
}

/** Bytes of a matrix of each type, as core/formats/amb/README.md lays them out; scales are 2^-8 for codes. */
const kTypes = {
  f32: {
    dtype: 0,
    fill: (rows, columns) => {
      const numbers = new Float32Array(rows * columns);
      for (let i = 0; i < numbers.length; i++) numbers[i] = (random() / 2 ** 24 - 0.5) / 8;
      return new Uint8Array(numbers.buffer);
    },
  },
  f16: {
    dtype: 1,
    // Signs and fractions at random, exponents of numbers below 2^-4.
    fill: (rows, columns) => {
      const halves = new Uint16Array(rows * columns);
      for (let i = 0; i < halves.length; i++) halves[i] = (random() & 0x83ff) | 0x2800;
      return new Uint8Array(halves.buffer);
    },
  },
  int8: {
    dtype: 3,
    fill: (rows, columns) => {
      const scales = new Uint16Array(rows).fill(0x1000);
      const prefix = [3, columns & 255, columns >> 8, 1];
      return Buffer.concat([
        Uint8Array.from(prefix),
        new Uint8Array(scales.buffer),
        randomBytes(rows * columns),
      ]);
    },
  },
  int4_block: { dtype: 6, fill: (rows, columns) => blocks(6, (rows * columns) / kBlock, 16) },
  int5_block: { dtype: 7, fill: (rows, columns) => blocks(7, (rows * columns) / kBlock, 20) },
};

function blocks(type, n, codes) {
  const bytes = randomBytes(4 + n * (2 + codes));
  bytes.set([type, kBlock, 0, 1]);
  for (let i = 0; i < n; i++) bytes.set([0x00, 0x20], 4 + i * (2 + codes));
  return bytes;
}

function record(name, shape, { dtype, fill }) {
  const head = Buffer.alloc(2 + name.length + 1 + 4 * shape.length + 1 + 8);
  head.writeUInt16LE(name.length, 0);
  head.write(name, 2);
  let at = head.writeUInt8(shape.length, 2 + name.length);
  for (const extent of shape) at = head.writeUInt32LE(extent, at);
  const data = fill(shape[0], shape[1] ?? 1);
  head.writeUInt8(dtype, at);
  head.writeBigUInt64LE(BigInt(data.length), at + 1);
  return [head, data, Buffer.alloc((8 - ((head.length + data.length) % 8)) % 8)];
}

function modelFile(type) {
  const inner = Math.ceil((width * 8) / 3 / 64) * 64;
  const norm = { dtype: 0, fill: (rows) => new Uint8Array(new Float32Array(rows).fill(1).buffer) };
  const layer = (i) => {
    const name = (part) => `model.layers.${i}.${part}.weight`;
    return [
      [name('input_layernorm'), [width], norm],
      ...['q', 'k', 'v', 'o'].map((p) => [name(`self_attn.${p}_proj`), [width, width], type]),
      [name('post_attention_layernorm'), [width], norm],
      ...['gate', 'up'].map((p) => [name(`mlp.${p}_proj`), [inner, width], type]),
      [name('mlp.down_proj'), [width, inner], type],
    ];
  };
  const tensors = [
    ['model.embed_tokens.weight', [kVocabulary, width], type],
    ...Array.from({ length: layers }, (_, i) => layer(i)).flat(),
    ['model.norm.weight', [width], norm],
  ];
  const config = JSON.stringify({
    architecture: 'llama',
    n_vocab: kVocabulary,
    n_embd: width,
    n_layers: layers,
    n_heads: width / 64,
    n_ff: inner,
    max_seq_len: 1024,
  });
  const weights = Buffer.concat(tensors.flatMap((tensor) => record(...tensor)));
  const head = Buffer.alloc(28);
  const sections = ['{"name":"bench"}', config];
  const used = 28 + sections[0].length + config.length;
  sections[1] = config + ' '.repeat(Math.ceil(used / 64) * 64 - used);
  head.write('AMBEE', 0, 'latin1');
  head.writeUInt8(1, 5);
  head.writeUInt32LE(sections[0].length, 8);
  head.writeUInt32LE(sections[1].length, 12);
  head.writeBigUInt64LE(BigInt(weights.length), 20);
  return Buffer.concat([head, Buffer.from(sections.join('')), weights]);
}

/** Seconds of the processor for the prompt, and for each further token. */
function timed(ambry, session) {
  const ids = Array.from({ length: kPrompt }, (_, i) => (i * 37) % kVocabulary);
  const settings = JSON.stringify({ ids, temperature: 0, maxTokens: kAnswer + 1 });
  const job = unwrap(ambry.beginGenerate(session, new Uint8Array(0), settings));
  let begin = process.cpuUsage();
  const lap = () => {
    const { user, system } = process.cpuUsage(begin);
    begin = process.cpuUsage();
    return (user + system) / 1e6;
  };
  let prompt = 0;
  for (let step = { made: 0 }; ; ) {
    const before = step.made;
    step = unwrap(ambry.stepGenerate(job));
    if (before === 0 && step.made > 0) prompt = lap();
    if (step.done) {
      ambry.release(job);
      return { prompt, token: lap() / (step.made - 1) };
    }
  }
}

/** What a token reads, once: a plain read of as many bytes of the heap. */
function plainSeconds(read, memory, bytes) {
  const end = memory.buffer.byteLength - 64;
  const size = Math.min(bytes, end - 65536) & ~63;
  return (leastSeconds(() => read(65536, 65536 + size), 1) * bytes) / size;
}

const cell = (text, size) => String(text).padStart(size);
console.log(`llama of width ${width}, ${layers} layers; ${flavour}`);
console.log('type        MB   heap  prompt/s  answer/s      GB/s  plain GB/s  share');
for (const [name, type] of Object.entries(kTypes)) {
  const { module: ambry, memory } = await load();
  const session = generatorOf(ambry, modelFile(type));
  const read = await plainReader(memory);
  const { weightBytes } = unwrap(ambry.generatorFacts(session));
  const best = { prompt: Infinity, token: Infinity, plain: Infinity };
  for (let turn = 0; turn < kTurns; turn++) {
    const { prompt, token } = timed(ambry, session);
    best.prompt = Math.min(best.prompt, prompt);
    best.token = Math.min(best.token, token);
    best.plain = Math.min(best.plain, plainSeconds(read, memory, weightBytes));
  }
  const share = best.plain / best.token;
  const mark = name === 'int8' && share < kWanted ? `  below ${kWanted}` : '';
  console.log(
    [
      name.padEnd(10),
      cell((weightBytes / 1e6).toFixed(0), 4),
      cell((memory.buffer.byteLength / 1e6).toFixed(0), 6),
      cell((kPrompt / best.prompt).toFixed(1), 9),
      cell((1 / best.token).toFixed(1), 9),
      cell((weightBytes / best.token / 1e9).toFixed(2), 9),
      cell((weightBytes / best.plain / 1e9).toFixed(2), 11),
      cell(`${(100 * share).toFixed(0)} %`, 6) + mark,
    ].join(' '),
  );
}
