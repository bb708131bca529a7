// What a source holds, by a glance at its first bytes. Only a server's file costs a request.
import type { WireSource } from '../rpc/protocol.ts';
import { type Held, heldBy, kMagicBytes } from './magic.ts';

/** Undefined where the first bytes do not say it, or cannot be had. */
export async function heldIn(wire: WireSource, signal?: AbortSignal): Promise<Held | undefined> {
  switch (wire.kind) {
    case 'bytes':
      return heldBy(wire.bytes);
    case 'blob':
      return heldBy(new Uint8Array(await wire.blob.slice(0, kMagicBytes).arrayBuffer()));
    case 'stream':
      return wire.holds;
    case 'url':
      return heldBy(await headOf(wire.url, signal).catch(() => new Uint8Array(0)));
    case 'path':
      return undefined;
  }
}

async function headOf(url: string, signal?: AbortSignal): Promise<Uint8Array> {
  const headers = { range: `bytes=0-${kMagicBytes - 1}` };
  const response = await fetch(url, { headers, ...(signal && { signal }) });
  const reader = response.body?.getReader();
  const first = await reader?.read();
  // A server without ranges sends the whole file.
  void reader?.cancel().catch(() => {});
  return first?.value ?? new Uint8Array(0);
}
