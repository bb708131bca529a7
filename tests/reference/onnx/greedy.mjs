// Runs decoders with onnxruntime-web: the logits of the last positions of a prompt, and the tokens that follow it.
// Writes expected.json into each folder that has onnx/model.onnx, but for NAME_fused, which the processor's
// code does not run.
//
//   npm install --prefix DIR onnxruntime-web@1.30.0
//   node tests/reference/onnx/greedy.mjs DIR FOLDER
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [directory = '.', folder = '.'] = process.argv.slice(2);
const ort = createRequire(join(resolve(directory), 'package.json'))('onnxruntime-web');
ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';

const prompt = [3, 17, 0, 36, 22, 5, 5, 30, 11];
const nTokens = 8;
const nRows = 3;

function halfToFloat(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  return exponent === 0
    ? sign * fraction * 2 ** -24
    : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const floatsOf = (tensor) =>
  tensor.type === 'float16' && tensor.data instanceof Uint16Array
    ? Array.from(tensor.data, halfToFloat)
    : Array.from(tensor.data, Number);

function feedsOf(session, config, ids) {
  const int64 = (values) =>
    new ort.Tensor('int64', BigInt64Array.from(values.map(BigInt)), [1, values.length]);
  const feeds = { input_ids: int64(ids), attention_mask: int64(ids.map(() => 1)) };
  for (const { name, type } of session.inputMetadata) {
    if (name === 'position_ids') {
      feeds[name] = int64(ids.map((_, i) => i));
    } else if (name.startsWith('past_key_values.')) {
      const empty = type === 'float16' ? new Uint16Array(0) : new Float32Array(0);
      feeds[name] = new ort.Tensor(type, empty, [
        1,
        config.num_key_value_heads,
        0,
        config.head_dim,
      ]);
    }
  }
  return feeds;
}

async function logitsOf(session, config, ids) {
  const { logits } = await session.run(feedsOf(session, config, ids), ['logits']);
  const all = floatsOf(logits);
  return ids.map((_, i) => all.slice(i * config.vocab_size, (i + 1) * config.vocab_size));
}

const best = (row) => row.indexOf(Math.max(...row));

for (const name of readdirSync(folder)) {
  const path = join(folder, name);
  if (name.endsWith('_fused') || !existsSync(join(path, 'onnx/model.onnx'))) {
    continue;
  }
  const config = JSON.parse(readFileSync(join(path, 'config.json'), 'utf8'));
  const data = join(path, 'onnx/model.onnx_data');
  const externalData = existsSync(data)
    ? [{ path: 'model.onnx_data', data: readFileSync(data) }]
    : undefined;
  const session = await ort.InferenceSession.create(readFileSync(join(path, 'onnx/model.onnx')), {
    externalData,
  });
  const ids = [...prompt];
  const logits = await logitsOf(session, config, ids);
  for (let i = 0; i < nTokens; ++i) {
    ids.push(best((await logitsOf(session, config, ids)).at(-1)));
  }
  await session.release();
  const rounded = logits
    .slice(-nRows)
    .map((row) => row.map((value) => Number(value.toPrecision(7))));
  const expected = { ids: prompt, logits: rounded, tokens: ids.slice(prompt.length) };
  writeFileSync(join(path, 'expected.json'), `${JSON.stringify(expected)}\n`);
  console.log(name, expected.tokens.join(' '));
}
