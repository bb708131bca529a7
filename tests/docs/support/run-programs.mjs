// Runs the programs that are given as arguments, one after the other, and prints a line of JSON for each: its error, or null.
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** What the examples print is not of interest, and JSON has its own stream. */
console.log = () => {};
process.stdout.write = () => true;

/** @type {((reason: unknown) => void) | undefined} */
let failLate;
process.on('unhandledRejection', (reason) => failLate?.(reason));

for (const path of process.argv.slice(2)) {
  const late = new Promise((_, reject) => {
    failLate = reject;
  });
  const { run } = await import(pathToFileURL(path).href);
  const error = await Promise.race([run(), late]).then(
    () => null,
    (reason) => String(reason?.stack ?? reason),
  );
  writeSync(3, `${JSON.stringify({ path, error })}\n`);
}
process.exit(0);
