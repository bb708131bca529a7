// The commands that fill the queue, empty it and check that it was done.
import { type CommandSpec, choiceOption, integerOption, type Values } from './arguments.ts';
import { type EnqueueResult, enqueue } from './enqueue.ts';
import { factsOf, modelHash, openEmbedder } from './model.ts';
import { checkMark } from './model-mark.ts';
import {
  jsonOption,
  lineOf,
  modelOptions,
  openSink,
  queueOptions,
  queuePlace,
  sinkOptions,
} from './options.ts';
import { openQueue, redisWarnings } from './queue.ts';
import { runWorker } from './run-worker.ts';
import type { Terminal } from './terminal.ts';

const corpusOptions = {
  ...queueOptions,
  ...sinkOptions,
  ...modelOptions,
  'job-size': { type: 'string', value: 'N', help: 'Passages of a job. Default: 64.' },
  'max-waiting': {
    type: 'string',
    value: 'N',
    help: 'Reading waits while so many jobs wait in the queue. Default: 1000.',
  },
  attempts: {
    type: 'string',
    value: 'N',
    help: 'How often a job is tried before it is set aside. Default: 5.',
  },
  ...jsonOption,
} as const;

async function fill(
  corpus: readonly string[],
  values: Values,
  terminal: Terminal,
  how: { readonly fromStart: boolean; readonly dryRun: boolean },
): Promise<EnqueueResult> {
  const path = String(values['model']);
  const prompt = values['prompt'] as string | undefined;
  const sizes = {
    jobSize: integerOption(values, 'job-size', 64),
    maxWaiting: integerOption(values, 'max-waiting', 1000),
    attempts: integerOption(values, 'attempts', 5),
  };
  const place = queuePlace(values);
  const sink = await openSink(values);
  const model = await modelHash(path, prompt);
  const { signal } = terminal;
  const note = (line: string) => terminal.note(line);
  try {
    await using opened = await openQueue(place, signal);
    for (const warning of await redisWarnings(opened.client)) {
      note(`warning  ${warning}`);
    }
    if (how.dryRun) {
      checkMark(String(values['to']), await sink.mark(), model);
    } else {
      await sink.prepare({ sha256: model, ...(await factsAt(path, prompt)) });
    }
    const onRead = (count: number) => terminal.progress(`${count} passages read`);
    return await enqueue(opened, sink, { corpus, model, ...sizes, ...how, signal, note, onRead });
  } finally {
    await sink.close();
  }
}

async function factsAt(path: string, prompt: unknown): Promise<ReturnType<typeof factsOf>> {
  const embedder = await openEmbedder(path);
  await embedder.dispose();
  return factsOf(embedder, prompt);
}

export const enqueueCommand: CommandSpec = {
  usage: 'CORPUS… --model FILE --to PLACE',
  summary: 'Put the passages of files into the queue',
  options: {
    ...corpusOptions,
    'from-start': {
      type: 'boolean',
      help: 'Read the whole corpus again. Adds only passages that are neither written nor in the queue.',
    },
  },
  required: ['model', 'to'],
  argumentCount: [1, Number.POSITIVE_INFINITY],
  run: async (corpus, values, terminal) => {
    const fromStart = values['from-start'] === true;
    const counts = await fill(corpus, values, terminal, { fromStart, dryRun: false });
    terminal.print(values['json'] ? JSON.stringify(counts) : lineOf(counts));
    return 0;
  },
};

export const verifyCommand: CommandSpec = {
  usage: 'CORPUS… --model FILE --to PLACE',
  summary: 'Check that every passage is written. Exit code 1 if one is not',
  options: corpusOptions,
  required: ['model', 'to'],
  argumentCount: [1, Number.POSITIVE_INFINITY],
  run: async (corpus, values, terminal) => {
    const { read, done, added, queued, failed } = await fill(corpus, values, terminal, {
      fromStart: true,
      dryRun: true,
    });
    const counts = { passages: read, written: done, queued, failed, missing: added };
    terminal.print(values['json'] ? JSON.stringify(counts) : lineOf(counts));
    if (added > 0) {
      terminal.note('"ambry-worker enqueue --from-start" adds the missing passages.');
    }
    return done === read ? 0 : 1;
  },
};

export const runCommand: CommandSpec = {
  usage: '--model FILE --to PLACE',
  summary: 'Take jobs from the queue, embed them and write the vectors',
  options: {
    ...queueOptions,
    ...sinkOptions,
    ...modelOptions,
    truncate: {
      type: 'string',
      value: 'end|error',
      help: 'What to do with a text that is too long: cut off its end, or set it aside. Default: end.',
    },
    drain: { type: 'boolean', help: 'End when no job is left.' },
    'lock-ms': {
      type: 'string',
      value: 'N',
      help: 'The job of a worker that is silent for N milliseconds is given to another. Default: 30000.',
    },
    ...jsonOption,
  },
  required: ['model', 'to'],
  argumentCount: [0, 0],
  run: async (_, values, terminal) => {
    const truncate = choiceOption(values, 'truncate', ['end', 'error']);
    const lockMs = integerOption(values, 'lock-ms', 30_000);
    const place = queuePlace(values);
    const sink = await openSink(values);
    try {
      const written = await runWorker({
        ...place,
        sink,
        model: String(values['model']),
        ...(values['prompt'] !== undefined && { prompt: String(values['prompt']) }),
        ...(truncate && { truncate }),
        drain: values['drain'] === true,
        lockMs,
        signal: terminal.signal,
        note: (text) => terminal.note(text),
        onWritten: (count) => terminal.progress(`${count} passages written`),
      });
      terminal.print(values['json'] ? JSON.stringify({ written }) : `written ${written}`);
      return 0;
    } finally {
      await sink.close();
    }
  },
};
