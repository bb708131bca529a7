// What short requests wait for at `ambry serve`: alone, beside one client with long requests, and beside many clients of
// which one is hostile. The server is a process of its own, as people run it. A machine with two idle cores is wanted. Build
// the package first (npm run build).
//
//   node tests/bench/serve/serve-bench.mjs [--clients N] [--seconds S] [MODEL]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { languageFile } from '../../web/support/files/language-file.ts';
import { hostileRequests, longRequests, shortRequests } from './requests.mjs';

const wantedSeconds = 2;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    clients: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
  },
});
const clients = Number(values.clients);
const ms = Number(values.seconds) * 1000;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const models = `${root}web/demo/public/models/`;
const builtIn = readdirSync(models).find((name) => name.endsWith('.weights'));
const folder = mkdtempSync(join(tmpdir(), 'ambry-serve-bench-'));
const chat = join(folder, 'chat.amb');
writeFileSync(chat, languageFile({ context: 512 }));

const server = spawn(
  process.execPath,
  [
    `${root}dist/cli/main.js`,
    ...['serve', `embed=${positionals[0] ?? models + builtIn}`, `chat=${chat}`],
    ...['--port', '0', '--json'],
  ],
  { stdio: ['ignore', 'pipe', 'pipe'] },
);
const failures = [];
createInterface(server.stderr).on('line', (line) => failures.push(line));
const [line] = await once(createInterface(server.stdout), 'line');
const { url } = JSON.parse(line);
while (!(await fetch(`${url}/health`)).ok) {
  await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Sends requests one after the other until the time is over. */
async function client(requests, until, times = [], counts = {}) {
  for (let i = 0; performance.now() < until; i++) {
    const begin = performance.now();
    const outcome = await requests[i % requests.length](url).catch((error) => error.name);
    times.push((performance.now() - begin) / 1000);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
}

/** The seconds of the short requests of some clients, beside what else is sent. */
async function measure(name, count, others) {
  const until = performance.now() + ms;
  const times = [];
  const counts = {};
  const otherCounts = {};
  await Promise.all([
    ...Array.from({ length: count }, (_, i) => client(shortRequests(i), until, times, counts)),
    ...others.map((requests) => client(requests, until, [], otherCounts)),
  ]);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)];
  const [p50, p99, most] = [at(0.5), at(0.99), at(1)];
  console.log(
    `${name.padEnd(34)} ${String(times.length).padStart(6)} requests, p50 ${p50.toFixed(3)} s, p99 ${p99.toFixed(3)} s, most ${most.toFixed(3)} s`,
  );
  console.log(`  answers ${JSON.stringify(counts)}, the others’ ${JSON.stringify(otherCounts)}`);
  return p99;
}

function mebibytes(field) {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`^${field}:\\s*(\\d+)`, 'm').exec(status)?.[1]) / 1024);
}

console.log(`${availableParallelism()} cores, ${values.seconds} s each`);
await measure('(to warm up)', 1, []);
const alone = await measure('one client alone', 1, []);
const beside = await measure('beside one with long requests', 1, [longRequests()]);
const rest = mebibytes('VmRSS');
const many = await measure(`${clients - 1} clients`, clients - 1, []);
const hostile = await measure(`${clients - 1} clients and a hostile one`, clients - 1, [
  hostileRequests(),
]);
console.log(`p99 beside : alone      ${(beside / alone).toFixed(1)}`);
console.log(`p99 hostile : without   ${(hostile / many).toFixed(2)}`);
console.log(
  `memory                  ${rest} MiB after long requests, at most ${mebibytes('VmHWM')} MiB`,
);
for (const [name, p99] of [
  ['beside long requests', beside],
  ['beside a hostile client', hostile],
]) {
  const verdict = p99 <= wantedSeconds ? '' : ': MISSED';
  console.log(`p99 ${name}: ${p99.toFixed(2)} s (wanted ${wantedSeconds}${verdict})`);
}
for (const failure of failures) {
  console.log(`server: ${failure}`);
}
server.kill('SIGTERM');
await once(server, 'close');
rmSync(folder, { recursive: true });
