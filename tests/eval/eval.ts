// What models are worth for search: the built-in encoder, words alone (BM25), both together, and every model
// that is named; see README.md.
//
//   npm run eval [-- MODEL... [--json]]
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { missingData } from '../data-folder.mjs';
import { ambry } from '../web/support/package.ts';
import { evaluationSets } from './data.ts';
import { byMeaning, byRanking, formatTable, type Line } from './table.ts';

const builtIn = resolve(
  import.meta.dirname,
  '../../web/demo/public/models/english-static-336.weights',
);

/** All that there is to say of one model; words alone are the same for every model. */
async function linesOf(path: string, withWords: boolean): Promise<Line[]> {
  const name = basename(path);
  await using model = await ambry.open({ path }, { kind: 'encoder' });
  const lines = [await byMeaning(name, model), await byRanking(`${name} + BM25`, model, 'both')];
  return withWords ? [...lines, await byRanking('BM25', model, 'words')] : lines;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const missing = missingData(...evaluationSets);
  if (missing !== undefined) {
    console.error(missing);
    return 2;
  }
  const lines: Line[] = [];
  for (const path of [builtIn, ...positionals]) {
    lines.push(...(await linesOf(path, path === builtIn)));
  }
  console.log(values.json ? JSON.stringify(lines) : formatTable(lines));
  return 0;
}

process.exitCode = await main();
