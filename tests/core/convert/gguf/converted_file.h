// A conversion that must succeed.
#pragma once

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "convert/gguf/gguf_models.h"
#include "convert/run_conversion.h"

namespace ambry::convert::testing {

inline File converted_file(const File& from, const Options& options,
                           std::vector<Error>* warnings = nullptr) {
  auto file = run(from, {}, options, warnings);
  EXPECT_TRUE(file) << describe(file.error());
  return file ? std::move(*file) : File();
}

}  // namespace ambry::convert::testing
