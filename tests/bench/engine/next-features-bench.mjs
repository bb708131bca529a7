// Whether an engine has what WebAssembly ships next, and what that gives: how many times as fast small loops are with it.
// 1.00 is as fast as without it. The flags are those of V8 (`--experimental-wasm-fp16`).
//
//   node [FLAG...] tests/bench/engine/next-features-bench.mjs [--chromium [FLAG...] | --firefox | --webkit]
import { inChromium, originOf, ownFolders, serverOf } from '../support/chromium.mjs';
import { work } from './next-features.mjs';

const module = 'engine/next-features.mjs';
const [where, ...flags] = process.argv.slice(2);

const engines = {
  '--firefox': async () => (await import('../../engines/support/puppeteer-engines.ts')).firefox,
  '--webkit': async () => (await import('../../engines/support/webkit-engine.ts')).webkit,
};

async function inEngine({ start }) {
  const server = await serverOf({ folders: ownFolders, isolated: true });
  const { page, version, close } = await start();
  try {
    await page.goto(originOf(server));
    const found = await page.evaluate(
      `import('/tests/bench/${module}').then(({ work }) => work())`,
    );
    return { version, found };
  } finally {
    await close();
    server.close();
    server.closeAllConnections();
  }
}

async function run() {
  if (where === undefined) {
    return { version: `Node ${process.version}`, found: await work() };
  }
  if (where === '--chromium') {
    const args = flags.length > 0 ? [`--js-flags=${flags.join(' ')}`] : [];
    return { version: 'Chromium', found: await inChromium(module, undefined, { args }) };
  }
  const engine = engines[where];
  if (engine === undefined) {
    throw new Error(`no such option: ${where}`);
  }
  return inEngine(await engine());
}

const { version, found } = await run();
console.log([version, ...process.execArgv, ...flags].join(' '));
for (const [feature, ratios] of Object.entries(found)) {
  if (ratios === null) {
    console.log(`  ${feature}: not supported here`);
  } else {
    console.log(`  ${feature}`);
    for (const [pair, ratio] of Object.entries(ratios)) {
      console.log(`    ${pair.padEnd(40)} ${ratio.toFixed(2)}`);
    }
  }
}
