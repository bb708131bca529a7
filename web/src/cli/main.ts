#!/usr/bin/env node
// `ambry`: one file a command. Exit 0 done or valid, 1 invalid file or failed job, 2 bad usage or
// unreadable input.
import { readFileSync } from 'node:fs';
import type { Command } from './shared/command.ts';
import { describe, exitCodeOf, problemOf, UsageError } from './shared/failure.ts';
import { table } from './shared/format.ts';
import { Terminal } from './shared/terminal.ts';

const kCommands: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  inspect: () => import('./files/inspect.ts'),
  validate: () => import('./files/validate.ts'),
  convert: () => import('./files/convert.ts'),
  quantize: () => import('./files/quantize.ts'),
  reconstruct: () => import('./words/reconstruct.ts'),
  select: () => import('./words/select.ts'),
  'bucket-to-explicit': () => import('./words/bucket-to-explicit.ts'),
  metadata: () => import('./files/metadata.ts'),
  tokenize: () => import('./tokenizer/tokenize.ts'),
  embed: () => import('./encoder/embed.ts'),
  index: () => import('./search/make-index.ts'),
  search: () => import('./search/search.ts'),
  similar: () => import('./words/similar.ts'),
  analogy: () => import('./words/analogy.ts'),
  'compute-accuracy': () => import('./words/compute-accuracy.ts'),
  classify: () => import('./classifier/classify.ts'),
  generate: () => import('./generator/generate.ts'),
  perplexity: () => import('./generator/perplexity.ts'),
  demo: () => import('./demo.ts'),
  doctor: () => import('./doctor.ts'),
};

const terminal = new Terminal();
const args = process.argv.slice(2);

try {
  process.exitCode = await run(args);
} catch (error) {
  report(error);
}

async function run([name = 'help', ...rest]: readonly string[]): Promise<number> {
  if (name === 'version' || name === '--version') return printVersion();
  const asksHelp = rest.includes('--help') || rest.includes('-h');
  if (name === 'help' || name === '--help' || name === '-h') return printHelp(rest[0]);
  const load = Object.hasOwn(kCommands, name) ? kCommands[name] : undefined;
  if (!load) throw new UsageError(`no such command: ${name}; ambry help lists them`);
  if (asksHelp) return printHelp(name);
  const { command } = await load();
  return command.run(rest, terminal);
}

function report(error: unknown): void {
  const problem = problemOf(error);
  if (args.includes('--json')) terminal.json({ error: problem });
  else terminal.note(`ambry: ${describe(problem)}`);
  process.exitCode = exitCodeOf(error);
}

function printVersion(): number {
  const file = new URL('../../package.json', import.meta.url);
  terminal.print((JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version);
  return 0;
}

async function printHelp(name: string | undefined): Promise<number> {
  const load = name === undefined ? undefined : kCommands[name];
  if (load) {
    const { usage, summary, details } = (await load()).command;
    terminal.print(`ambry ${usage}\n\n  ${summary}`);
    for (const line of details) terminal.print(`  ${line}`);
    return 0;
  }
  terminal.print('ambry opens, checks, converts and runs small models.\n');
  const rows: string[][] = [];
  for (const [command, loadOne] of Object.entries(kCommands)) {
    rows.push([`  ambry ${command}`, (await loadOne()).command.summary]);
  }
  for (const line of table(rows)) terminal.print(line);
  terminal.print('\nambry help COMMAND says more. --json prints one JSON document.');
  return 0;
}
