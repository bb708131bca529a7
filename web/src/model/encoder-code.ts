// Which code an encoder's file needs. Its first metadata say it (core/formats/embd/README.md#code-keys).
import type { WorkerName } from '../platform/platform.ts';
import { bertFamily } from '../wasm/tables.ts';
import { isStaticEncoder } from './kind.ts';

const metadataAt = 64;

/** The worker for an encoder's file, if it is not the usual one. `head` are its first bytes. */
export function encoderWorker(head: Uint8Array): WorkerName | undefined {
  const facts = metadataOf(head);
  if (isStaticEncoder(head)) {
    return isWordPiece(facts) ? 'static-small' : 'static';
  }
  return needsEveryEncoder(facts) ? 'encoder' : undefined;
}

function isWordPiece(facts: Map<string, string>): boolean {
  return (facts.get('tokenizer_kind') ?? 'wordpiece') === 'wordpiece';
}

/** Whether its architecture is not of BERT's family, its tokenizer is not WordPiece, or it has late interaction. */
function needsEveryEncoder(facts: Map<string, string>): boolean {
  const architecture = facts.get('architecture') ?? 'bert';
  const isSmall = (bertFamily as readonly string[]).includes(architecture);
  return !isWordPiece(facts) || !isSmall || facts.has('late_interaction');
}

/** The entries of an EMBD file's metadata that lie in its head. Of a damaged file it is any of them, and the reader in
 *  the worker names the damage. */
function metadataOf(head: Uint8Array): Map<string, string> {
  const facts = new Map<string, string>();
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const isEmbd = String.fromCharCode(...head.subarray(0, 4)) === 'EMBD';
  if (!isEmbd || head.length < metadataAt || view.getUint32(12, true) !== metadataAt) {
    return facts;
  }
  const end = Math.min(head.length, metadataAt + view.getUint32(16, true));
  for (let at = metadataAt + 8; at + 4 <= end; ) {
    const keyAt = at + 4;
    const valueAt = keyAt + view.getUint16(at, true);
    const next = valueAt + view.getUint16(at + 2, true);
    if (next > end) {
      break;
    }
    const text = (from: number, to: number) => new TextDecoder().decode(head.subarray(from, to));
    facts.set(text(keyAt, valueAt), text(valueAt, next));
    at = next;
  }
  return facts;
}
