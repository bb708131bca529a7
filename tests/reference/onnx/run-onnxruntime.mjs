// Runs ONNX files with onnxruntime-web and writes what comes out beside them. For each MODEL.onnx it reads
// MODEL.inputs.json, {name: {type, dims, data}}, and writes MODEL.outputs.json in the same form.
//
//   npm install --prefix DIR onnxruntime-web@1.30.0
//   node tests/reference/onnx/run-onnxruntime.mjs DIR MODEL.onnx …
// With --may-fail before the models, a file that onnxruntime refuses gets {error: message}.
//
// Integers of 64 bits are numbers in the JSON. Floats are written with as many digits as float32 needs.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [directory = '.', ...rest] = process.argv.slice(2);
const mayFail = rest[0] === '--may-fail';
const models = mayFail ? rest.slice(1) : rest;
const ort = createRequire(join(resolve(directory), 'package.json'))('onnxruntime-web');
ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';

const arrays = {
  float32: Float32Array,
  int32: Int32Array,
  int64: BigInt64Array,
  bool: Uint8Array,
};

function tensorOf({ type, dims, data }) {
  const values = type === 'int64' ? data.map(BigInt) : data;
  return new ort.Tensor(type, arrays[type].from(values), dims);
}

function documentOf({ type, dims, data }) {
  const round = (value) => (type === 'float32' ? Number(value.toPrecision(9)) : Number(value));
  return { type, dims: [...dims], data: Array.from(data, round) };
}

const mapped = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

async function run(model, inputs) {
  const session = await ort.InferenceSession.create(readFileSync(model));
  try {
    return mapped(await session.run(inputs), documentOf);
  } finally {
    await session.release();
  }
}

for (const model of models) {
  const stem = model.replace(/\.onnx$/, '');
  const inputs = mapped(JSON.parse(readFileSync(`${stem}.inputs.json`, 'utf8')), tensorOf);
  const outputs = await run(model, inputs).catch((error) => {
    if (!mayFail) {
      throw error;
    }
    return { error: String(error.message ?? error) };
  });
  writeFileSync(`${stem}.outputs.json`, `${JSON.stringify(outputs)}\n`);
}
