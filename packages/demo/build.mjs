// Writes dist/help.txt: what `ambry-demo --help` prints, which is the help of `ambry demo`. packages/build.mjs calls this after tsc.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const help = execFileSync(process.execPath, [command, 'help', 'demo'], { encoding: 'utf8' });
writeFileSync(
  new URL('./dist/help.txt', import.meta.url),
  help.replaceAll('ambry demo', 'ambry-demo'),
);
