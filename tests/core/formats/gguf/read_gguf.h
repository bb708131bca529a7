// Reads made files and looks for the problems found.
#pragma once

#include "formats/gguf/make_gguf.h"
#include "formats/read_format.h"

namespace ambry::formats::gguf::testing {

using Read = formats::testing::Outcome;

inline Read read(const io::Source& source, const model::ReadOptions& options = {},
                 io::Strictness strictness = io::Strictness::Lenient) {
  return formats::testing::read(source, *find_format("gguf"), {strictness, options});
}

inline Read read(const File& file, io::Strictness strictness = io::Strictness::Lenient) {
  const io::MemorySource source(file);
  return read(source, {}, strictness);
}

inline std::string describe_first(const Read& result) {
  return result.problem() == nullptr ? "" : describe(*result.problem());
}

}  // namespace ambry::formats::gguf::testing
