// Runs command lines one after another in this process (shared-cli.ts starts it). Modules are loaded once, and only the main
// module runs again for each line, with arguments, streams and exit code of its own.
import { openSync, ReadStream } from 'node:fs';

const main = process.argv[2];
let count = 0;

for (const emitter of [process, process.stdout, process.stderr]) {
  emitter.setMaxListeners(0); // Every line adds its listeners.
}

/** Collects what is written to a stream. */
function capture(stream) {
  const parts = [];
  stream.write = (part, ...rest) => {
    parts.push(Buffer.from(part));
    rest.find((each) => typeof each === 'function')?.();
    return true;
  };
  return parts;
}

async function run({ args, input }) {
  const stdout = capture(process.stdout);
  const stderr = capture(process.stderr);
  const fd = openSync(input, 'r');
  const stdin = new ReadStream(null, { fd });
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  process.argv = [process.execPath, main, ...args];
  process.exitCode = undefined;
  await import(`${main}?${count++}`);
  const code = process.exitCode ?? 0;
  process.exitCode = undefined;
  stdin.destroy();
  process.send({ code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) });
}

process.on('message', run);
process.on('disconnect', () => process.exit());
