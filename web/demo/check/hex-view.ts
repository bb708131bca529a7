// Bytes as people look at them: address, hexadecimal, text; one byte can be marked.

import { element } from '../shared/dom.ts';

const kRow = 16;

const hex = (value: number, digits: number): string =>
  value.toString(16).toUpperCase().padStart(digits, '0');

const printable = (byte: number): string =>
  byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·';

/** The bytes of two hexadecimal digits each. */
export function bytesOfHex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function cell(text: string, marked: boolean): Node {
  return marked ? element('mark', '', text) : document.createTextNode(text);
}

function line(bytes: Uint8Array, at: number, digits: number, marked: number | undefined): Node[] {
  const parts: Node[] = [element('span', 'hex-address', hex(at, digits)), new Text('  ')];
  for (let i = 0; i < kRow; i += 1) {
    const byte = bytes[i];
    parts.push(cell(byte === undefined ? '  ' : hex(byte, 2), at + i === marked));
    parts.push(new Text(i === kRow / 2 - 1 ? '  ' : ' '));
  }
  parts.push(new Text(' '));
  bytes.forEach((byte, i) => {
    parts.push(cell(printable(byte), at + i === marked));
  });
  parts.push(new Text('\n'));
  return parts;
}

/** A dump of `bytes`, which start at `offset` of the file; `marked` is an absolute offset. */
export function hexDump(bytes: Uint8Array, offset: number, marked?: number): HTMLPreElement {
  const digits = Math.max(6, hex(offset + bytes.length, 0).length);
  const lines: Node[] = [];
  for (let at = 0; at < bytes.length; at += kRow) {
    lines.push(...line(bytes.subarray(at, at + kRow), offset + at, digits, marked));
  }
  const dump = element('pre', 'hex', ...lines);
  // Wider than a phone, so it scrolls, which takes the focus without a pointer.
  dump.tabIndex = 0;
  return dump;
}
