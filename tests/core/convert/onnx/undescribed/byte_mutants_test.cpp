// Conversions of ONNX files in which bytes are changed by chance: each ends with a file, or with an
// error that says what is wrong.
#include <gtest/gtest.h>

#include <string>

#include "convert/onnx/cnn/onnx_networks.h"
#include "convert/onnx/decoders/genai_fixture.h"
#include "convert/onnx/onnx_encoder_case.h"
#include "formats/onnx/byte_mutants.h"

namespace ambry::convert {
namespace {

using formats::onnx::testing::byte_mutant;
using testing::File;

constexpr uint64_t kMutants = 2'000;

// `convert` is called with each mutant.
template <typename Convert>
void expect_ends(const File& file, Convert convert) {
  size_t n_refused = 0;
  for (uint64_t seed = 0; seed < kMutants; ++seed) {
    const auto converted = convert(byte_mutant(file, seed));
    if (converted) continue;
    ++n_refused;
    EXPECT_FALSE(converted.error().path.empty()) << seed << ": " << describe(converted.error());
    EXPECT_FALSE(converted.error().message.empty()) << seed;
    EXPECT_NE(converted.error().code, ErrorCode::NeedBytes) << seed;
  }
  EXPECT_GT(n_refused, kMutants / 20);
}

TEST(OnnxByteMutants, OfEncodersAreConvertedOrRefused) {
  for (const char* name : {"bert_newer", "bert_fused", "modernbert_opset17"}) {
    SCOPED_TRACE(name);
    const auto of = testing::OnnxEncoderCase::read(name);
    expect_ends(of.graph, [&](const File& mutant) { return of.convert(mutant); });
  }
}

TEST(OnnxByteMutants, OfLanguageModelsAreConvertedOrRefused) {
  for (const char* name : {"llama_q4", "qwen3_fused"}) {
    SCOPED_TRACE(name);
    auto fixture = testing::GenaiFixture::read(name);
    const File file = fixture.model;
    expect_ends(file, [&](const File& mutant) {
      fixture.model = mutant;
      const testing::GenaiSources sources(fixture);
      return testing::run(sources.files, sources.contents, testing::to("amb"));
    });
  }
}

TEST(OnnxByteMutants, OfNetworksAreConvertedOrRefused) {
  const File file = testing::network_file("digits-kept.onnx");
  expect_ends(file, [](const File& mutant) {
    return testing::run(mutant, SideFiles(), testing::to_network());
  });
}

}  // namespace
}  // namespace ambry::convert
