#!/usr/bin/env node
// The command `ambry-demo`, with the options of `ambry demo`. Exit codes: 0 after Ctrl-C, 2 for wrong options or a port
// that is in use, 128 and the signal's number after another signal.
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { announcementOf } from './announcement.ts';
import { command } from './command.ts';
import { DemoError, serveDemo } from './index.ts';

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
  const { values } = parseArgs({
    options: {
      ...command.options,
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    // Written by build.mjs.
    console.log(readFileSync(new URL('help.txt', import.meta.url), 'utf8').trimEnd());
    return;
  }
  const { url, close } = await serveDemo({
    port: portIn(values.port),
    isolated: values.isolated === true,
  });
  console.log(wantsJson ? JSON.stringify({ url }) : announcementOf(url));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      process.exitCode = name === 'SIGINT' ? 0 : 128 + constants.signals[name];
      close();
    });
  }
}

function portIn(text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  if (/^\d+$/.test(text)) {
    return Number(text);
  }
  throw new DemoError(`"${text}" is no number. A port is one from 0 to 65535.`, 'port');
}
