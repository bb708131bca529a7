#!/usr/bin/env node
// The command `ambry-worker`. Exit codes: those of `runCommandLine`, or 128 and the signal's number after a signal, unless
// the command could end well.
import { constants } from 'node:os';
import { runCommandLine } from './command-line.ts';

/** How long a connection that does not close may keep the process. */
const patienceMs = 1000;

const stop = new AbortController();
let stopCode: number | undefined;
// The second signal ends the process at once, as if there were no handler.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(name, () => {
    stopCode = 128 + constants.signals[name];
    stop.abort();
  });
}
// The reader of the output may end first, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') {
    process.exit();
  }
  throw error;
});
const code = await runCommandLine(process.argv.slice(2), stop.signal);
process.exitCode = code === 0 ? 0 : (stopCode ?? code);
setTimeout(() => process.exit(), patienceMs).unref();
