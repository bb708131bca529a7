// What the benchmark prints: how good each engine is by kind, and where ambry is behind the best of the others.
import { type Cost, qualityOf } from './measure.ts';
import { type KindQuery, queryKinds } from './queries.ts';

export interface Measured {
  readonly name: string;
  /** The rank of each query's page, 0 if it is not among the first ten. */
  readonly ranks: readonly number[];
  /** Queries out of scope for which nothing was found. */
  readonly silent: { readonly found: number; readonly of: number };
  readonly cost: Cost | undefined;
  readonly seconds: number;
  readonly indexBytes: number;
  readonly codeBytes: number | undefined;
}

type Row = Record<string, string | number>;

const own = ['hybrid', 'words', 'meaning', 'related'];
/** The modes that are compared with the others: meaning without a model, with it, and words alone. */
const compared = ['related', 'hybrid', 'words'];

/** The numbers of the queries of a kind. */
type Kind = readonly [name: string, numbers: readonly number[]];

function kindsOf(queries: readonly KindQuery[]): Kind[] {
  const numbersOf = (has: (query: KindQuery) => boolean) =>
    queries.flatMap((query, i) => (has(query) ? [i] : []));
  const kinds: Kind[] = queryKinds.map((kind) => [kind, numbersOf((one) => one.kind === kind)]);
  const differs: Kind = ['words differ', numbersOf((query) => query.differs)];
  return [...kinds, ['all', numbersOf(() => true)] as Kind, differs].filter(
    ([, { length }]) => length > 0,
  );
}

/** How often the page is first, and the MRR, by kind. */
export function tableOf(all: readonly Measured[], queries: readonly KindQuery[]): Row[] {
  const kinds = kindsOf(queries);
  const missed = [...queries.keys()];
  return all.map(({ name, ranks, silent, cost, seconds, indexBytes, codeBytes }) => {
    const row: Row = { engine: name };
    for (const [kind, numbers] of kinds) {
      const { mrr, first } = qualityOf(numbers.map((i) => ranks[i] as number));
      row[`${kind} (${numbers.length})`] = `${first} ${mrr.toFixed(3)}`;
    }
    row['not in ten'] = missed.filter((i) => ranks[i] === 0).length;
    row[`nothing (${silent.of})`] = silent.found;
    row['build s'] = seconds.toFixed(1);
    row['index kB'] = kb(indexBytes);
    if (codeBytes !== undefined) {
      row['code kB'] = kb(codeBytes);
    }
    return cost ? { ...row, ...costs(cost) } : row;
  });
}

function costs(cost: Cost): Row {
  return {
    'query ms': cost.milliseconds.toFixed(1),
    'first kB': kb(cost.firstBytes),
    'first requests': cost.firstRequests.toFixed(1),
    'further kB': `${kb(cost.furtherBytes)} (${kb(cost.further95)})`,
    'further requests': cost.furtherRequests.toFixed(1),
  };
}

const kb = (bytes: number): string => (bytes / 1000).toFixed(0);

/** How much each mode is ahead of the best of the others, in queries whose page is first and in MRR. */
export function behind(all: readonly Measured[], queries: readonly KindQuery[]): Row[] {
  const others = all.filter(({ name }) => !own.includes(name));
  const modes = all.filter(({ name }) => compared.includes(name));
  const words = all.filter(({ name }) => name === 'words');
  if (others.length === 0 && modes.length < 2) {
    return [];
  }
  return kindsOf(queries).map(([kind, numbers]) => {
    const row: Row = { kind: `${kind} (${numbers.length})` };
    const quality = ({ ranks }: Measured) => qualityOf(numbers.map((i) => ranks[i] as number));
    for (const mode of modes) {
      const { first, mrr } = quality(mode);
      const best = (list: readonly Measured[]) => {
        const qualities = list.map(quality);
        const firsts = Math.max(...qualities.map((one) => one.first));
        return `${signed(first - firsts, 0)} ${signed(mrr - Math.max(...qualities.map((one) => one.mrr)), 3)}`;
      };
      if (others.length > 0) {
        row[`${mode.name} : others`] = best(others);
      }
      if (mode.name === 'hybrid' && words.length > 0) {
        row['hybrid : words'] = best(words);
      }
    }
    return row;
  });
}

const signed = (value: number, digits: number): string =>
  `${value > 0 ? '+' : ''}${value.toFixed(digits)}`;

/** The queries whose page another engine has before ambry, with the ranks of all. */
export function failures(all: readonly Measured[], queries: readonly KindQuery[]): string[] {
  const others = all.filter(({ name }) => !own.includes(name));
  const place = (rank: number) => (rank === 0 ? Number.POSITIVE_INFINITY : rank);
  return queries.flatMap(({ kind, text, page }, i) => {
    const best = Math.min(...others.map(({ ranks }) => place(ranks[i] as number)));
    const words = all.find(({ name }) => name === 'words');
    const isBehind = all
      .filter(({ name }) => compared.includes(name))
      .some(({ ranks }) => place(ranks[i] as number) > Math.min(best, place(words?.ranks[i] ?? 0)));
    const each = all.map(({ name, ranks }) => `${name} ${ranks[i] || '-'}`);
    return isBehind ? [`${kind}: "${text}" ${page}: ${each.join(', ')}`] : [];
  });
}
