// The memory of a process that embeds with one worker, two and four: over one memory, and with copies, as on pages that
// are not isolated. The model has the shape of all-MiniLM-L6-v2 in f32. Build the package first (npm run build).
//
//   node tests/bench/encoder/pool-memory.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open } from '../../../dist/node.js';
import { median } from '../support/median.mjs';
import { embdFile, randomEncoder, wordOf } from './encoder-model.mjs';

const shape = { layers: 6, width: 384, inner: 1536, vocabulary: 30522 };
const wanted = 1.2;
const textCount = 256;
/** What is resident depends on when garbage is collected. */
const runs = 5;

/** Embeds in this process until all workers have had texts, and returns its resident megabytes. */
async function residentMegabytes(path, workers, withCopies) {
  const wasm = new URL('../../../packages/whole/wasm/ambry-relaxed.wasm', import.meta.url);
  const model = await open({ path }, withCopies ? { wasmBinary: readFileSync(wasm) } : {});
  const texts = Array.from({ length: textCount }, (_, i) =>
    Array.from({ length: 30 }, (_, j) => wordOf((i * 31 + j) % 20_000)).join(' '),
  );
  for (let round = 0; round < 3; round++) {
    await model.embed(texts, { workers });
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const { rss } = process.memoryUsage();
  await model.dispose();
  return rss / 2 ** 20;
}

function inProcess(...args) {
  const script = fileURLToPath(import.meta.url);
  return Number(execFileSync(process.execPath, [script, ...args.map(String)]));
}

function main() {
  const folder = mkdtempSync(join(tmpdir(), 'ambry-pool-'));
  try {
    const path = join(folder, 'model.weights');
    const file = embdFile(randomEncoder(shape));
    writeFileSync(path, file);
    console.log(`a model of ${Math.round(file.length / 2 ** 20)} MB in f32`);
    for (const [name, withCopies] of [
      ['one memory', false],
      ['copies', true],
    ]) {
      const [one, two, four] = [1, 2, 4].map((workers) =>
        median(Array.from({ length: runs }, () => inProcess(path, workers, withCopies))),
      );
      const ratio = two / one;
      const missed = withCopies || ratio <= wanted ? '' : ': MISSED';
      const goal = withCopies ? '' : ` (wanted ${wanted}${missed})`;
      const sizes = [one, two, four].map((size) => `${Math.round(size)} MB`).join(', ');
      console.log(
        `${name.padEnd(12)} ${sizes} with 1, 2, 4 workers; two : one ${ratio.toFixed(2)}${goal}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [path, workers, withCopies] = process.argv.slice(2);
if (path) {
  console.log(await residentMegabytes(path, Number(workers), withCopies === 'true'));
} else {
  main();
}
