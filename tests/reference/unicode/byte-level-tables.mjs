// Writes core/text/unicode/tables/letter_tables.{h,cpp}: letters, numbers and white space as byte-level BPE sees them, general
// categories, and what NFC leaves apart, which measure-unicode.mjs found; core/text/unicode/letters.cpp expands them.
// Usage: node tests/reference/unicode/byte-level-tables.mjs [--check]   (--check: fail if the files would change)

import {
  categories,
  codePointLimit,
  digitFlag,
  kinds,
  measureByteLevel,
  measureCategories,
} from './measure-unicode.mjs';
import { byteArray, pushVarint, writeTables } from './table-writer.mjs';

function codeRuns(kindOf) {
  const runs = [];
  let start = 0;
  for (let c = 1; c <= codePointLimit; ++c) {
    if (c < codePointLimit && kindOf[c] === kindOf[start]) {
      continue;
    }
    pushVarint(runs, (c - start) * 8 + kindOf[start]);
    start = c;
  }
  return runs;
}

function codeGaps(sorted) {
  const gaps = [];
  sorted.forEach((c, i) => {
    pushVarint(gaps, c - (sorted[i - 1] ?? 0));
  });
  return gaps;
}

const measured = measureByteLevel();
const runs = codeRuns(measured.kinds);
const categoryRuns = codeRuns(await measureCategories());
const exclusions = codeGaps(measured.exclusions);
const made =
  'Made by tests/reference/unicode/byte-level-tables.mjs from measurements; do not edit.';
const constant = ([name, value]) =>
  `inline constexpr uint8_t k${name[0].toUpperCase()}${name.slice(1)} = ${value};`;
const names = Object.entries({ ...kinds, digit: digitFlag }).map(constant);
const categoryNames = Object.entries(categories).map(([name, [value]]) => constant([name, value]));
const header = `// ${made}
// Kinds of code points and compositions as Hugging Face tokenizers 0.23.2 has them.
#pragma once

#include <cstdint>

namespace ambry::text::letter_data {

${names.join('\n')}

// General categories: Lu and Lt, Ll, Lm and Lo, M, P, S. All others are 0.
${categoryNames.join('\n')}

inline constexpr uint32_t kExclusionCount = ${measured.exclusions.length};

// varints; 8 * length + kind (and kDigit beside it); the runs cover all code points from U+0000 on
extern const uint8_t kKindRuns[${runs.length}];
// varints; 8 * length + category; the same
extern const uint8_t kCategoryRuns[${categoryRuns.length}];
// varints; distance from the code point before
extern const uint8_t kExclusionGaps[${exclusions.length}];

}  // namespace ambry::text::letter_data
`;
const source = `// ${made}
#include "text/unicode/tables/letter_tables.h"

namespace ambry::text::letter_data {

// clang-format off
${byteArray('kKindRuns', runs)}
${byteArray('kCategoryRuns', categoryRuns)}
${byteArray('kExclusionGaps', exclusions)}
}  // namespace ambry::text::letter_data
`;
writeTables('letter_tables', header, source);
console.log(`tables: ${runs.length + categoryRuns.length + exclusions.length} bytes`);
