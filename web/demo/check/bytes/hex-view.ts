// A hex dump: address, bytes and text. One byte can be marked.

import { element } from '../../shared/dom/dom.ts';

const bytesPerRow = 16;
/** Such a window has room for half of a row. */
const narrow = '(max-width: 44rem)';

const hex = (value: number, digits: number): string =>
  value.toString(16).toUpperCase().padStart(digits, '0');

const printable = (byte: number): string =>
  byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·';

/** Reads pairs of hexadecimal digits as bytes. */
export function bytesOfHex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function cell(text: string, marked: boolean): Node {
  return marked ? element('mark', '', text) : document.createTextNode(text);
}

function line(
  bytes: Uint8Array,
  at: number,
  digits: number,
  marked: number | undefined,
  count: number,
): Node[] {
  const parts: Node[] = [element('span', 'hex-address', hex(at, digits)), new Text('  ')];
  for (let i = 0; i < count; i += 1) {
    const byte = bytes[i];
    parts.push(cell(byte === undefined ? '  ' : hex(byte, 2), at + i === marked));
    parts.push(new Text(i === count / 2 - 1 ? '  ' : ' '));
  }
  parts.push(new Text(' '));
  bytes.forEach((byte, i) => {
    parts.push(cell(printable(byte), at + i === marked));
  });
  parts.push(new Text('\n'));
  return parts;
}

/** A dump of `bytes`, which start at `offset` of the file. `marked` is an offset of the file, too. Its rows follow the width of the window,
 *  as when a phone is turned. */
export function hexDump(bytes: Uint8Array, offset: number, marked?: number): HTMLPreElement {
  const digits = Math.max(6, hex(offset + bytes.length, 0).length);
  const dump = element('pre', 'hex');
  const isNarrow = matchMedia(narrow);
  const fill = (): void => {
    const count = isNarrow.matches ? bytesPerRow / 2 : bytesPerRow;
    const lines: Node[] = [];
    for (let at = 0; at < bytes.length; at += count) {
      lines.push(...line(bytes.subarray(at, at + count), offset + at, digits, marked, count));
    }
    dump.replaceChildren(...lines);
  };
  fill();
  isNarrow.addEventListener('change', function follow() {
    if (dump.isConnected) {
      fill();
    } else {
      isNarrow.removeEventListener('change', follow);
    }
  });
  return dump;
}
