// Standard input and output for messages of the protocol only.
import { type Readable, Writable } from 'node:stream';

/** Whatever else is written to standard output in this process, also by workers, goes to standard error from now on. A
 *  client would take it for a message. */
export function protocolStreams(): { readonly input: Readable; readonly output: Writable } {
  const { stdin, stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string, encoding, done) => {
      write(chunk, encoding, done);
    },
  });
  // The command line handles errors of standard output.
  output.on('error', () => {});
  return { input: stdin, output };
}
