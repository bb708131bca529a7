// Scoring pairs of a query and a passage by our WebAssembly, tokenization and sorting included, and by onnxruntime-web on
// ids, by turns; in Node and in pages.
import { wordOf } from '../encoder/encoder-model.mjs';
import { encoderOf } from '../support/session.mjs';
import { byTurns, makeRunners } from '../support/turns.mjs';
import { unwrap, wasmModules } from '../support/wasm-module.mjs';

const nQueryTokens = 8;

/** The ids of words of a query and of passages; a pair has `nTokens` with its three special ones. */
function pairsOf(nPassages, nTokens) {
  const words = (count, seed) =>
    Array.from({ length: count }, (_, i) => 1000 + ((i * 7 + seed * 131) % 29000));
  const query = words(nQueryTokens, 7000);
  const passages = Array.from({ length: nPassages }, (_, i) =>
    words(nTokens - 3 - nQueryTokens, i),
  );
  return { query, passages };
}

const textOf = (ids) => new TextEncoder().encode(ids.map(wordOf).join(' '));

function best(scores) {
  return Array.from(scores, (_, i) => i).sort((a, b) => scores[b] - scores[a]);
}

async function ours(flavour, file) {
  const { module } = await (await wasmModules('ambry-encoder-small', flavour))();
  const session = encoderOf(module, file);
  return ({ query, passages }) => {
    const first = textOf(query);
    const seconds = passages.map(textOf);
    return () => {
      const job = unwrap(module.beginTexts('score', session, '{}'));
      for (const second of seconds) {
        unwrap(module.addPair(job, first, second));
      }
      unwrap(module.startTexts(job));
      while (!unwrap(module.stepTexts(job)).done) {}
      const { address, size } = unwrap(module.rowsOfTexts(job)).rows;
      const scores = new Float32Array(module.HEAPU8.slice(address, address + size).buffer);
      module.release(job);
      return { scores, order: best(scores) };
    };
  };
}

async function theirs(ort, onnx) {
  const session = await ort.InferenceSession.create(onnx);
  const tensor = (rows, dims) => new ort.Tensor('int64', BigInt64Array.from(rows, BigInt), dims);
  return ({ query, passages }) => {
    const ids = passages.map((passage) => [2, ...query, 3, ...passage, 3]);
    const nTokens = ids[0].length;
    const types = ids.map((row) => row.map((_, i) => Number(i > query.length + 1)));
    const feeds = {
      ids: tensor(ids.flat(), [ids.length, nTokens]),
      types: tensor(types.flat(), [ids.length, nTokens]),
      positions: tensor([...Array(nTokens).keys()], [1, nTokens]),
    };
    return async () => {
      const scores = Object.values(await session.run(feeds))[0].data;
      return { scores, order: best(scores) };
    };
  };
}

/** Milliseconds by runner and round, and the scores of each runner. */
export async function work({ nPassages, nTokens, ...places }) {
  const runners = await makeRunners(places, ours, theirs);
  const { times, results } = await byTurns(runners, pairsOf(nPassages, nTokens));
  const scores = Object.fromEntries(
    Object.entries(results).map(([name, result]) => [name, Array.from(result.scores)]),
  );
  return { times, scores };
}
