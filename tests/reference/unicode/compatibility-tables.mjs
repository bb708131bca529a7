// Writes core/text/unicode/tables/compatibility_tables.{h,cpp}: the decompositions that NFKD has and NFD has not, which
// measure-unicode.mjs found.
// Usage: node tests/reference/unicode/compatibility-tables.mjs [--check]   (--check: fail if the files would change)
import { brotliCompressSync } from 'node:zlib';
import { measureCompatibility } from './measure-unicode.mjs';
import { byteArray, codeDecompositions, writeTables } from './table-writer.mjs';

const { gaps, sizes, firsts, rests, units } = codeDecompositions(measureCompatibility());
const made =
  'Made by tests/reference/unicode/compatibility-tables.mjs from measurements; do not edit.';
const header = `// ${made}
// Compatibility decompositions as Hugging Face tokenizers 0.23.2 has them, coded like the canonical
// ones in unicode_tables.h.
#pragma once

#include <cstdint>

namespace ambry::text::compatibility_data {

inline constexpr uint32_t kUnits = ${units};

extern const uint8_t kGaps[${gaps.length}];
extern const uint8_t kSizes[${sizes.length}];
extern const uint8_t kFirsts[${firsts.length}];
extern const uint8_t kRests[${rests.length}];

}  // namespace ambry::text::compatibility_data
`;
const source = `// ${made}
#include "text/unicode/tables/compatibility_tables.h"

namespace ambry::text::compatibility_data {

// clang-format off
${byteArray('kGaps', gaps)}
${byteArray('kSizes', sizes)}
${byteArray('kFirsts', firsts)}
${byteArray('kRests', rests)}
}  // namespace ambry::text::compatibility_data
`;
writeTables('compatibility_tables', header, source);
const bytes = Buffer.from([...gaps, ...sizes, ...firsts, ...rests]);
console.log(`tables: ${bytes.length} bytes, ${brotliCompressSync(bytes).length} after brotli`);
