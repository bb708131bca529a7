// Runs a Conversion with files in memory, as the callers in JavaScript do.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "convert/stream_conversion.h"
#include "formats/expect_format.h"

namespace ambry::convert::testing {

using formats::testing::checksums_hold;
using formats::testing::File;
using formats::testing::sound_model;

inline Options to(const char* format, std::optional<tensor::DType> dtype = std::nullopt) {
  Options options;
  options.to = format;
  options.dtype = dtype;
  return options;
}

// `contents` are the bytes of the source files, in order.
inline Result<File> run(const SourceFiles& sources, const std::vector<Bytes>& contents,
                        const Options& options, std::vector<Error>* warnings = nullptr) {
  AMBRY_TRY(Conversion conversion, Conversion::begin(sources, options));
  File target;
  for (;;) {
    AMBRY_TRY(const Step step, conversion.next());
    if (step.kind == Step::Kind::Done) break;
    if (step.kind == Step::Kind::Compute) continue;
    if (step.kind == Step::Kind::Read) {
      const Bytes from = contents[step.file];
      EXPECT_LE(step.offset + step.target.size(), from.size());
      std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(step.offset), step.target.size(),
                  step.target.begin());
    } else {
      // Writes come in order. Only checksums that precede their range are written again at the end.
      const bool again = target.size() == conversion.total_bytes();
      const size_t at = again ? static_cast<size_t>(step.offset) : target.size();
      EXPECT_EQ(step.offset, at) << "writes must come in order";
      target.resize(std::max(target.size(), at + step.bytes.size()));
      std::copy(step.bytes.begin(), step.bytes.end(),
                target.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  EXPECT_EQ(target.size(), conversion.total_bytes());
  if (warnings != nullptr) *warnings = conversion.warnings();
  return target;
}

inline Result<File> run(const File& main, const SideFiles& files, const Options& options,
                        std::vector<Error>* warnings = nullptr) {
  const io::MemorySource source(main);
  return run(SourceFiles(source, files), {main}, options, warnings);
}

}  // namespace ambry::convert::testing
