// Compares the processor time of builds from one run, because other work on a machine makes all of them slower: Pagefind, an index
// for words alone, and one with meaning. Run it after `npm run build`:
//
//   npm install --prefix build/peers --no-audit --no-fund pagefind@1.6.0
//   node tests/bench/site-search/build-time.ts [--pages 10000] [--site DIR] [--rounds 3] [--peers build/peers]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { syntheticPages, writeSite } from './synthetic-site.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '10000' },
    site: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    peers: { type: 'string', default: 'build/peers' },
  },
});
const path = (relative: string) => fileURLToPath(new URL(`../../../${relative}`, import.meta.url));
const model = path('web/demo/public/models/english-static-336.weights');

interface Took {
  /** Seconds of the processor, by the program and by what it starts. */
  readonly processor: number;
  readonly wall: number;
}

function run(folder: string): void {
  const site = values.site ?? join(folder, 'site');
  if (values.site === undefined) {
    writeSite(site, syntheticPages(Number(values.pages)));
  }
  const index = (out: string, ...more: string[]) => [
    process.execPath,
    path('dist/cli/main.js'),
    ...['site-index', site, '--out', join(folder, out), '--no-element', '--json', ...more],
  ];
  const programs: Record<string, string[]> = {
    Pagefind: [
      resolve(values.peers, 'node_modules/.bin/pagefind'),
      ...['--site', site, '--output-path', join(folder, 'pagefind')],
    ],
    'by words': index('words', '--meaning', 'none'),
    'words and meaning': index('meaning', '--model', model),
  };
  const took: Record<string, Took[]> = {};
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, line] of Object.entries(programs)) {
      took[name] = [...(took[name] ?? []), timed(line)];
      rmSync(join(folder, 'words'), { recursive: true, force: true });
      rmSync(join(folder, 'meaning'), { recursive: true, force: true });
    }
  }
  const least = (name: string) => Math.min(...(took[name] ?? []).map((one) => one.processor));
  for (const [name, all] of Object.entries(took)) {
    const wall = Math.min(...all.map((one) => one.wall));
    const share = least(name) / least('Pagefind');
    console.log(
      `${name.padEnd(18)} ${least(name).toFixed(1)} s of the processor (${share.toFixed(2)} times Pagefind's), ${wall.toFixed(1)} s`,
    );
  }
}

/** A shell adds up the times of what it has run. */
function timed(line: readonly string[]): Took {
  const start = performance.now();
  const shell = ['-c', '"$@" >/dev/null && times', 'sh', ...line];
  const times = execFileSync('sh', shell, { encoding: 'utf8' });
  const [, ofChildren = ''] = times.trim().split('\n');
  const seconds = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => 60 * Number(minutes) + Number(rest),
  );
  const processor = seconds.reduce((sum, value) => sum + value, 0);
  return { processor, wall: (performance.now() - start) / 1000 };
}

const folder = mkdtempSync(join(tmpdir(), 'ambry-build-time-'));
try {
  run(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
