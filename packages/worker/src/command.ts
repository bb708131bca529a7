// `ambry-worker/command`: the command `ambry worker`, whose first argument is one of the commands of this package.
import { commandNames, runCommandLine } from './command-line.ts';

/** What the command uses of ambry's command line. */
export interface CommandHost {
  /** Aborts after a signal to stop. */
  readonly signal: AbortSignal;
  /** The exit code of a process that a signal ended. */
  readonly stopCode: number | undefined;
}

/** What ambry's command line asks of a command. */
export const command = {
  usage: 'COMMAND [ARGUMENT...]',
  details: [
    'enqueue puts the passages of a corpus into a queue in Redis or Valkey. run, on each machine, embeds them and writes the vectors to PostgreSQL with pgvector or to Parquet files. status, failed, retry and verify watch over the queue; search and export use the table.',
    'The package ambry-worker has these commands: npm install ambry-worker. "ambry worker COMMAND --help" prints their options.',
  ],
  choices: commandNames,
  hasCommands: true,
  options: {},
  json: 'what the command states.',
  examples: [
    'worker enqueue corpus.jsonl --model minilm.weights --to vectors',
    'worker run --model minilm.weights --to vectors',
  ],
  async run(args: readonly string[], _: unknown, host: CommandHost): Promise<number> {
    const code = await runCommandLine(args, host.signal);
    return code === 0 ? 0 : (host.stopCode ?? code);
  },
} as const;
