// Writes core/text/unicode/tables/mark_tables.{h,cpp}: the combining marks that StripAccents drops, measured on the official
// Hugging Face library. They are those of an older Unicode than the marks of its expressions.
// Usage: node tests/reference/unicode/mark-tables.mjs [--check]   (--check: fail if the files would change)
import tokenizers from 'tokenizers';
import { byteArray, pushVarint, writeTables } from './table-writer.mjs';

const limit = 0x110000;
const dropsMarks = tokenizers.stripAccentsNormalizer();

function isMark(c) {
  if (c >= 0xd800 && c <= 0xdfff) {
    return false;
  }
  return dropsMarks.normalizeString(`a${String.fromCodePoint(c)}b`) === 'ab';
}

const bytes = [];
for (let begin = 0, c = 1; c <= limit; ++c) {
  if (c < limit && isMark(c) === isMark(begin)) {
    continue;
  }
  pushVarint(bytes, (c - begin) * 8 + Number(isMark(begin)));
  begin = c;
}

const made = '// Made by tests/reference/unicode/mark-tables.mjs from measurements; do not edit.';
const header = `${made}
// The combining marks that StripAccents drops in Hugging Face tokenizers 0.23.2.
#pragma once

#include <cstdint>

namespace ambry::text::mark_data {

// varints, 8 * length + 1 for marks; the runs cover all code points from U+0000 on
extern const uint8_t kRuns[${bytes.length}];

}  // namespace ambry::text::mark_data
`;
const source = `${made}
#include "text/unicode/tables/mark_tables.h"

namespace ambry::text::mark_data {

// clang-format off
${byteArray('kRuns', bytes)}}  // namespace ambry::text::mark_data
`;
writeTables('mark_tables', header, source);
console.log(`${bytes.length} bytes`);
