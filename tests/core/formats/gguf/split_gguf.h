// A small model in several files, as llama.cpp splits one: the first has all metadata, each its
// number, the number of files and that of all tensors.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "formats/gguf/make_gguf.h"
#include "io/source.h"

namespace ambry::formats::gguf::testing {

inline std::vector<GgufMaker> split_makers(const GgufMaker& whole, size_t n_parts) {
  std::vector<GgufMaker> parts(n_parts);
  const size_t n_tensors = whole.tensors.size();
  for (size_t i = 0; i < n_parts; ++i) {
    GgufMaker& part = parts[i];
    part.metadata.clear();
    if (i == 0) part.metadata = whole.metadata;
    part.metadata.push_back(number("split.no", ValueType::U16, static_cast<uint16_t>(i)));
    part.metadata.push_back(number("split.count", ValueType::U16, static_cast<uint16_t>(n_parts)));
    part.metadata.push_back(
        number("split.tensors.count", ValueType::I32, static_cast<int32_t>(n_tensors)));
    const auto at = [&](size_t n) {
      return whole.tensors.begin() + static_cast<std::ptrdiff_t>(n * n_tensors / n_parts);
    };
    part.tensors.assign(at(i), at(i + 1));
  }
  return parts;
}

// The files of the makers, one after another.
struct Joined {
  File file;
  std::vector<uint64_t> ends;

  void add(const File& part) {
    file.insert(file.end(), part.begin(), part.end());
    ends.push_back(file.size());
  }
  // A source with all bytes, or without any.
  [[nodiscard]] std::unique_ptr<io::PartialSource> source(bool held = true) const {
    auto source = std::make_unique<io::PartialSource>(file.size());
    EXPECT_TRUE(source->set_part_ends(ends));
    if (held) {
      EXPECT_TRUE(source->insert(0, file));
    }
    return source;
  }
};

inline Joined joined(std::vector<GgufMaker> makers) {
  Joined all;
  for (GgufMaker& maker : makers) all.add(maker.make());
  return all;
}

}  // namespace ambry::formats::gguf::testing
