// Writes an index of own vectors as a file. Pages fetch this with the first such call.
import { crc32 } from '../base/crc32.ts';
import type { RowOrder, VectorsHeader, WrittenIds } from './protocol.ts';
import type { VectorId } from './types.ts';
import type { VectorState } from './vector-state.ts';

export async function saveVectors({ channel, facts, ids }: VectorState): Promise<Blob> {
  const header: VectorsHeader = { version: 1, ids: ids !== undefined, measured: facts.measured };
  const written = ids && writtenIds(ids, await channel.call('vectorOrder', null));
  return channel.call('writeVectors', {
    header: new TextEncoder().encode(JSON.stringify(header)),
    ...(written && { ids: written }),
  });
}

/** The ids of each list as a JSON array. */
function writtenIds(ids: readonly VectorId[], { positions, begins }: RowOrder): WrittenIds {
  const count = begins.length - 1;
  const sizes = new Uint32Array(count);
  const crcs = new Uint32Array(count);
  const lists: Uint8Array[] = [];
  for (let i = 0; i < count; i++) {
    const rows = positions.subarray(begins[i], begins[i + 1]);
    const own = Array.from(rows, (position) => ids[position] as VectorId);
    const bytes = new TextEncoder().encode(JSON.stringify(own));
    sizes[i] = bytes.length;
    crcs[i] = crc32(bytes);
    lists.push(bytes);
  }
  const bytes = new Uint8Array(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    bytes.set(list, at);
    at += list.length;
  }
  return { bytes, sizes, crcs };
}
