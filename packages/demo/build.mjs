// Writes dist/command.json: the options and the help of `ambry-demo`, which are those of `ambry demo` (web/src/cli/demo.ts).
// packages/build.mjs calls this after tsc.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const told = (...words) =>
  execFileSync(process.execPath, [command, 'help', 'demo', ...words], { encoding: 'utf8' });

const { options } = JSON.parse(told('--json'));
const help = told().trimEnd().replaceAll('ambry demo', 'ambry-demo');
writeFileSync(
  new URL('./dist/command.json', import.meta.url),
  `${JSON.stringify({ options, help }, null, 2)}\n`,
);
