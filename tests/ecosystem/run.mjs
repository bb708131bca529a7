// Tries the packed package in bundlers and runtimes, and prints a table.
//
//   npm run ecosystem                    every row
//   npm run ecosystem vite Nuxt          rows whose names contain one of the words
//   npm run ecosystem -- --write [ROW…]  also puts the rows into the table of docs/bundlers.md
import { rows } from './rows.mjs';
import { sentences, serveAssets } from './support/assets.mjs';
import { tableOf, writeTable } from './support/table.mjs';
import { install, pack, versionOf } from './support/workspace.mjs';

const words = process.argv.slice(2).filter((word) => word !== '--write');
const wanted = rows.filter(
  ({ name }) =>
    words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase())),
);
if (wanted.length === 0) {
  throw new Error(`No row has a name with ${words.join(' or ')}.`);
}

/** The two flavours of the WebAssembly round in different ways. */
const tolerance = 1e-4;

const packed = await pack();
const assets = await serveAssets(packed.unpacked);
const expected = await expectedResult();
const results = [];
for (const row of wanted) {
  results.push(await tried(row));
  const { name, problem, seconds } = results.at(-1);
  console.error(`${problem ? 'FAILED' : 'works '}  ${name} (${seconds} s)`);
  if (problem) {
    console.error(problem);
  }
}
assets.close();
console.log(tableOf(results));
if (process.argv.includes('--write')) {
  writeTable(results, rows);
}
process.exit(results.some(({ problem }) => problem) ? 1 : 0);

/** What this Node computes with the package of the repository, whose numbers the other tests check. */
async function expectedResult() {
  const { check } = await import('./program/check.js');
  return check(assets.url);
}

async function tried(row) {
  const begin = Date.now();
  const { name, line, refusal } = row;
  let versions = '';
  let problem;
  try {
    const folder = await install(row.app, packed, row.packages);
    versions = row.tools.map((tool) => versionOf(folder, tool)).join(', ');
    const checking = row.check({ folder, assets: assets.url });
    if (refusal === undefined) {
      [await checking].flat().forEach(compare);
    } else {
      await refused(checking, refusal);
    }
  } catch (error) {
    problem = error.message;
  }
  return {
    name,
    line,
    refusal,
    versions,
    problem,
    seconds: Math.round((Date.now() - begin) / 1000),
  };
}

async function refused(checking, refusal) {
  const message = await checking.then(
    () => 'nothing',
    (error) => error.message,
  );
  if (!message.includes(refusal)) {
    throw new Error(`it says ${message}`);
  }
}

function compare({ vector, int8, ids, pdf, notes }) {
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  if (!same(ids, expected.ids)) {
    throw new Error(`other tokens: ${ids}`);
  }
  if (!same(int8, expected.int8)) {
    throw new Error(`another vector of int8 weights: ${int8?.slice(0, 4)}…`);
  }
  const isFar = vector.some((x, i) => !(Math.abs(x - expected.vector[i]) < tolerance));
  if (vector.length !== expected.vector.length || vector.length === 0 || isFar) {
    throw new Error(`another vector: ${vector.slice(0, 4)}…`);
  }
  for (const [read, sentence] of [
    [pdf, sentences.pdf],
    [notes, sentences.notes],
  ]) {
    if (!read.texts.join('\n').includes(sentence)) {
      throw new Error(`other passages: ${JSON.stringify(read)}`);
    }
  }
}
