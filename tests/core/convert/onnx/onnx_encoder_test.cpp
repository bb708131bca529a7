// Graphs of encoders become the same EMBD files as the weights alone do.
#include <gtest/gtest.h>

#include <string>

#include "convert/onnx/onnx_encoder_case.h"

namespace ambry::convert {
namespace {

using testing::File;
using testing::OnnxEncoderCase;

class OnnxEncoders : public ::testing::TestWithParam<std::string> {};

TEST_P(OnnxEncoders, BecomeWhatTheirWeightsBecome) {
  const OnnxEncoderCase of = OnnxEncoderCase::read(GetParam());
  const auto usual = of.from_safetensors();
  ASSERT_TRUE(usual) << describe(usual.error());
  const auto file = of.convert();
  ASSERT_TRUE(file) << describe(file.error());
  EXPECT_EQ(*file, *usual);
}

INSTANTIATE_TEST_SUITE_P(All, OnnxEncoders,
                         ::testing::Values("bert_opset11", "bert_opset14_pooler",
                                           "bert_opset17_sdpa", "bert_no_types", "bert_sentence",
                                           "bert_classifier", "bert_tokens", "roberta_opset14",
                                           "roberta_classifier", "distilbert_opset13",
                                           "distilbert_classifier", "mpnet_opset12",
                                           "modernbert_opset14", "modernbert_opset17", "bert_fused",
                                           "bert_fused_heads", "bert_newer"),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace ambry::convert
