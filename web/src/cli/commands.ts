// The list of commands, in the order of `ambry help`. A command is loaded only when it is needed.
import { fromPackage } from './packages/from-package.ts';
import { runPackage } from './packages/npm-exec.ts';
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
      index: () => import('./search/make-index.ts'),
      search: () => import('./search/search.ts'),
      answer: () => import('./question-answering/answer.ts'),
      fill: () => import('./fill-mask/fill.ts'),
      'site-index': fromPackage({
        name: 'site-index',
        package: 'ambry-site-search',
        summary: 'Make a search index of a built static site',
      }),
      worker: fromPackage({
        name: 'worker',
        package: 'ambry-worker',
        summary: 'Embed a corpus on many machines',
      }),
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
      decide: () => import('./generator/decide.ts'),
      perplexity: () => import('./generator/perplexity.ts'),
    },
  },
  {
    title: 'Classifiers',
    commands: {
      classify: () => import('./classify/classify.ts'),
      'train-classifier': () => import('./text-classifier/train-classifier.ts'),
      tag: () => import('./token-classifier/tag.ts'),
      redact: () => import('./token-classifier/redact.ts'),
    },
  },
  {
    title: 'This machine',
    commands: {
      serve: fromPackage({
        name: 'serve',
        package: 'ambry-serve',
        summary: 'Serve models as OpenAI’s and Ollama’s HTTP interfaces do',
      }),
      mcp: fromPackage({
        name: 'mcp',
        package: 'ambry-mcp',
        summary: 'Give programs with language models search and checks of files (MCP)',
      }),
      demo: fromPackage({
        name: 'demo',
        package: 'ambry-demo',
        summary: 'Serve the demo pages on this machine',
        without: 'Where it is not installed, npm fetches it into its cache and runs it.',
        runWithout: (args, terminal) => runPackage('ambry-demo', args, terminal),
      }),
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
