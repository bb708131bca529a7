// `ambry-demo/command`: the command `ambry demo`.
import { once } from 'node:events';
import { announcementOf } from './announcement.ts';
import { DemoError, serveDemo } from './index.ts';

/** Ctrl-C is how people stop the server. */
const interrupted = 130;

/** What the command uses of ambry's command line. */
export interface CommandHost {
  /** Aborts after a signal to stop. */
  readonly signal: AbortSignal;
  /** The exit code of a process that a signal ended. */
  readonly stopCode: number | undefined;
  print(line: string): void;
  printJson(value: unknown): void;
  integer(text: string | undefined, option: string, min?: number): number | undefined;
  usageError(message: string, option?: string): Error;
}

interface Values {
  readonly port?: string;
  readonly isolated?: boolean;
  readonly json?: boolean;
}

/** What ambry's command line asks of a command. */
export const command = {
  usage: '',
  details: [
    'Ctrl-C stops the server.',
    'The documentation is at /docs/.',
    'The pages are the package ambry-demo. Where it is not installed, npm fetches it into its cache and runs it.',
  ],
  options: {
    port: {
      type: 'string',
      value: 'N',
      help: 'The port. Default: 8080, or the next free one.',
    },
    isolated: {
      type: 'boolean',
      help: 'Make the pages cross-origin isolated, so that language models run on several threads.',
    },
  },
  json: '{url}, when the server listens.',
  examples: ['demo', 'demo --port 3000', 'demo --isolated'],
  argumentCount: [0, 0],
  async run(
    _: readonly string[],
    { port, isolated, json }: Values,
    host: CommandHost,
  ): Promise<number> {
    const options = { port: host.integer(port, '--port', 0), isolated };
    const { url, close } = await serveDemo(options).catch((error: unknown) => {
      if (!(error instanceof DemoError)) {
        throw error;
      }
      throw host.usageError(error.message, error.option && `--${error.option}`);
    });
    if (json) {
      host.printJson({ url });
    } else {
      host.print(announcementOf(url));
    }
    await once(host.signal, 'abort');
    close();
    return host.stopCode === interrupted ? 0 : (host.stopCode ?? 0);
  },
} as const;
