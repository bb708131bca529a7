// What WebAssembly's next features give: memories with 64-bit addresses, half-precision numbers and products of 128 bits.
// Each is measured beside what does the same without it. It runs in Node and in pages.
import { median } from '../support/median.mjs';
import { halfPairs } from './half-precision.mjs';
import { memoryPairs } from './memory64.mjs';
import { widePairs } from './wide-arithmetic.mjs';

const rounds = 15;
/** Long beside the clocks of pages. */
const leastMs = 8;

/** How many calls take as long as that. */
function callsOf(run) {
  run();
  for (let calls = 1; ; calls *= 2) {
    if (timeOf(run, calls) >= leastMs) {
      return calls;
    }
  }
}

function timeOf(run, calls) {
  const start = performance.now();
  for (let i = 0; i < calls; i++) {
    run();
  }
  return performance.now() - start;
}

/** How many times as fast the second is, in turns. */
function ratioOf(before, after) {
  const calls = callsOf(before);
  // A compiler that optimises later has had time to do so.
  for (let i = 0; i < 3; i++) {
    timeOf(after, calls);
  }
  const ratios = Array.from({ length: rounds }, () => timeOf(before, calls) / timeOf(after, calls));
  return median(ratios);
}

/** By feature: null where the engine lacks it, or how fast each pair is with it. */
export async function work() {
  const features = {
    memory64: memoryPairs,
    'half precision': halfPairs,
    'wide arithmetic': widePairs,
  };
  const found = {};
  for (const [feature, pairsOf] of Object.entries(features)) {
    const pairs = await pairsOf();
    found[feature] = pairs
      ? Object.fromEntries(pairs.map(([name, before, after]) => [name, ratioOf(before, after)]))
      : null;
  }
  return found;
}
