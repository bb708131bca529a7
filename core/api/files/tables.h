// The core's tables for other languages. wasm/write-tables.mjs writes web/src/wasm/tables.ts.
#pragma once

#include <string>

namespace ambry::api {

// JSON of
//   formats        [{id, label, extensions, magics, runs, inspects, reads, writes}]: formats first,
//   then
//                  kinds of files that are only converted. A byte of a magic is a character below
//                  U+0100; `runs` is encoder, generator, words, classifier or null.
//   dtypes         [{name, block: [elements, bytes] or null, formats: {id: number or name}}]
//   targetDTypes   [name]: what the option `dtype` of a conversion may be
//   scaleTypes     [name]: what the option `scale` of a quantization may be
//   conversions    {from: [to]}
//   quantizations  {to: [type]}
//   openings       [{marks: [{at: offset or null, isThere, bytes: [one of these]}], kind or null,
//                  converts, also: kind or null, code}]: what files open as by their first bytes
//                  (formats/opening_rows.h); the first row whose marks all fit counts
//   architectureNames  {embd, amb, ggufEncoders, ggufGenerators, directoryEncoders,
//                  directoryGenerators: [name]}
//   architectures  [name]: what the option `arch` of a conversion may be
[[nodiscard]] std::string tables();

}  // namespace ambry::api
