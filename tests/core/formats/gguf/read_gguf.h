// Reads made files and looks for the problems found.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "formats/gguf/gguf_parse.h"
#include "formats/gguf/make_gguf.h"

namespace ambry::formats::gguf::testing {

struct Read {
  Result<model::Model> model;
  io::Diagnostics found;

  [[nodiscard]] bool clean() const {
    return model && found.errors.empty() && found.warnings.empty();
  }
  // The first problem: the fatal one, else the first error, else the first warning.
  [[nodiscard]] const Error* problem() const {
    if (!model) return &model.error();
    if (!found.errors.empty()) return &found.errors.front();
    return found.warnings.empty() ? nullptr : &found.warnings.front();
  }
};

inline Read read(const io::Source& source, const model::ReadOptions& options = {},
                 io::Strictness strictness = io::Strictness::Lenient) {
  io::Diagnostics found;
  found.strictness = strictness;
  auto model = parse(source, found, options);
  if (model) check(*model, found);
  return {std::move(model), std::move(found)};
}

inline Read read(const File& file, io::Strictness strictness = io::Strictness::Lenient) {
  const io::MemorySource source(file);
  return read(source, {}, strictness);
}

}  // namespace ambry::formats::gguf::testing
