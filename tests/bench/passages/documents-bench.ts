// How long ordinary and hostile documents take to read, and the memory that they take. Each is read in a process of its
// own by the built package. Build it first (npm run build).
//
//   node tests/bench/passages/documents-bench.ts [BYTES] [PATTERN]
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { hostileDocuments } from '../../web/passages/hostile.ts';
import { ordinaryDocuments } from './ordinary-documents.ts';

const [bytes = '1000000', pattern = '', only] = process.argv.slice(2);
const documents = { ...ordinaryDocuments, ...hostileDocuments };
const secondsAtMost = Number(process.env['SECONDS_AT_MOST'] ?? 60);

function outcome(name: string): string {
  const limits = { timeout: secondsAtMost * 1000, killSignal: 'SIGKILL' as const };
  try {
    const args = [fileURLToPath(import.meta.url), bytes, name, 'only'];
    return execFileSync(process.execPath, args, { ...limits, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { signal, stderr } = error as { signal?: string; stderr?: string };
    const reason = /FATAL ERROR[^\n]*|\w*Error[^\n]*/.exec(stderr ?? '')?.[0] ?? '';
    return `FAILED after at most ${secondsAtMost} s: ${signal ?? ''} ${reason}\n`;
  }
}

/** Reads one document in this process, and prints what it took. */
async function measure(name: string): Promise<void> {
  const { readDocument } = await import('ambry/passages');
  const { path, make } = documents[name] ?? { path: '', make: () => '' };
  const small = make(1000);
  // What the libraries and the worker take by themselves.
  await readDocument(path, Buffer.from(small as string)).catch(() => {});
  const made = make(Number(bytes));
  const document = typeof made === 'string' ? Buffer.from(made) : made;
  const before = process.resourceUsage().maxRSS / 1024;
  let blocked = 0;
  let last = performance.now();
  const ticks = setInterval(() => {
    blocked = Math.max(blocked, performance.now() - last);
    last = performance.now();
  }, 5);
  const begin = performance.now();
  const result = await readDocument(path, document).then(
    ({ passages, warnings }) => `${passages.length} passages ${warnings.join(' ').slice(0, 60)}`,
    (error: { code?: string; message: string }) => `${error.code}: ${error.message.slice(0, 120)}`,
  );
  const seconds = (performance.now() - begin) / 1000;
  blocked = Math.max(blocked, performance.now() - last);
  clearInterval(ticks);
  const megabytes = process.resourceUsage().maxRSS / 1024 - before;
  const size = document.length / 1e6;
  const columns = [
    `${size.toFixed(2)} MB`,
    `${seconds.toFixed(2)} s`,
    `${(size / seconds).toFixed(1)} MB/s`,
    `+${megabytes.toFixed(0)} MB (${(megabytes / size).toFixed(0)}x)`,
    `blocked ${blocked.toFixed(0)} ms`,
  ];
  process.stdout.write(`${columns.map((column) => column.padStart(15)).join(' ')}  ${result}\n`);
  process.exit();
}

if (only) {
  await measure(pattern);
} else {
  for (const name of Object.keys(documents).filter((each) => each.includes(pattern))) {
    process.stdout.write(`${name.padEnd(34)}${outcome(name)}`);
  }
}
