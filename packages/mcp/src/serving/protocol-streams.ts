// Standard input and output for messages of the protocol only.
import { type Readable, Writable } from 'node:stream';

export interface ProtocolStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Lets others write to standard output again. */
  restore(): void;
}

/** Whatever else is written to standard output in this process, also by workers, goes to standard error until `restore`. A
 *  client would take it for a message. */
export function protocolStreams(): ProtocolStreams {
  const { stdin, stdout, stderr } = process;
  const before = stdout.write;
  const write = before.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string, encoding, done) => {
      write(chunk, encoding, done);
    },
  });
  // The command line handles errors of standard output.
  output.on('error', () => {});
  const restore = () => {
    stdout.write = before;
  };
  return { input: stdin, output, restore };
}
