// Tensors that a file has by an older name.
#include "convert/encoder/library_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "convert/encoder/tiny_encoder.h"
#include "convert/run_conversion.h"

namespace ambry::convert {
namespace {

namespace embd = formats::embd::testing;
using testing::File;

// As google-bert's own files name them.
std::string old_name(const std::string& name) {
  constexpr std::string_view kNorm = "LayerNorm.";
  const size_t at = name.rfind(kNorm);
  if (at == std::string::npos) return name;
  return name.substr(0, at + kNorm.size()) + (name.ends_with("weight") ? "gamma" : "beta");
}

TEST(LibraryNames, GammaAndBetaAreWeightAndBias) {
  auto tensors = embd::tiny_tensors();
  size_t renamed = 0;
  for (embd::Tensor& tensor : tensors) {
    tensor.data = embd::data_of(tensor);  // which depends on the name
    const std::string name = old_name(tensor.name);
    renamed += name == tensor.name ? 0 : 1;
    tensor.name = "bert." + name;
  }
  ASSERT_GE(renamed, 6U);
  // The head for pre-training has such names, too, and is left out.
  tensors.push_back({"cls.predictions.transform.LayerNorm.gamma", {4}});
  std::vector<Error> warnings;
  const auto old = testing::run(testing::tiny_safetensors("", tensors), testing::tiny_directory(),
                                {}, &warnings);
  ASSERT_TRUE(old) << describe(old.error());
  const auto usual = testing::run(testing::tiny_safetensors(), testing::tiny_directory(), {});
  ASSERT_TRUE(usual);
  EXPECT_EQ(*old, *usual);
  EXPECT_TRUE(std::ranges::any_of(warnings, [](const Error& warning) {
    return warning.path == "cls.predictions.transform.LayerNorm.weight";
  }));
}

TEST(LibraryNames, AnOldNameBesideTheNewOneIsAnError) {
  auto tensors = embd::tiny_tensors();
  tensors.push_back({"embeddings.LayerNorm.gamma", {4}});
  const auto file =
      testing::run(testing::tiny_safetensors("", tensors), testing::tiny_directory(), {});
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().path, "embeddings.LayerNorm.gamma");
}

}  // namespace
}  // namespace ambry::convert
