// How long `readDocument` and `readRecords` hold the thread of their caller, in Node: the longest task, while tables and records of
// some size are read in a worker. It runs the sources, so nothing is built before.
//
//   node tests/bench/passages/caller-thread-bench.ts [BYTES] [PATTERN]
import { Worker } from 'node:worker_threads';
import { loadPdfjs } from '../../../web/src/entries/passages/node-pdfjs.ts';
import type { DocumentRead } from '../../../web/src/passages/base/types.ts';
import type { ReaderPort } from '../../../web/src/passages/reading/protocol.ts';
import { documentReader } from '../../../web/src/passages/reading/read-document.ts';
import { recordSessions } from '../../../web/src/passages/reading/record-sessions.ts';
import { recordReader } from '../../../web/src/passages/records/record-stream.ts';
import { ordinaryDocuments } from './ordinary-documents.ts';

const [size = '50000000', pattern = ''] = process.argv.slice(2);
const bytes = Number(size);
/** A task that takes longer is felt. */
const goalMs = 50;
const tickMs = 1;
const partBytes = 1 << 16;

function startReader(): ReaderPort {
  const script = new URL(
    '../../../web/src/entries/passages/node-documents-worker.ts',
    import.meta.url,
  );
  const worker = new Worker(script, { execArgv: [], workerData: {} });
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    listen: (onMessage, onCrash) => {
      worker.on('message', onMessage);
      worker.on('error', ({ message }: Error) => onCrash({ reason: message }));
    },
    hold: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
    terminate: () => void worker.terminate(),
  };
}

const readDocument = documentReader(startReader, (path) => loadPdfjs(path));
const readRecords = recordReader(recordSessions(startReader));

interface Longest {
  readonly result: string;
  /** The longest time between two ticks of a timer, and the longest time that the thread computed between two. On a busy machine
   *  the first has the time of others, too. */
  readonly ms: number;
  readonly busyMs: number;
}

async function longestTask(run: () => Promise<string>): Promise<Longest> {
  const longest = { ms: 0, busyMs: 0 };
  let last = performance.now();
  let lastBusy = busyMs();
  const tick = () => {
    const [now, busy] = [performance.now(), busyMs()];
    longest.ms = Math.max(longest.ms, now - last - tickMs);
    longest.busyMs = Math.max(longest.busyMs, busy - lastBusy);
    [last, lastBusy] = [now, busy];
  };
  const timer = setInterval(tick, tickMs);
  const result = await run().catch((error: Error) => error.message);
  tick();
  clearInterval(timer);
  return { result, ...longest };
}

function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const summary = ({ passages }: DocumentRead) => `${passages.length} passages`;
const made = (name: string) => Buffer.from(ordinaryDocuments[name]?.make(bytes) as string);
const list = () =>
  Buffer.from(`[${made('ordinary: JSON Lines').toString().trim().replaceAll('\n', ',')}]`);
const counted = { count: async (texts: readonly string[]) => texts.map((text) => text.length / 4) };

/** A file that is read in parts. */
async function* partsOf(document: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < document.length; at += partBytes) {
    yield document.subarray(at, at + partBytes);
  }
}

async function countRecords(document: Uint8Array): Promise<string> {
  let records = 0;
  for await (const _ of readRecords(partsOf(document))) {
    records++;
  }
  return `${records} records`;
}

const runs: Readonly<Record<string, () => () => Promise<string>>> = {
  CSV: () => {
    const document = made('ordinary: CSV');
    return async () => summary(await readDocument('a.csv', document));
  },
  'CSV of short rows': () => {
    const document = made('ordinary: CSV of short rows');
    return async () => summary(await readDocument('a.csv', document));
  },
  'CSV with counts of tokens': () => {
    const document = made('ordinary: CSV');
    return async () => summary(await readDocument('a.csv', document, counted));
  },
  'CSV as a text': () => {
    const document = made('ordinary: CSV').toString();
    return async () => summary(await readDocument('a.csv', document));
  },
  JSON: () => {
    const document = list();
    return async () => summary(await readDocument('a.json', document));
  },
  'JSON Lines': () => {
    const document = made('ordinary: JSON Lines');
    return async () => summary(await readDocument('a.jsonl', document));
  },
  'JSON Lines as a stream': () => {
    const document = made('ordinary: JSON Lines');
    return () => countRecords(document);
  },
  'JSON Lines of one record': () => {
    const text = 'Owls hunt mice. '.repeat(bytes / 16);
    const document = Buffer.from(`{"text":"${text}"}\n`);
    return async () => summary(await readDocument('a.jsonl', document));
  },
};

// The worker and its libraries are loaded.
await readDocument('a.csv', 'id,text\n1,a\n');
for (const [name, make] of Object.entries(runs).filter(([name]) => name.includes(pattern))) {
  const run = make();
  const begin = performance.now();
  const { result, ms, busyMs } = await longestTask(run);
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  const columns = [
    name.padEnd(26),
    `longest task ${ms.toFixed(0).padStart(5)} ms`,
    `computing ${busyMs.toFixed(0).padStart(5)} ms`,
    `${seconds.padStart(6)} s`,
    result,
    busyMs > goalMs ? `more than ${goalMs} ms` : '',
  ];
  console.log(columns.join('  '));
}
process.exit();
