// The list of commands, in the order of `ambry help`. A command is loaded only when it is needed.
import type { Command, CommandGroup } from './shared/command.ts';

export const commandGroups: readonly CommandGroup[] = [
  {
    title: 'Model files',
    commands: {
      inspect: () => import('./files/inspect.ts'),
      validate: () => import('./files/validate.ts'),
      convert: () => import('./files/convert.ts'),
      quantize: () => import('./files/quantize.ts'),
      distill: () => import('./encoder/distill.ts'),
      metadata: () => import('./files/metadata.ts'),
      pull: () => import('./files/pull.ts'),
      cache: () => import('./files/cache.ts'),
    },
  },
  {
    title: 'Texts and search',
    commands: {
      tokenize: () => import('./tokenizer/tokenize.ts'),
      detokenize: () => import('./tokenizer/detokenize.ts'),
      embed: () => import('./encoder/embed.ts'),
      rank: () => import('./reranker/rank.ts'),
      predict: () => import('./text-classifier/predict.ts'),
      index: () => import('./search/make-index.ts'),
      search: () => import('./search/search.ts'),
      'site-index': () => import('./search/site-index.ts'),
      worker: () => import('./scale/queue-worker.ts'),
    },
  },
  {
    title: 'Word vectors',
    commands: {
      similar: () => import('./words/similar.ts'),
      analogy: () => import('./words/analogy.ts'),
      'compute-accuracy': () => import('./words/compute-accuracy.ts'),
      select: () => import('./words/select.ts'),
      reconstruct: () => import('./words/reconstruct.ts'),
      'bucket-to-explicit': () => import('./words/bucket-to-explicit.ts'),
    },
  },
  {
    title: 'Language models',
    commands: {
      generate: () => import('./generator/generate.ts'),
      chat: () => import('./generator/chat.ts'),
      perplexity: () => import('./generator/perplexity.ts'),
    },
  },
  {
    title: 'Image classifiers',
    commands: { classify: () => import('./classifier/classify.ts') },
  },
  {
    title: 'This machine',
    commands: {
      serve: () => import('./server/serve.ts'),
      demo: () => import('./demo.ts'),
      doctor: () => import('./doctor.ts'),
      completions: async () => {
        const { completionsOf } = await import('./completions/completions.ts');
        return { command: completionsOf(commandGroups) };
      },
    },
  },
];

export const commandNames: readonly string[] = commandGroups.flatMap(({ commands }) =>
  Object.keys(commands),
);

export async function loadCommand(name: string): Promise<Command | undefined> {
  const group = commandGroups.find(({ commands }) => Object.hasOwn(commands, name));
  const load = group?.commands[name];
  return load && (await load()).command;
}
