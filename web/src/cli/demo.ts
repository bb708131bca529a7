import { once } from 'node:events';
import type * as Demo from 'ambry-demo';
import { importCompanion } from '../runtime/node-companion.ts';
import { defineCommand } from './shared/command.ts';
import { jsonOption } from './shared/common-options.ts';
import { UsageError } from './shared/failure.ts';
import { runPackage } from './shared/npm-exec.ts';
import { integer } from './shared/option-values.ts';

const companion = 'ambry-demo';
/** Ctrl-C is how people stop the server. */
const interrupted = 130;

export const command = defineCommand({
  usage: '',
  summary: 'Serve the demo pages on this machine',
  details: [
    'Ctrl-C stops the server.',
    `The pages are the package ${companion}. Where it is not installed, npm fetches it into its cache and runs it.`,
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
    ...jsonOption,
  },
  json: '{url}, when the server listens.',
  examples: ['demo', 'demo --port 3000', 'demo --isolated'],
  argumentCount: [0, 0],
  run: async (_, { port, isolated, json }, terminal) => {
    const options = { port: integer(port, '--port', 0), isolated };
    const demo = await importCompanion<typeof Demo>(companion);
    if (!demo) {
      const given = [port && `--port=${port}`, isolated && '--isolated', json && '--json'];
      return runPackage(
        companion,
        given.filter((word) => typeof word === 'string'),
        terminal,
      );
    }
    const { url, close } = await demo.serveDemo(options).catch((error: unknown) => {
      if (!(error instanceof demo.DemoError)) {
        throw error;
      }
      throw new UsageError(error.message, error.option && `--${error.option}`);
    });
    if (json) {
      terminal.printJson({ url });
    } else {
      terminal.print(`The demo pages are at ${url} (Ctrl-C stops the server)`);
    }
    await once(terminal.signal, 'abort');
    close();
    return terminal.stopCode === interrupted ? 0 : (terminal.stopCode ?? 0);
  },
});
