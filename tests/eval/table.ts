// The evaluation as a table: one line for each way to answer, its cells as they are ready.
import type { Encoder } from '../../web/src/index.ts';
import { wordSets } from './data.ts';
import type { Found } from './measures.ts';
import {
  bankingAccuracy,
  embedderOf,
  type Ranking,
  stsScore,
  tldrScores,
  wordScore,
} from './tasks.ts';

export interface Line {
  readonly name: string;
  readonly scores: Readonly<Record<string, number>>;
}

const found = ['tldr R@1', 'tldr R@10', 'tldr MRR@10'] as const;
export const columns: readonly string[] = [
  'STS-B dev',
  'STS-B test',
  ...found,
  'banking77',
  ...wordSets,
];

const foundScores = ({ recall1, recall10, reciprocal }: Found) => ({
  [found[0]]: recall1,
  [found[1]]: recall10,
  [found[2]]: reciprocal,
});

/** What the model's vectors are worth by themselves. */
export async function byMeaning(name: string, model: Encoder): Promise<Line> {
  const embed = embedderOf(model);
  const scores: Record<string, number> = {};
  for (const half of ['dev', 'test'] as const) {
    const score = await stsScore(embed, half);
    if (score !== undefined) {
      scores[`STS-B ${half}`] = score;
    }
  }
  Object.assign(scores, foundScores((await tldrScores(model, 'meaning')).meaning));
  scores['banking77'] = await bankingAccuracy(embed);
  for (const set of wordSets) {
    scores[set] = await wordScore(embed, set);
  }
  return { name, scores };
}

/** Only retrieval knows other rankings. */
export async function byRanking(name: string, model: Encoder, ranking: Ranking): Promise<Line> {
  return { name, scores: foundScores((await tldrScores(model, ranking))[ranking]) };
}

/** Aligned, as Markdown. */
export function formatTable(lines: readonly Line[]): string {
  const rows = [
    ['', ...columns],
    ...lines.map(({ name, scores }) => [
      name,
      ...columns.map((column) => scores[column]?.toFixed(3) ?? ''),
    ]),
  ];
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  const pad = (cell: string, i: number) =>
    i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0);
  const format = (row: readonly string[]) => `| ${row.map(pad).join(' | ')} |`;
  const rule = widths.map((width, i) =>
    i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  const [head = [], ...body] = rows;
  return [head, rule, ...body].map(format).join('\n');
}
