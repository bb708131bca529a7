// Tables of bytes as C++: what the scripts that measure character classes share.
import { readFileSync, writeFileSync } from 'node:fs';

export function pushVarint(out, value) {
  for (; value >= 0x80; value = Math.floor(value / 0x80)) {
    out.push((value & 0x7f) | 0x80);
  }
  out.push(value);
}

export const zigzag = (value) => (value < 0 ? -2 * value - 1 : 2 * value);

/** Streams for `[codePoint, parts]` in order, which core/text/unicode/decompositions.cpp expands. */
export function codeDecompositions(entries) {
  const out = { gaps: [], sizes: [], firsts: [], rests: [], units: 0 };
  let [previous, previousFirst] = [0, 0];
  for (const [c, parts] of entries) {
    pushVarint(out.gaps, c - previous);
    out.sizes.push(parts.length);
    pushVarint(out.firsts, zigzag(parts[0] - previousFirst));
    for (const part of parts.slice(1)) {
      pushVarint(out.rests, part);
    }
    [previous, previousFirst] = [c, parts[0]];
    out.units += parts.length;
  }
  return out;
}

export function byteArray(name, bytes) {
  const lines = [];
  let line = '   ';
  for (const byte of bytes) {
    if (line.length + ` ${byte},`.length > 100) {
      lines.push(line);
      line = '   ';
    }
    line += ` ${byte},`;
  }
  lines.push(line);
  return `const uint8_t ${name}[${bytes.length}] = {\n${lines.join('\n')}\n};\n`;
}

/** Writes core/text/unicode/tables/NAME.{h,cpp}; with `--check` on the command line, throws if they would change. */
export function writeTables(name, header, source) {
  const folder = new URL('../../../core/text/unicode/tables/', import.meta.url);
  const files = [
    [new URL(`${name}.h`, folder), header],
    [new URL(`${name}.cpp`, folder), source],
  ];
  for (const [url, text] of files) {
    if (!process.argv.includes('--check')) {
      writeFileSync(url, text);
    } else if (readFileSync(url, 'utf8') !== text) {
      throw new Error(`${url.pathname} is out of date`);
    }
  }
}
