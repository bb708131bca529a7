// The evaluation sets, which lie outside the repository: AMBRY_DATA, or ../shared/data beside it.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { csv2json } from 'csv42';

const root = resolve(import.meta.dirname, '../..');
export const dataFolder = process.env['AMBRY_DATA'] ?? resolve(root, '../shared/data');
const folder = join(dataFolder, 'eval');

/** Undefined when the sets are there, else a line that says where they were looked for. */
export function missingData(): string | undefined {
  if (existsSync(folder)) return;
  return `no evaluation data in ${folder}: set AMBRY_DATA to the folder that holds eval/`;
}

const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

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
  if (!existsSync(join(folder, name))) return;
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
