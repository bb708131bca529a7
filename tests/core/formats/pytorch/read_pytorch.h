// Reads checkpoints for tests.
#pragma once

#include <utility>

#include "formats/pytorch/make_pytorch.h"
#include "formats/pytorch/pytorch_parse.h"

namespace ambry::formats::pytorch::testing {

struct Read {
  Result<model::Model> model;
  io::Diagnostics found;
};

inline Read read(const File& file) {
  const io::MemorySource source(file);
  io::Diagnostics found;
  auto model = parse(source, found);
  return {std::move(model), std::move(found)};
}

}  // namespace ambry::formats::pytorch::testing
