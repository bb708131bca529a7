// The numbers of each token of texts by our WebAssembly, tokenization included, and by onnxruntime-web on ids, by turns; in
// Node and in pages.
import { wordOf } from '../encoder/encoder-model.mjs';
import { onnxruntime } from '../support/onnxruntime.mjs';
import { encoderOf } from '../support/session.mjs';
import { bytesAt, unwrap, wasmModules } from '../support/wasm-module.mjs';

const nRounds = 5;

/** Ids of words, so many that a text has `nTokens` with its two special ones. */
const textsOf = (nTexts, nTokens) =>
  Array.from({ length: nTexts }, (_, text) =>
    Array.from({ length: nTokens - 2 }, (_, i) => 1000 + ((i * 7 + text * 131) % 29000)),
  );

async function ours(flavour, file) {
  const { module } = await (await wasmModules('ambry-encoder', flavour))();
  const session = encoderOf(module, file);
  return (texts) => {
    const spelled = texts.map((ids) => new TextEncoder().encode(ids.map(wordOf).join(' ')));
    return () => {
      const job = unwrap(module.beginTokenRows(session, '{"rows":"all"}'));
      for (const text of spelled) {
        unwrap(module.addText(job, text));
      }
      unwrap(module.startTexts(job));
      while (!unwrap(module.stepTexts(job)).done) {}
      const { address, size } = unwrap(module.rowsOfTexts(job)).rows;
      const logits = new Float32Array(module.HEAPU8.slice(address, address + size).buffer);
      module.release(job);
      return logits;
    };
  };
}

async function theirs(ort, onnx) {
  const session = await ort.InferenceSession.create(onnx);
  const tensor = (rows, dims) => new ort.Tensor('int64', BigInt64Array.from(rows, BigInt), dims);
  return (texts) => {
    const ids = texts.map((text) => [2, ...text, 3]);
    const nTokens = ids[0].length;
    const feeds = {
      ids: tensor(ids.flat(), [ids.length, nTokens]),
      positions: tensor([...Array(nTokens).keys()], [1, nTokens]),
    };
    return async () => Object.values(await session.run(feeds))[0].data;
  };
}

async function makeRunners({ files, onnxFiles, ortFolder }) {
  const ort = ortFolder && (await onnxruntime(ortFolder));
  const [f32, int8] = await Promise.all([bytesAt(files.f32), bytesAt(files.int8)]);
  return {
    'relaxed f32': await ours('relaxed', f32),
    'relaxed int8': await ours('relaxed', int8),
    'baseline f32': await ours('baseline', f32),
    'baseline int8': await ours('baseline', int8),
    ...(ort && {
      f32: await theirs(ort, await bytesAt(onnxFiles.f32)),
      int8: await theirs(ort, await bytesAt(onnxFiles.int8)),
    }),
  };
}

/** Milliseconds by runner and round, and the logits of each runner. */
export async function work({ nTexts, nTokens, ...places }) {
  const texts = textsOf(nTexts, nTokens);
  const runs = Object.entries(await makeRunners(places)).map(([name, prepare]) => [
    name,
    prepare(texts),
  ]);
  const logits = {};
  for (const [name, run] of runs) {
    logits[name] = Array.from(await run());
  }
  const times = Object.fromEntries(runs.map(([name]) => [name, []]));
  for (let round = 0; round < nRounds; round++) {
    for (const [name, run] of runs) {
      const begin = performance.now();
      await run();
      times[name].push(performance.now() - begin);
    }
  }
  return { times, logits };
}
