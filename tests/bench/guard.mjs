// Fails where a benchmark's ratios have fallen by more than a tenth and a half against those that are written down in
// ratios.json: a time would say as much about the machine as about the change. Runs on one machine differ by a tenth.
//
//   node tests/bench/guard.mjs RESULT.json...           compares
//   node tests/bench/guard.mjs --keep RESULT.json...    writes them down instead
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const minShare = 0.85;
const ratiosFile = new URL('ratios.json', import.meta.url);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'boolean' } },
});
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const measured = Object.fromEntries(
  positionals.map(read).map(({ environment, ratios }) => [environment, ratios]),
);

/** Every number of a tree, with the path to it. */
const leaves = (tree, path = []) =>
  typeof tree === 'number'
    ? [[path, tree]]
    : Object.entries(tree).flatMap(([name, branch]) => leaves(branch, [...path, name]));

if (values.keep) {
  const rounded = (_, value) => (typeof value === 'number' ? Number(value.toFixed(2)) : value);
  writeFileSync(ratiosFile, `${JSON.stringify(measured, rounded, 2)}\n`);
} else {
  const kept = read(ratiosFile);
  const fallen = leaves(measured)
    .map(([path, ratio]) => ({
      path,
      ratio,
      before: path.reduce((tree, name) => tree?.[name], kept),
    }))
    .filter(({ ratio, before }) => before !== undefined && ratio < minShare * before);
  for (const { path, ratio, before } of fallen) {
    console.log(`${path.join(', ')}: ${ratio.toFixed(2)}, was ${before}: FALLEN`);
  }
  if (fallen.length === 0) {
    console.log('no ratio has fallen');
  }
  process.exitCode = fallen.length === 0 ? 0 : 1;
}
