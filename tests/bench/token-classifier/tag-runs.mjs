// The numbers of each token of texts by our WebAssembly, tokenization included, and by onnxruntime-web on ids, by turns; in
// Node and in pages.
import { wordOf } from '../encoder/encoder-model.mjs';
import { encoderOf } from '../support/session.mjs';
import { byTurns, makeRunners } from '../support/turns.mjs';
import { unwrap, wasmModules } from '../support/wasm-module.mjs';

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
      const job = unwrap(module.beginTexts('tokenRows', session, '{"rows":"all"}'));
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

/** Milliseconds by runner and round, and the logits of each runner. */
export async function work({ nTexts, nTokens, ...places }) {
  const runners = await makeRunners(places, ours, theirs);
  const { times, results } = await byTurns(runners, textsOf(nTexts, nTokens));
  const logits = Object.fromEntries(
    Object.entries(results).map(([name, result]) => [name, Array.from(result)]),
  );
  return { times, logits };
}
