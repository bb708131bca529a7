// Parses the command line of `ambry-site-index`.
import { parseArgs } from 'node:util';
import { AmbryError } from 'ambry/encoder';
import type { BuildOptions } from './build/options.ts';
import type { CodeBits } from './shared/codes.ts';

export const help = `ambry-site-index DIST --out DIR [--model FILE] [--dim N] [--bits N]
                 [--query-bytes N] [--cache FILE] [--clean-urls] [--skip-bad] [--json]

Makes a search index of the built static site in DIST.

  --out DIR      The folder of the index, such as dist/search.
  --model FILE   A static encoder. Default: the sample of ambry-demo.
  --dim N        How many numbers of each vector are kept.
  --bits N       The bits of each number, 4 or 8.
  --query-bytes N
                 Bytes of vectors that a search reads at most.
  --cache FILE   Keep vectors in this file outside the site for the next run.
  --clean-urls   Leave .html away in the addresses of pages.
  --skip-bad     Skip pages that cannot be read, with a warning.
  --json         Print the result, or an error, as JSON.`;

export interface CommandLine {
  readonly folder: string;
  readonly out: string;
  readonly options: BuildOptions;
}

/** Undefined if help is asked for. Throws `BadValue` at an option. */
export function parseCommandLine(args: readonly string[]): CommandLine | undefined {
  const { values, positionals } = parsed(args);
  if (values.help) return undefined;
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) {
    throw wrong(
      'DIST',
      `The command takes one folder, the built site: ambry-site-index DIST --out DIR.`,
    );
  }
  if (values.out === undefined) throw wrong('out', '--out is missing.');
  const { model, dim, bits, cache, 'query-bytes': queryBytes } = values;
  return {
    folder,
    out: values.out,
    options: {
      ...(model !== undefined && { model }),
      ...(dim !== undefined && { dim: numberIn(dim, 'dim') }),
      ...(bits !== undefined && { bits: numberIn(bits, 'bits') as CodeBits }),
      ...(queryBytes !== undefined && { queryBytes: numberIn(queryBytes, 'query-bytes') }),
      ...(cache !== undefined && { cache }),
      cleanUrls: values['clean-urls'] === true,
      skipBad: values['skip-bad'] === true,
    },
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        out: { type: 'string' },
        model: { type: 'string' },
        dim: { type: 'string' },
        bits: { type: 'string' },
        'query-bytes': { type: 'string' },
        cache: { type: 'string' },
        'clean-urls': { type: 'boolean' },
        'skip-bad': { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (cause) {
    const { message } = cause as Error;
    throw wrong(/'--([\w-]+)/.exec(message)?.[1] ?? 'line', message, cause);
  }
}

function numberIn(text: string, name: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw wrong(name, `--${name} must be a whole number, not "${text}".`);
}

function wrong(name: string, message: string, cause?: unknown): AmbryError {
  return new AmbryError('BadValue', message, { path: `options.${name}`, cause });
}
