// What models are worth for search: the built-in encoder, and every model that is named; see README.md.
//
//   npm run eval [-- MODEL... [--json]]
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ambry } from '../web/support/package.ts';
import { missingData } from './data.ts';
import { byMeaning, formatTable, type Line } from './table.ts';

const kBuiltIn = resolve(import.meta.dirname, '../../web/demo/public/models/english-192x1.weights');

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const missing = missingData();
  if (missing !== undefined) {
    console.error(missing);
    return 2;
  }
  const lines: Line[] = [];
  for (const path of [kBuiltIn, ...positionals]) {
    await using model = await ambry.open({ path });
    lines.push(await byMeaning(basename(path), model));
  }
  console.log(values.json ? JSON.stringify(lines) : formatTable(lines));
  return 0;
}

process.exitCode = await main();
