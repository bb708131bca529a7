// Runs a Validation over a file in memory, as the worker does.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/files/validate/validation.h"
#include "io/json/json.h"

namespace ambry::api::testing {

using File = std::vector<uint8_t>;

inline io::Json validate(const File& file, const ValidateOptions& options = {},
                         size_t piece = 1000) {
  const io::MemorySource source(file);
  auto begun = Validation::begin(source, options);
  EXPECT_TRUE(begun);
  if (!begun) return {};
  Validation& validation = **begun;
  while (validation.wanted() > 0) {
    const MutableBytes window = validation.window();
    const size_t n = std::min(window.size(), piece);
    std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(validation.start()), n, window.begin());
    EXPECT_TRUE(validation.commit(n));
  }
  auto report = io::parse_json(validation.finish());
  EXPECT_TRUE(report);
  return report ? *report : io::Json();
}

inline const io::Json& at(const io::Json& object, std::string_view key) {
  static const io::Json kNothing;
  const io::Json* value = object.find(key);
  EXPECT_NE(value, nullptr) << key << " in " << object.dump();
  return value != nullptr ? *value : kNothing;
}

// `code path` of each problem.
inline std::vector<std::string> brief(const io::Json& problems) {
  std::vector<std::string> lines;
  for (const io::Json& problem : problems.items()) {
    const io::Json* path = problem.find("path");
    lines.push_back(at(problem, "code").string() + " " + (path != nullptr ? path->string() : ""));
  }
  return lines;
}

inline const ValidateOptions kStrict{Strictness::Strict, false};
inline const ValidateOptions kValues{Strictness::Lenient, true};

}  // namespace ambry::api::testing
