// Graphs that compute something else than the encoder of config.json are refused.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "convert/onnx/mutate_graph.h"
#include "convert/onnx/onnx_encoder_case.h"

namespace ambry::convert {
namespace {

using testing::File;
using testing::GraphMutants;
using testing::Mutant;
using testing::OnnxEncoderCase;

// How many changes of a graph are taken. They are harmless: the operands of a sum change places, a
// number changes of which only the extents are used, a mask is half as low or is squared, a flag
// means what it did. onnxruntime computed the same for each of these files as for the unchanged
// one, or refused the file for its types. Weights that change places are other weights, which are
// read.
struct Row {
  const char* name;
  size_t taken;
  size_t step = 1;  // how many-th change is tried
};

class OnnxEncoderMutants : public ::testing::TestWithParam<Row> {};

TEST_P(OnnxEncoderMutants, AreRefused) {
  const OnnxEncoderCase of = OnnxEncoderCase::read(GetParam().name);
  GraphMutants mutants({reinterpret_cast<const char*>(of.graph.data()), of.graph.size()});
  size_t refused = 0;
  std::map<std::string, size_t> taken;
  size_t n_taken = 0;
  size_t number = 0;
  mutants.each([&](const Mutant& mutant) {
    if (number++ % GetParam().step != 0) return;
    const auto file = of.convert(File(mutant.file.begin(), mutant.file.end()));
    if (file) {
      ++taken[mutant.what];
      ++n_taken;
    } else {
      ++refused;
      EXPECT_NE(file.error().code, ErrorCode::NeedBytes) << describe(file.error());
    }
  });
  EXPECT_EQ(n_taken, GetParam().taken) << GetParam().name << ::testing::PrintToString(taken);
  EXPECT_GT(refused, n_taken);
}

INSTANTIATE_TEST_SUITE_P(All, OnnxEncoderMutants,
                         ::testing::Values(Row{"bert_opset11", 81}, Row{"bert_opset17_sdpa", 96},
                                           Row{"bert_sentence", 111}, Row{"roberta_classifier", 94},
                                           Row{"distilbert_classifier", 88},
                                           Row{"mpnet_opset12", 17, 5},
                                           Row{"modernbert_opset17", 60, 3}, Row{"bert_fused", 8},
                                           Row{"bert_fused_heads", 14}, Row{"bert_newer", 64}),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace ambry::convert
