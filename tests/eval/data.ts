// The evaluation sets, which are in the data folder (tests/data-folder.mjs).
import { readFile } from 'node:fs/promises';
import { csv2json } from 'csv42';
import { dataPath, missingData } from '../data-folder.mjs';

/** What every evaluation reads. */
export const evaluationSets = [
  'eval/stsbenchmark',
  'eval/tldr-retrieval',
  'eval/banking77',
  'eval/word-similarity',
];

const read = (name: string): Promise<string> => readFile(dataPath(`eval/${name}`), 'utf8');

async function csvRows(name: string): Promise<string[][]> {
  const rows = csv2json<Record<string, string>>(await read(name), {
    header: false,
    nested: false,
    parseValue: (value) => value,
  });
  return rows.map((row) => Object.values(row));
}

export interface ScoredPair {
  readonly a: string;
  readonly b: string;
  readonly score: number;
}

const scored = ([a = '', b = '', score = '']: readonly string[]): ScoredPair => ({
  a,
  b,
  score: Number(score),
});

/** Sentences of the STS Benchmark; undefined where a half is not there (the test half is often held back). */
export async function readSts(half: 'dev' | 'test'): Promise<ScoredPair[] | undefined> {
  const name = `stsbenchmark/stsb-en-${half}.csv`;
  if (missingData(`eval/${name}`) !== undefined) {
    return;
  }
  return (await csvRows(name)).filter((row) => row.length === 3).map(scored);
}

export interface Retrieval {
  readonly docs: readonly { readonly id: string; readonly text: string }[];
  readonly queries: readonly { readonly query: string; readonly relevant: string }[];
}

/** Pages of tldr, and an example of each that was left out of it. */
export async function readTldr(): Promise<Retrieval> {
  const lines = async (name: string) =>
    (await read(`tldr-retrieval/${name}.jsonl`))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { docs: await lines('docs'), queries: await lines('queries') };
}

export interface Labelled {
  readonly text: string;
  readonly label: string;
}

/** Questions to a bank with their intents. */
export async function readBanking(): Promise<Labelled[]> {
  const [, ...rows] = await csvRows('banking77/train.csv');
  return rows.map(([text = '', label = '']) => ({ text, label }));
}

export const wordSets = ['WS-353-SIM', 'WS-353-REL', 'MTurk-771', 'YP-130', 'VERB-143'] as const;

/** Pairs of words, and how alike people found them. */
export async function readWordSet(name: string): Promise<ScoredPair[]> {
  const lines = (await read(`word-similarity/EN-${name}.txt`)).trim().split('\n');
  return lines.map((line) => scored(line.trim().toLowerCase().split(/\s+/)));
}
