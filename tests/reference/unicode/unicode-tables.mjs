// Writes core/text/unicode/tables/unicode_tables.{h,cpp}: what measure-unicode.mjs found, coded as byte streams that
// core/text/unicode/unicode.cpp expands. Streams of one kind each, because they compress better apart.
// Usage: node tests/reference/unicode/unicode-tables.mjs [--check]   (--check: fail if the files would change)
import { brotliCompressSync } from 'node:zlib';
import { codePointLimit, flags, measure } from './measure-unicode.mjs';
import { byteArray, codeDecompositions, pushVarint, writeTables, zigzag } from './table-writer.mjs';

const hangulFirst = 0xac00;
const hangulLast = 0xd7a3;

/** Runs of code points with equal flags and combining class; `classes` lists the pairs that occur. */
function codeClasses({ flags: flagsOf, classes: combining }) {
  const key = (c) => flagsOf[c] | (combining[c] << 8);
  const ids = new Map();
  const lengths = [];
  const runs = [];
  let start = 0;
  for (let c = 1; c <= codePointLimit; ++c) {
    if (c < codePointLimit && key(c) === key(start)) {
      continue;
    }
    if (!ids.has(key(start))) {
      ids.set(key(start), ids.size);
    }
    pushVarint(lengths, c - start);
    runs.push(ids.get(key(start)));
    start = c;
  }
  if (ids.size > 128) {
    throw new Error(`${ids.size} classes do not fit into 7 bits`);
  }
  return { lengths, runs, classes: [...ids.keys()].flatMap((k) => [k & 0xff, k >> 8]) };
}

/** Hangul syllables are left out: they decompose by arithmetic, which is checked here. */
function withoutHangul(decompositions) {
  const isHangul = ([c]) => c >= hangulFirst && c <= hangulLast;
  const all = [...decompositions];
  for (const [c, parts] of all.filter(isHangul)) {
    checkHangul(c, parts);
  }
  return all.filter((entry) => !isHangul(entry));
}

function checkHangul(c, parts) {
  const index = c - hangulFirst;
  const expected = [0x1100 + Math.floor(index / 588), 0x1161 + (Math.floor(index / 28) % 21)];
  if (index % 28) {
    expected.push(0x11a7 + (index % 28));
  }
  if (expected.join() !== parts.join()) {
    throw new Error(`Hangul U+${c.toString(16)} is not regular`);
  }
}

/** Ranges of code points, each or every second one, that lie at one distance from their lower case. */
function codeLowercase(lowercase) {
  const ranges = [];
  for (const [c, [to, ...more]] of lowercase) {
    if (more.length) {
      if (c !== 0x130 || more.join() !== '775') {
        throw new Error(`U+${c.toString(16)} has two letters`);
      }
      continue; // unicode.cpp adds the dot
    }
    const last = ranges.at(-1);
    const step = last ? c - (last.first + (last.count - 1) * last.stride) : 0;
    if (last?.delta === to - c && (last.count === 1 ? step <= 2 : step === last.stride)) {
      last.stride = step;
      last.count += 1;
    } else {
      ranges.push({ first: c, count: 1, stride: 1, delta: to - c });
    }
  }
  const out = { gaps: [], counts: [], deltas: [], ranges: ranges.length };
  let previous = 0;
  for (const { first, count, stride, delta } of ranges) {
    pushVarint(out.gaps, first - previous);
    pushVarint(out.counts, count * 2 + stride - 1);
    pushVarint(out.deltas, zigzag(delta));
    previous = first + (count - 1) * stride;
  }
  return out;
}

function render(measured) {
  const classes = codeClasses(measured);
  const decompositions = codeDecompositions(withoutHangul(measured.decompositions));
  const lowercase = codeLowercase(measured.lowercase);
  const arrays = {
    kCharClasses: [classes.classes, 'pairs: flags, rank of the canonical combining class'],
    kRunLengths: [classes.lengths, 'varints; the runs cover all code points from U+0000 on'],
    kRunClasses: [classes.runs, 'index into kCharClasses of each run'],
    kDecompositionGaps: [decompositions.gaps, 'varints; distance from the code point before'],
    kDecompositionSizes: [decompositions.sizes, 'code points in each full canonical decomposition'],
    kDecompositionFirsts: [decompositions.firsts, 'zigzag varints; first against the first before'],
    kDecompositionRests: [decompositions.rests, 'varints; the other code points'],
    kLowercaseGaps: [
      lowercase.gaps,
      'varints; first of the range against the last of the one before',
    ],
    kLowercaseCounts: [lowercase.counts, 'varints; 2 * count + (1 if every second code point)'],
    kLowercaseDeltas: [lowercase.deltas, 'zigzag varints; lower case minus code point'],
  };
  const made = 'Made by tests/reference/unicode/unicode-tables.mjs from measurements; do not edit.';
  const flagLines = Object.entries(flags).map(
    ([name, bit]) => `inline constexpr uint8_t k${name[0].toUpperCase()}${name.slice(1)} = ${bit};`,
  );
  const entries = Object.entries(arrays);
  const header = [
    `// ${made}`,
    '// Character classes, decompositions and lower case as Hugging Face tokenizers 0.23.2 has them.',
    '#pragma once',
    '',
    '#include <cstdint>',
    '',
    'namespace ambry::text::unicode_data {',
    '',
    ...flagLines,
    '',
    `inline constexpr uint32_t kDecompositionCount = ${decompositions.sizes.length};`,
    `inline constexpr uint32_t kDecompositionUnits = ${decompositions.units};`,
    `inline constexpr uint32_t kLowercaseRangeCount = ${lowercase.ranges};`,
    '',
    ...entries.map(
      ([name, [bytes, what]]) => `// ${what}\nextern const uint8_t ${name}[${bytes.length}];`,
    ),
    '',
    '}  // namespace ambry::text::unicode_data',
    '',
  ].join('\n');
  const source = [
    `// ${made}`,
    '#include "text/unicode/tables/unicode_tables.h"',
    '',
    'namespace ambry::text::unicode_data {',
    '',
    '// clang-format off',
    ...entries.map(([name, [bytes]]) => byteArray(name, bytes)),
    '}  // namespace ambry::text::unicode_data',
    '',
  ].join('\n');
  return { header, source, bytes: Buffer.from(entries.flatMap(([, [bytes]]) => bytes)) };
}

const { header, source, bytes } = render(await measure());
writeTables('unicode_tables', header, source);
console.log(`tables: ${bytes.length} bytes, ${brotliCompressSync(bytes).length} after brotli`);
