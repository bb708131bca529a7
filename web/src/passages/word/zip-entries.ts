// Finds the files in a ZIP archive by its list at the end, and unpacks them part by part, so that a small archive cannot fill the
// memory.
import { Inflate } from 'fflate';
import { AmbryError, messageOf } from '../../base/errors.ts';

export interface ZipEntry {
  readonly name: string;
  readonly isPacked: boolean;
  readonly packedSize: number;
  /** Where its header begins, and whether it is encrypted. */
  readonly offset: number;
  readonly isEncrypted: boolean;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const headerSignature = 0x04034b50;
const endBytes = 22;
const entryBytes = 46;
const headerBytes = 30;
const maxCommentBytes = 0xffff;
/** What is unpacked at once. It grows to a thousand times as much at most. */
const partBytes = 1 << 14;
const stored = 0;
const deflated = 8;

/** Undefined if the bytes are no ZIP archive. */
export function zipEntries(bytes: Uint8Array): Map<string, ZipEntry> | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(view);
  if (end === undefined) {
    return undefined;
  }
  const entries = new Map<string, ZipEntry>();
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (at + entryBytes > view.byteLength || view.getUint32(at, true) !== entrySignature) {
      return undefined;
    }
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(
      bytes.subarray(at + entryBytes, at + entryBytes + nameLength),
    );
    entries.set(name, {
      name,
      isPacked: view.getUint16(at + 10, true) !== stored,
      packedSize: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
    });
    at += entryBytes + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** The list has its own end, and a comment may follow. */
function endOf(view: DataView): number | undefined {
  const first = Math.max(0, view.byteLength - endBytes - maxCommentBytes);
  for (let at = view.byteLength - endBytes; at >= first; at--) {
    if (view.getUint32(at, true) === endSignature) {
      return at;
    }
  }
  return undefined;
}

/** Gives the bytes of an entry some at a time. `path` is that of the archive. */
export function* unpacked(path: string, bytes: Uint8Array, entry: ZipEntry): Generator<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { name, offset, packedSize, isPacked } = entry;
  const isHeader =
    offset + headerBytes <= bytes.length && view.getUint32(offset, true) === headerSignature;
  const begin = isHeader
    ? offset + headerBytes + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
    : 0;
  if (!isHeader || begin + packedSize > bytes.length) {
    throw damaged(path, name, offset, 'the file ends before its data');
  }
  if (entry.isEncrypted) {
    const message = `${path} is protected by a password. Save it without one.`;
    throw new AmbryError('Unsupported', message, { byteOffset: offset, path: name });
  }
  const method = view.getUint16(offset + 8, true);
  if (isPacked && method !== deflated) {
    const message = `${path}: ${name} is packed by method ${method} of ZIP, which is not supported. Save the document anew.`;
    throw new AmbryError('Unsupported', message, { byteOffset: offset, path: name });
  }
  const data = bytes.subarray(begin, begin + packedSize);
  yield* isPacked ? inflated(path, name, data, begin) : [data];
}

function* inflated(
  path: string,
  name: string,
  data: Uint8Array,
  begin: number,
): Generator<Uint8Array> {
  const parts: Uint8Array[] = [];
  const inflate = new Inflate((part) => parts.push(part));
  for (let at = 0; at < data.length; at += partBytes) {
    try {
      inflate.push(data.subarray(at, at + partBytes), at + partBytes >= data.length);
    } catch (error) {
      throw damaged(path, name, begin + at, messageOf(error));
    }
    yield* parts.splice(0);
  }
}

function damaged(path: string, name: string, byteOffset: number, reason: string): AmbryError {
  const message = `${path} is damaged: ${name} cannot be unpacked (${reason}). Download or save the document anew.`;
  return new AmbryError('BadValue', message, { byteOffset, path: name });
}
