// Runs what is measured by turns: our WebAssembly in both flavours and types, and onnxruntime-web.
import { onnxruntime } from './onnxruntime.mjs';
import { bytesAt } from './wasm-module.mjs';

const nRounds = 5;

/** What `ours(flavour, file)` and `theirs(ort, onnx)` make of the files, by name. Without `ortFolder`, ours alone. */
export async function makeRunners({ files, onnxFiles, ortFolder }, ours, theirs) {
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

/** What each runner gives for the input at first, and then its milliseconds, round by round. */
export async function byTurns(runners, input) {
  const runs = Object.entries(runners).map(([name, prepare]) => [name, prepare(input)]);
  const results = {};
  for (const [name, run] of runs) {
    results[name] = await run();
  }
  const times = Object.fromEntries(runs.map(([name]) => [name, []]));
  for (let round = 0; round < nRounds; round++) {
    for (const [name, run] of runs) {
      const begin = performance.now();
      await run();
      times[name].push(performance.now() - begin);
    }
  }
  return { times, results };
}
