// Writes core/tensor/codec/blocks/grid_tables.h: which points the grids of ggml's IQ1, IQ2 and IQ3 types have.
// Usage: node tests/reference/ggml/grid-tables.mjs SOURCES [--check]
//   SOURCES: a folder with llama.cpp's sources; --check: fail if the file would change
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { byteArray } from '../unicode/table-writer.mjs';

// The grid's name in ggml and here, how many numbers a point has, and the bytes that stand for them, lowest first.
const grids = [
  { ggml: 'iq2xxs_grid', name: 'kIq2XxsPoints', numbers: 8, values: [8, 25, 43] },
  { ggml: 'iq2xs_grid', name: 'kIq2XsPoints', numbers: 8, values: [8, 25, 43] },
  { ggml: 'iq2s_grid', name: 'kIq2SPoints', numbers: 8, values: [8, 25, 43] },
  { ggml: 'iq1s_grid', name: 'kIq1Points', numbers: 8, values: [255, 0, 1] },
  {
    ggml: 'iq3xxs_grid',
    name: 'kIq3XxsPoints',
    numbers: 4,
    values: [4, 12, 20, 28, 36, 44, 52, 62],
  },
  { ggml: 'iq3s_grid', name: 'kIq3SPoints', numbers: 4, values: [1, 3, 5, 7, 9, 11, 13, 15] },
];

function pointsOf(header, name) {
  const start = header.indexOf(`, ${name}, `);
  const table = header.slice(start, header.indexOf('GGML_TABLE_END', start));
  return [...table.matchAll(/0x([0-9a-f]+)/gi)].map(([, digits]) => BigInt(`0x${digits}`));
}

/** The bits of the points that the grid has, of all points in the order of their numbers, the last number highest. */
function bitmap(points, { ggml, numbers, values }) {
  const bytes = new Uint8Array(Math.ceil(values.length ** numbers / 8));
  let previous = -1;
  for (const point of points) {
    let place = 0;
    for (let i = numbers - 1; i >= 0; --i) {
      place = place * values.length + values.indexOf(Number((point >> BigInt(8 * i)) & 255n));
    }
    if (place <= previous) {
      throw new Error(`${ggml} is not in order`);
    }
    bytes[place >> 3] |= 1 << (place & 7);
    previous = place;
  }
  return bytes;
}

const [sources, check] = process.argv.slice(2);
const header = readFileSync(join(sources, 'ggml/src/ggml-common.h'), 'utf8');
const tables = grids.map(
  (grid) =>
    `inline ${byteArray(grid.name, bitmap(pointsOf(header, grid.ggml), grid)).replace('const', 'constexpr')}`,
);
const text = `// Made by tests/reference/ggml/grid-tables.mjs from the tables of ggml-common.h; do not edit.
// Which points the grids of ggml's IQ1, IQ2 and IQ3 types have: a bit for every point, by its
// numbers as the digits of a place, the first one lowest (core/formats/gguf/README.md#blocks).
#pragma once

#include <cstdint>

namespace ambry::tensor {

// clang-format off
${tables.join('\n')}
// clang-format on
}  // namespace ambry::tensor
`;
const file = new URL('../../../core/tensor/codec/blocks/grid_tables.h', import.meta.url);
if (check !== '--check') {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  throw new Error(`${file.pathname} is out of date`);
}
