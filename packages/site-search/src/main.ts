#!/usr/bin/env node
// The command `ambry-site-index`, with the options of `ambry site-index`. Exit codes: 0 done, 1 failed, 2 wrong options or
// files that cannot be read, 128 and the signal's number after a signal.
import { constants } from 'node:os';
import { AmbryError, type Progress } from 'ambry/encoder';
import { buildSiteIndex } from './build/build-site-index.ts';
import { help, parseCommandLine } from './command-line.ts';

const stop = new AbortController();
let stopCode: number | undefined;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(name, () => {
    stopCode = 128 + constants.signals[name];
    stop.abort();
  });
}

const wantsJson = process.argv.includes('--json');
try {
  await run();
} catch (error) {
  report(error);
}

async function run(): Promise<void> {
  const line = parseCommandLine(process.argv.slice(2));
  if (line === undefined) {
    console.log(help);
    return;
  }
  const result = await buildSiteIndex(line.folder, line.out, {
    ...line.options,
    signal: stop.signal,
    onProgress: showProgress,
    onWarning: (warning) => console.error(`warning  ${warning}`),
  });
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  const { pages, passages, files, bytes } = result;
  if (wantsJson) console.log(JSON.stringify({ index: line.out, ...result }));
  else
    console.log(
      `${line.out}: ${passages} passages from ${pages} pages, ${files} files, ${bytes} bytes`,
    );
}

function showProgress({ phase, loaded, total }: Progress): void {
  if (!process.stderr.isTTY) return;
  const share = total === 0 ? '' : ` ${Math.floor((100 * loaded) / total)} %`;
  process.stderr.write(`\r\x1b[K${phase}${share}`);
}

function report(error: unknown): void {
  const isOurs = error instanceof AmbryError;
  const message = error instanceof Error ? error.message : String(error);
  const code = stop.signal.aborted ? 'Cancelled' : isOurs ? error.code : 'Crashed';
  const path = isOurs ? error.path?.replace(/^options\./, '--') : undefined;
  console.error(`ambry-site-index: ${code}${path ? ` ${path}` : ''}: ${message}`);
  if (wantsJson) console.log(JSON.stringify({ error: { code, message, ...(path && { path }) } }));
  const isUsage = isOurs && (error.path?.startsWith('options.') || error.code === 'NotFound');
  process.exitCode = stopCode ?? (isUsage ? 2 : 1);
}
