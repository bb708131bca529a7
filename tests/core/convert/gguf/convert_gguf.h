// Conversions of made GGUF files, with what was made.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <vector>

#include "convert/gguf/gguf_models.h"
#include "convert/run_conversion.h"

namespace ambry::convert::testing {

struct GgufConversion {
  File from;
  model::Model source;
  File file;
  model::Model target;

  [[nodiscard]] std::vector<float> source_values(std::string_view name) const {
    return values_of(from, source, name);
  }
  [[nodiscard]] std::vector<float> values(std::string_view name) const {
    return values_of(file, target, name);
  }
};

inline GgufConversion converted_gguf(gg::GgufMaker maker, const Options& options,
                                     std::vector<Error>* warnings = nullptr) {
  GgufConversion made;
  made.from = maker.make();
  made.source = parsed(made.from, "gguf");
  auto file = run(made.from, {}, options, warnings);
  EXPECT_TRUE(file) << describe(file.error());
  if (!file) return made;
  made.file = std::move(*file);
  made.target = parsed(made.file, options.to);
  return made;
}

inline Error gguf_refusal(gg::GgufMaker maker, const Options& options) {
  auto file = run(maker.make(), {}, options);
  EXPECT_FALSE(file);
  return file ? Error() : file.error();
}

}  // namespace ambry::convert::testing
