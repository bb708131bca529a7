import picomatch from 'picomatch';
import { searchDefaults } from '../../entries/tables.ts';
import type { SearchOptions } from '../../entries/types.ts';
import type { SearchIndex } from '../../index.ts';
import { defineCommand } from '../shared/command.ts';
import {
  type Fetching,
  fetchOptions,
  jsonOption,
  parseFetchOptions,
  skipBadOption,
} from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { readText } from '../shared/input.ts';
import { type IndexModel, type TextRanker, withRanker } from '../shared/open-model.ts';
import { integer } from '../shared/option-values.ts';
import type { Terminal } from '../shared/terminal.ts';
import { openIndexFile } from './open-index-file.ts';
import { searchLines } from './search-lines.ts';
import { hitJson, hitLines, hitsMarkdown, type SearchResult } from './search-output.ts';

export const command = defineCommand({
  usage: 'INDEX QUERY...',
  summary: 'Find the passages nearest to a query',
  details: [
    'All words after INDEX are one query. - reads the query from standard input. Each result gives its score, its id and its text.',
  ],
  options: {
    k: {
      type: 'string',
      short: 'k',
      value: 'N',
      help: `The number of passages. Default: ${searchDefaults.k}.`,
    },
    hybrid: {
      type: 'boolean',
      help: 'Rank by the words of the query too, not by meaning alone.',
    },
    source: {
      type: 'string',
      multiple: true,
      value: 'GLOB',
      help: 'Search only files that match, such as notes/** or *.pdf. A pattern without a slash matches in any folder. May be repeated. Default: all files.',
    },
    rerank: {
      type: 'string',
      value: 'MODEL',
      help: 'A reranker that sorts the best passages anew. Default: none.',
    },
    candidates: {
      type: 'string',
      value: 'N',
      help: `With --rerank: how many passages it sorts. Default: ${searchDefaults.candidates}.`,
    },
    explain: {
      type: 'boolean',
      help: 'Show how much each word piece of a passage adds to the score.',
    },
    model: {
      type: 'string',
      value: 'MODEL',
      help: 'The model of the index. Default: the model that the index names.',
    },
    sparse: {
      type: 'string',
      value: 'MODEL',
      help: 'The sparse encoder of an index with one beside its model. Default: the one that the index names.',
    },
    prompt: {
      type: 'string',
      value: 'TEXT',
      help: 'A text to put before the query, or the name of one of the model’s prompts. Default: none.',
    },
    markdown: { type: 'boolean', help: 'Print a Markdown list for notes.' },
    jsonl: {
      type: 'boolean',
      help: 'Read a query from each line of standard input, as text or as {"id", "query"}, and print a line {"id", "query", "hits"}. The number of lines is not limited.',
    },
    ...skipBadOption,
    ...fetchOptions,
    ...jsonOption,
  },
  json: '[{id, score, text, source?, page?, cosine, sparse?, terms?, retrievalScore?, pieces?}, …]. An index with a sparse encoder beside its model adds sparse, --hybrid adds terms, --rerank adds retrievalScore, --explain adds pieces.',
  examples: [
    'search docs.ambryindex how do I start -k 5 --hybrid --explain',
    "search docs.ambryindex 'why does dough grow?' --source '*.pdf'",
    'search docs.ambryindex how do I start --rerank reranker.weights',
    'search docs.ambryindex - --jsonl < questions.txt > answers.jsonl',
  ],
  argumentCount: [1, Number.POSITIVE_INFINITY],
  run: async ([file = '', ...words], values, terminal) => {
    checkForms(file, words, values);
    const candidates = integer(values.candidates, '--candidates');
    const k = integer(values.k, '-k');
    const settings: QuerySettings = {
      ...(k !== undefined && { k }),
      ...(values.hybrid && { hybrid: true }),
      ...(values.source && { filter: sourceFilter(values.source) }),
      ...(values.prompt !== undefined && { prompt: values.prompt }),
      ...(candidates !== undefined && { candidates }),
      signal: terminal.signal,
      explain: values.explain === true,
    };
    const given = words.join(' ');
    const query = given === '-' && !values.jsonl ? (await readText('-')).trim() : given;
    const fetching = parseFetchOptions(values);
    const answer = (index: SearchIndex, model: IndexModel, rerank?: TextRanker) => {
      const reranking = { ...settings, ...(rerank && { rerank }) };
      return answerQuery(query, values, terminal, (text) =>
        findPassages(index, model, text, reranking),
      );
    };
    return withIndex(file, values, fetching, terminal, (index, model) =>
      values.rerank === undefined
        ? answer(index, model)
        : withRanker(values.rerank, fetching, terminal, (reranker) =>
            answer(index, model, reranker),
          ),
    );
  },
});

async function answerQuery(
  query: string,
  { json, jsonl, markdown, 'skip-bad': skipBad }: FormValues,
  terminal: Terminal,
  find: (query: string) => Promise<readonly SearchResult[]>,
): Promise<number> {
  if (jsonl) {
    return searchLines(skipBad === true, terminal, find);
  }
  const results = await find(query);
  if (json) {
    terminal.printJson(results.map(hitJson));
  } else {
    const lines = markdown ? hitsMarkdown(query, results) : results.flatMap(hitLines);
    for (const line of lines) {
      terminal.print(line);
    }
  }
  return 0;
}

interface QuerySettings extends SearchOptions {
  readonly explain: boolean;
}

/** The options that choose where queries come from and in which form results are printed. */
interface FormValues {
  readonly json?: boolean | undefined;
  readonly jsonl?: boolean | undefined;
  readonly markdown?: boolean | undefined;
  readonly 'skip-bad'?: boolean | undefined;
}

function checkForms(
  file: string,
  words: readonly string[],
  {
    json,
    jsonl,
    markdown,
    candidates,
    rerank,
    'skip-bad': skipBad,
  }: FormValues & {
    readonly candidates?: string | undefined;
    readonly rerank?: string | undefined;
  },
): void {
  if (candidates !== undefined && rerank === undefined) {
    throw new UsageError('--candidates needs --rerank.', '--candidates');
  }
  if (rerank === '-') {
    throw new UsageError('--rerank must name a model.', '--rerank');
  }
  if ([json, jsonl, markdown].filter(Boolean).length > 1) {
    throw new UsageError('--json, --jsonl and --markdown cannot be used together.');
  }
  if (skipBad && !jsonl) {
    throw new UsageError('--skip-bad needs --jsonl.', '--skip-bad');
  }
  const given = words.join(' ');
  if (jsonl && !['', '-'].includes(given)) {
    throw new UsageError('--jsonl reads queries from standard input. Leave out QUERY.');
  }
  if (!jsonl && words.length === 0) {
    throw new UsageError('No query was given. Put it after INDEX, or - for standard input.');
  }
  if (file === '-' && (jsonl || given === '-')) {
    throw new UsageError('INDEX and QUERY cannot both be standard input.');
  }
}

/** Accepts passages whose source matches one of the patterns. */
function sourceFilter(globs: readonly string[]): NonNullable<SearchOptions['filter']> {
  if (globs.includes('')) {
    throw new UsageError('--source must be a pattern of file names, such as *.pdf.', '--source');
  }
  const matchers = globs.map((glob) =>
    picomatch(glob, { basename: !glob.includes('/'), dot: true }),
  );
  return ({ source }) => typeof source === 'string' && matchers.some((matches) => matches(source));
}

async function withIndex<T>(
  file: string,
  { model, sparse }: { readonly model?: string | undefined; readonly sparse?: string | undefined },
  fetching: Fetching,
  terminal: Terminal,
  use: (index: SearchIndex, model: IndexModel) => Promise<T>,
): Promise<T> {
  await using opened = await openIndexFile(file, model, fetching, terminal, '--model', sparse);
  return await use(opened.index, opened.model);
}

async function findPassages(
  index: SearchIndex,
  model: IndexModel,
  query: string,
  { explain, ...options }: QuerySettings,
): Promise<SearchResult[]> {
  const results: SearchResult[] = [];
  for (const hit of await index.search(query, options)) {
    if (!explain) {
      results.push({ hit });
      continue;
    }
    if (model.kind !== 'encoder') {
      throw new UsageError('Only a sentence encoder can explain its hits.', '--explain');
    }
    const { pieces } = await model.explain(query, hit.text, {
      ...(options.prompt !== undefined && { prompt: options.prompt }),
      ...(index.prompt !== undefined && { docPrompt: index.prompt }),
      ...(options.signal && { signal: options.signal }),
    });
    results.push({ hit, pieces });
  }
  return results;
}
