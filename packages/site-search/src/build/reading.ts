// Finds out how many rows a search has to read, and with how many bits each: by queries of the site whose nearest rows are
// known.
import {
  type CodeBits,
  CodedProduct,
  type CodedVector,
  codeBytes,
  encodeVector,
} from '../shared/codes.ts';
import { type Centroid, nearestFirst, type VectorForm } from '../shared/lists.ts';
import type { VectorsInfo } from '../shared/manifest.ts';
import type { Settings } from './options.ts';
import type { Groups } from './row-groups.ts';

/** The rows that a query should find. */
export const wantedRows = 10;
/** This share of them should be in the lists that are read. */
const wantedRecall = 0.95;
/** A search reads the texts of about so many rows whose codes are nearest: these tell exactly which are nearest. */
const readTexts = 20;
/** At most this share of the rows of a large site is read. */
const mostRead = 0.1;
const largeFrom = 5000;
/** Where all rows take no more bytes, a reader who downloads no model reads all of them once, with the first answer. */
const mostWhole = 20 * 1024;
/** The bits of rows, most exact first. With more of them fewer rows can be read. */
const rowBits: readonly CodeBits[] = [4, 2, 1];
/** What each row in a list has beside its codes: its factor, and how far it is from the one before. */
const bytesBesideCodes = 3;

interface ReadingSample extends Groups {
  readonly rows: Float32Array;
  readonly queries: Float32Array;
  /** The wanted rows of each query. */
  readonly nearest: readonly (readonly number[])[];
  readonly dim: number;
  /** The form of the centroids. */
  readonly form: VectorForm;
}

export type Reading = Pick<VectorsInfo, 'bits' | 'rowsRead' | 'recall'>;

/** What a query finds if all is read. */
interface Known {
  readonly query: Float32Array;
  readonly nearest: readonly number[];
  /** For each list the rows that are read before it is complete. The nearest list is always read. */
  readonly until: readonly number[];
}

/** The bits and the number of rows with which most is found within the bytes of a query. */
export async function chooseReading(
  sample: ReadingSample,
  { bits: given, queryBytes, meaning }: Pick<Settings, 'bits' | 'queryBytes' | 'meaning'>,
  pause: () => Promise<void>,
): Promise<Reading> {
  const { dim, members, centroids } = sample;
  const rowBytes = (bits: CodeBits) => codeBytes(dim, bits) + bytesBesideCodes;
  const known = await knownQueries(sample, pause);
  const most = mostRows(known, members);
  const whole = (given ? [given] : rowBits).find(
    (bits) => meaning === 'words' && members.length * rowBytes(bits) <= mostWhole,
  );
  if (whole) {
    const recall = await recallOf(sample, known, whole, members.length, pause);
    return { bits: whole, rowsRead: members.length, recall };
  }
  const fitting = (bits: CodeBits) => Math.max(1, Math.floor(queryBytes / rowBytes(bits)));
  const ofList = members.length / centroids.length;
  const usable = rowBits.filter((bits) => fitting(bits) >= Math.min(ofList, most));
  const readings: Reading[] = [];
  for (const bits of given ? [given] : usable.length > 0 ? usable : rowBits.slice(-1)) {
    const rowsRead = Math.min(most, fitting(bits));
    readings.push({ bits, rowsRead, recall: await recallOf(sample, known, bits, rowsRead, pause) });
  }
  return readings.reduce((best, one) => (one.recall > best.recall ? one : best));
}

async function knownQueries(sample: ReadingSample, pause: () => Promise<void>): Promise<Known[]> {
  const { queries, nearest, dim } = sample;
  const known: Known[] = [];
  for (const [i, wanted] of nearest.entries()) {
    await pause();
    const query = queries.subarray(i * dim, (i + 1) * dim);
    known.push({ query, until: rowsUntil(query, sample), nearest: wanted });
  }
  return known;
}

function rowsUntil(query: Float32Array, { form, centroids }: ReadingSample): number[] {
  const product = new CodedProduct(query.subarray(0, form.dim), form.bits);
  const until: number[] = [];
  let sum = 0;
  nearestFirst(centroids, product).forEach((list, place) => {
    sum += (centroids[list] as Centroid).size;
    until[list] = place === 0 ? 0 : sum;
  });
  return until;
}

/** The rows that have to be read so that enough of the nearest ones are among them, but no more than a share of all. */
function mostRows(known: readonly Known[], members: Uint32Array): number {
  const needed = known
    .flatMap((one) => one.nearest.map((row) => one.until[members[row] as number] as number))
    .sort((a, b) => a - b);
  const byShare = members.length < largeFrom ? members.length : members.length * mostRead;
  const enough = needed[Math.ceil(wantedRecall * needed.length) - 1] ?? byShare;
  return Math.max(1, Math.floor(Math.min(enough, byShare)));
}

/** The share of the nearest rows whose texts a search reads. */
async function recallOf(
  { rows, dim, members }: ReadingSample,
  known: readonly Known[],
  bits: CodeBits,
  rowsRead: number,
  pause: () => Promise<void>,
): Promise<number> {
  const rowsOf = new Map<number, number[]>();
  members.forEach((list, row) => {
    const others = rowsOf.get(list) ?? [];
    rowsOf.set(list, others);
    others.push(row);
  });
  const coded = new Map<number, CodedVector>();
  const codesOf = (row: number) => {
    const made = coded.get(row) ?? encodeVector(rows.subarray(row * dim, (row + 1) * dim), bits);
    coded.set(row, made);
    return made;
  };
  let [found, all] = [0, 0];
  for (const { query, until, nearest: wanted } of known) {
    await pause();
    const product = new CodedProduct(query, bits);
    const lists = [...rowsOf].filter(([list]) => (until[list] as number) <= rowsRead);
    const scored = lists
      .flatMap(([, own]) => own)
      .map((row) => {
        const { codes, factor } = codesOf(row);
        return { row, score: product.of(codes, 0, factor) };
      });
    scored.sort((a, b) => b.score - a.score || a.row - b.row);
    const texts = new Set(scored.slice(0, readTexts).map(({ row }) => row));
    found += wanted.filter((row) => texts.has(row)).length;
    all += wanted.length;
  }
  return all === 0 ? 1 : Math.round((1000 * found) / all) / 1000;
}
