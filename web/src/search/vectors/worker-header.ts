// What a file of own vectors has as JSON: the header, and the ids of each list.
import { AmbryError } from '../../base/errors.ts';
import type { VectorsHeader } from './protocol.ts';
import type { MeasuredSearch, VectorId } from './types.ts';

const numbersOfSearch = ['recall', 'share', 'queries', 'lists', 'probes', 'candidates'] as const;

export function parseHeader(bytes: Uint8Array, byteOffset: number): VectorsHeader {
  const header = parsed(bytes) as Partial<VectorsHeader> | null | undefined;
  const measured = header?.measured as Partial<MeasuredSearch> | undefined;
  const isKnown =
    header?.version === 1 &&
    typeof header.ids === 'boolean' &&
    numbersOfSearch.every((name) => isCount(measured?.[name])) &&
    ['string', 'undefined'].includes(typeof measured?.note);
  if (isKnown) {
    return header as VectorsHeader;
  }
  const message = 'The header is none that this version knows.';
  throw new AmbryError('BadValue', message, { path: 'header', byteOffset });
}

const isCount = (value: unknown) => Number.isFinite(value) && (value as number) >= 0;

export function parseIds(bytes: Uint8Array, rows: number, byteOffset: number): VectorId[] {
  const ids = rows === 0 && bytes.length === 0 ? [] : parsed(bytes);
  if (Array.isArray(ids) && ids.length === rows && ids.every(isId)) {
    return ids as VectorId[];
  }
  const message = `There are not ${rows} texts or numbers.`;
  throw new AmbryError('BadValue', message, { path: 'ids', byteOffset });
}

const isId = (id: unknown): id is VectorId =>
  typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id));

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
