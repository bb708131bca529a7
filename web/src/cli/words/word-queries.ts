// Answers queries over word vectors, for `similar` and `analogy`. A query comes from the arguments or from a line of
// standard input. Results are printed like those of finalfusion's own tools.
import { AmbryError } from '../../base/errors.ts';
import { similarDefaults, wordMetrics } from '../../entries/tables.ts';
import type { ScoredWord, SimilarOptions } from '../../entries/types.ts';
import type { WordVectors } from '../../index.ts';
import type { CommandOptions } from '../shared/command.ts';
import type { FetchValues } from '../shared/common-options.ts';
import { describeProblem, exitCodeOf, problemOf } from '../shared/failure.ts';
import { integer, oneOf } from '../shared/option-values.ts';
import { decodeLine, lineGroups, openBytes } from '../shared/read-lines.ts';
import type { Terminal } from '../shared/terminal.ts';
import { withWords, wordsOptions } from './open-words.ts';

export const queryOptions = {
  k: {
    type: 'string',
    short: 'k',
    value: 'N',
    help: `The number of results. Default: ${similarDefaults.k}.`,
  },
  similarity: {
    type: 'string',
    short: 's',
    choices: wordMetrics,
    help: `The similarity measure. Default: ${wordMetrics[0]}.`,
  },
  ...wordsOptions,
  json: { type: 'boolean', help: 'Print a JSON list of {word, score} for each query, or {error}.' },
} as const satisfies CommandOptions;

interface QueryValues extends FetchValues {
  readonly from?: string | undefined;
  readonly k?: string | undefined;
  readonly similarity?: string | undefined;
  readonly json?: boolean | undefined;
}

/** A kind of query. A query is a list of words. */
export interface QueryKind<Query extends readonly string[]> {
  readonly parse: (line: string) => Query;
  readonly ask: (
    model: WordVectors,
    query: Query,
    options: SimilarOptions,
  ) => Promise<ScoredWord[]>;
}

/** Answers the query, or each line of standard input if there is none. Resolves to the exit code. */
export async function answerQueries<Query extends readonly string[]>(
  file: string,
  given: Query | undefined,
  { json = false, ...values }: QueryValues,
  terminal: Terminal,
  { parse, ask }: QueryKind<Query>,
): Promise<number> {
  const metric = oneOf(values.similarity, '--similarity', wordMetrics);
  const k = integer(values.k, '-k');
  const options = {
    ...(k !== undefined && { k }),
    ...(metric !== undefined && { metric }),
    signal: terminal.signal,
  };
  return withWords(file, values, terminal, async (model) => {
    const answer = async (query: Query) =>
      printResults(await ask(model, query, options), json, terminal);
    const answerLine = async (line: string): Promise<number> => {
      const query = readQuery(line, parse);
      if (query instanceof AmbryError) {
        return reportUnread(query, json, terminal);
      }
      return answer(query).catch((error: unknown) =>
        reportMissing(error, model, query, json, terminal),
      );
    };
    let exitCode = 0;
    if (given) {
      await answer(given);
    } else {
      for await (const line of inputLines(terminal.signal)) {
        exitCode = Math.max(exitCode, await answerLine(line));
      }
    }
    return exitCode;
  });
}

/** The query of a line, or the error that says what is wrong with the line. */
function readQuery<Query>(line: string, parse: (line: string) => Query): Query | AmbryError {
  try {
    return parse(line);
  } catch (error) {
    if (error instanceof AmbryError) {
      return error;
    }
    throw error;
  }
}

/** Reports a line that is no query. The next lines are answered. Returns the exit code. */
function reportUnread(error: AmbryError, json: boolean, terminal: Terminal): number {
  if (json) {
    terminal.printJson({ error: problemOf(error) });
  } else {
    terminal.note(describeProblem(problemOf(error)));
  }
  return exitCodeOf(error);
}

/** The trimmed lines of standard input as they arrive, without empty ones. */
async function* inputLines(signal: AbortSignal): AsyncGenerator<string> {
  for await (const lines of lineGroups(await openBytes('-', signal))) {
    for (const line of lines) {
      const text = decodeLine(line);
      if (text !== '') {
        yield text;
      }
    }
  }
}

/** Prints `word<TAB>score` lines or a JSON list. */
function printResults(results: readonly ScoredWord[], json: boolean, terminal: Terminal): number {
  if (json) {
    terminal.printJson(results.map(({ word, score }) => ({ word, score })));
  } else {
    for (const { word, score } of results) {
      terminal.print(`${word}\t${plainDecimal(score)}`);
    }
  }
  return 0;
}

/** Reports a word without a vector and goes on with the next query. The text output has exit code 0 then, like the
 *  reference tools. The JSON output has a document for each query, so it has one for the error, and exit code 1. */
async function reportMissing(
  error: unknown,
  model: WordVectors,
  query: readonly string[],
  json: boolean,
  terminal: Terminal,
): Promise<number> {
  if (!(error instanceof AmbryError) || error.code !== 'NotFound') {
    throw error;
  }
  if (json) {
    terminal.printJson({ error: problemOf(error) });
    return exitCodeOf(error);
  }
  const { found } = await model.vectors(query);
  const missing = query.filter((_, i) => found[i] === 'none');
  terminal.note(`no vector for: ${missing.join(', ')}`);
  return 0;
}

/** Formats a value without an exponent, like the reference tools. */
function plainDecimal(value: number): string {
  const text = String(value);
  if (!text.includes('e')) {
    return text;
  }
  const digits = (text.split('e')[0] ?? '').replace(/[-.]/g, '').length;
  const places = digits - 1 - Number(text.split('e')[1]);
  return value.toFixed(Math.min(Math.max(places, 0), 100));
}
