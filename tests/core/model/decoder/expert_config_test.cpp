#include "model/decoder/config/expert_config.h"

#include <gtest/gtest.h>

#include <string>

#include "base/concat.h"
#include "model/decoder/decoder_config.h"
#include "model/decoder/decoder_tensors.h"

namespace ambry::model {
namespace {

Result<DecoderConfig> read_sparse(const std::string& more, const char* architecture = "qwen3_moe") {
  Model model;
  const std::string text =
      concat({R"({"architecture": ")", architecture,
              R"(", "n_vocab": 16, "n_embd": 8, "n_layers": 3, "n_heads": 4, "n_ff": 12, )",
              R"("max_seq_len": 32)", more, "}"});
  model.config = io::parse_json(text, 1000, "config").value();
  io::Diagnostics found;
  return decoder_config(model, found);
}

Error refusal_of(const std::string& more) {
  const auto config = read_sparse(more);
  EXPECT_FALSE(config) << more;
  return config ? Error() : config.error();
}

TEST(ExpertConfig, TakesBothNames) {
  const auto ours = read_sparse(R"(, "n_experts": 8, "n_experts_used": 2, "n_ff_expert": 5)");
  ASSERT_TRUE(ours) << describe(ours.error());
  EXPECT_EQ(ours->experts.count, 8U);
  EXPECT_EQ(ours->experts.used, 2U);
  EXPECT_EQ(ours->experts.n_ff, 5U);
  const auto theirs =
      read_sparse(R"(, "num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 5)");
  ASSERT_TRUE(theirs) << describe(theirs.error());
  EXPECT_EQ(theirs->experts, ours->experts);
}

TEST(ExpertConfig, IsEmptyWhereTheArchitectureHasNone) {
  const auto config = read_sparse(R"(, "n_experts": 8)", "llama");
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->experts, ExpertConfig());
  EXPECT_FALSE(config->experts.in_layer(0));
}

TEST(ExpertConfig, RefusesNumbersThatCannotBeRight) {
  struct Case {
    const char* more;
    ErrorCode code;
    const char* path;
  };
  constexpr Case kCases[] = {
      {"", ErrorCode::NotFound, "config.n_experts"},
      {R"(, "n_experts": 0)", ErrorCode::BadValue, "config.n_experts"},
      {R"(, "n_experts": 4)", ErrorCode::NotFound, "config.n_experts_used"},
      {R"(, "n_experts": 4, "n_experts_used": 0)", ErrorCode::BadValue, "config.n_experts_used"},
      {R"(, "n_experts": 4, "num_experts_per_tok": 5)", ErrorCode::BadValue,
       "config.num_experts_per_tok"},
      {R"(, "n_experts": 1025, "n_experts_used": 2)", ErrorCode::LimitExceeded, "config.n_experts"},
      {R"(, "n_experts": 4, "n_experts_used": 2, "n_ff_expert": 0)", ErrorCode::BadValue,
       "config.n_ff_expert"},
      {R"(, "n_experts": 4, "n_experts_used": 2, "n_dense_layers": 4)", ErrorCode::BadValue,
       "config.n_dense_layers"},
      {R"(, "n_experts": 4, "n_experts_used": 2, "decoder_sparse_step": 2)", ErrorCode::Unsupported,
       "config.decoder_sparse_step"},
      {R"(, "n_experts": 4, "n_experts_used": 2, "mlp_only_layers": [1])", ErrorCode::Unsupported,
       "config.mlp_only_layers"}};
  for (const Case& wrong : kCases) {
    const Error error = refusal_of(wrong.more);
    EXPECT_EQ(error.code, wrong.code) << wrong.more << " " << describe(error);
    EXPECT_EQ(error.path, wrong.path) << wrong.more;
  }
}

TEST(ExpertConfig, LimitsTheExpertsOfAllLayers) {
  Model model;
  model.config = io::parse_json(
                     R"({"architecture": "mixtral", "n_vocab": 16, "n_embd": 8, "n_layers": 512,
                     "n_heads": 4, "n_ff": 12, "max_seq_len": 32, "n_experts": 1024,
                     "n_experts_used": 2})",
                     1000, "config")
                     .value();
  io::Diagnostics found;
  const auto config = decoder_config(model, found);
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().code, ErrorCode::LimitExceeded);
}

TEST(ExpertConfig, SaysWhichTensorsALayerHas) {
  auto config = read_sparse(R"(, "n_experts": 4, "n_experts_used": 2)");
  ASSERT_TRUE(config);
  size_t experts = 0;
  for (const DecoderTensor& tensor : decoder_tensors(*config)) {
    if (!is_expert_role(tensor.role)) continue;
    ++experts;
    EXPECT_LT(tensor.expert, 4U);
  }
  EXPECT_EQ(experts, 3U * 4 * 3);
  config->experts.first_layer = 2;
  EXPECT_FALSE(has_role(*config, DecoderRole::Router, 1));
  EXPECT_TRUE(has_role(*config, DecoderRole::Up, 1));
  EXPECT_TRUE(has_role(*config, DecoderRole::Router, 2));
  EXPECT_FALSE(has_role(*config, DecoderRole::Up, 2));
  config->experts.shared = true;
  EXPECT_TRUE(has_role(*config, DecoderRole::Up, 2));
}

TEST(ExpertConfig, NamesAMissingExpert) {
  const auto config = read_sparse(R"(, "n_experts": 2, "n_experts_used": 1)");
  ASSERT_TRUE(config);
  Model model;
  for (const DecoderTensor& tensor : decoder_tensors(*config)) {
    if (tensor.spec.name == "layers.1.mlp.experts.1.up_proj.weight") continue;
    model.tensors.push_back({.name = tensor.spec.name, .shape = tensor.spec.shape});
  }
  io::Diagnostics found;
  check_decoder_tensors(model, *config, found);
  ASSERT_EQ(found.errors.size(), 1U);
  EXPECT_EQ(found.errors[0].code, ErrorCode::NotFound);
  EXPECT_NE(describe(found.errors[0]).find("layers.1.mlp.experts.1.up_proj"), std::string::npos);
}

}  // namespace
}  // namespace ambry::model
