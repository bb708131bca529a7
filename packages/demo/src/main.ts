#!/usr/bin/env node
// The command `ambry-demo`, with the options of `ambry demo`. Exit codes: 0 after Ctrl-C, 2 for wrong options or a port
// that is in use, 128 and the signal's number after another signal.
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { DemoError, serveDemo } from './index.ts';

/** Written by build.mjs: what `ambry help demo` says. */
const { options, help } = JSON.parse(
  readFileSync(new URL('command.json', import.meta.url), 'utf8'),
) as {
  readonly options: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>;
  readonly help: string;
};

const wantsJson = process.argv.includes('--json');

try {
  await run();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const isOurs = error instanceof DemoError;
  const path = isOurs && error.option ? `--${error.option}` : undefined;
  console.error(`ambry-demo: ${path ? `${path}: ` : ''}${message}`);
  if (wantsJson) {
    console.log(JSON.stringify({ error: { code: 'BadValue', message, path } }));
  }
  process.exitCode = 2;
}

async function run(): Promise<void> {
  const parsed = parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h' } } });
  const values: Readonly<Record<string, unknown>> = parsed.values;
  if (values['help']) {
    console.log(help);
    return;
  }
  const { url, close } = await serveDemo({
    port: portIn(values['port']),
    isolated: values['isolated'] === true,
  });
  console.log(
    wantsJson ? JSON.stringify({ url }) : `The demo pages are at ${url} (Ctrl-C stops the server)`,
  );
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      process.exitCode = name === 'SIGINT' ? 0 : 128 + constants.signals[name];
      close();
    });
  }
}

function portIn(text: unknown): number | undefined {
  if (typeof text !== 'string') {
    return undefined;
  }
  if (/^\d+$/.test(text)) {
    return Number(text);
  }
  throw new DemoError(`"${text}" is no number. A port is one from 0 to 65535.`, 'port');
}
