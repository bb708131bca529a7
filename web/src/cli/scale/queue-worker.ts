import type * as Worker from 'ambry-worker';
import { importCompanion } from '../../runtime/node-companion.ts';
import type { Command } from '../shared/command.ts';
import { jsonOption } from '../shared/common-options.ts';
import { UnreadableError } from '../shared/failure.ts';

const companion = 'ambry-worker';

export const command: Command = {
  usage: 'COMMAND [ARGUMENT...]',
  summary: 'Embed a corpus on many machines',
  details: [
    'enqueue puts the passages of a corpus into a queue in Redis or Valkey. run, on each machine, embeds them and writes the vectors to PostgreSQL with pgvector or to Parquet files. status, failed, retry and verify watch over the queue; search and export use the table.',
    'The package ambry-worker has these commands: npm install ambry-worker. "ambry worker COMMAND --help" prints their options.',
  ],
  choices: ['enqueue', 'run', 'status', 'failed', 'retry', 'verify', 'search', 'export'],
  hasCommands: true,
  options: { ...jsonOption },
  json: 'what the command states.',
  examples: [
    'worker enqueue corpus.jsonl --model minilm.weights --to vectors',
    'worker run --model minilm.weights --to vectors',
  ],
  run: async (args, terminal) => {
    const worker = await importCompanion<typeof Worker>(companion);
    if (!worker) {
      throw new UnreadableError(
        `"ambry worker" needs the package ${companion}. Install it: npm install ${companion}`,
      );
    }
    const code = await worker.runCommandLine(args, terminal.signal);
    return code === 0 ? 0 : (terminal.stopCode ?? code);
  },
};
