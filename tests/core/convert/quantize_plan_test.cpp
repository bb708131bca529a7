// What the errors of each matrix are weighed by.
#include "convert/quantize_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ambry::convert {
namespace {

using model::DecoderActivations;
using tensor::DType;

constexpr uint32_t kWidth = 64;
constexpr uint32_t kInner = 128;
constexpr uint32_t kTokens = 8;
constexpr uint32_t kPositions = 16;

// Means that tell inputs apart: `first`, `first` + 1, ….
std::vector<float> means(size_t n, float first) {
  std::vector<float> numbers(n);
  for (size_t i = 0; i < n; ++i) numbers[i] = first + static_cast<float>(i);
  return numbers;
}

DecoderActivations activations() {
  DecoderActivations seen;
  seen.layers = {{means(kWidth, 1000), means(kWidth, 2000), means(kWidth, 3000),  //
                  means(kInner, 4000)}};
  seen.output = means(kWidth, 5000);
  seen.tokens = means(kTokens, 6000);
  seen.positions = means(kPositions, 7000);
  return seen;
}

Plan plan_of(const char* config, model::LinearLayout layout,
             const std::vector<std::pair<std::string, tensor::Shape>>& tensors) {
  Plan plan;
  plan.target.config = *io::parse_json(config);
  plan.target.linear_layout = layout;
  for (const auto& [name, shape] : tensors) {
    model::TensorEntry entry;
    entry.name = name;
    entry.shape = shape;
    Output output;
    output.inputs = {{entry}};
    add_output(plan, std::move(entry), std::move(output));
  }
  return plan;
}

Plan llama(bool tied) {
  const std::string layer = "model.layers.0.";
  std::vector<std::pair<std::string, tensor::Shape>> tensors = {
      {"model.embed_tokens.weight", {kTokens, kWidth}},
      {layer + "input_layernorm.weight", {kWidth}},
      {layer + "self_attn.q_proj.weight", {kWidth, kWidth}},
      {layer + "self_attn.k_proj.weight", {kWidth, kWidth}},
      {layer + "self_attn.v_proj.weight", {kWidth, kWidth}},
      {layer + "self_attn.o_proj.weight", {kWidth, kWidth}},
      {layer + "post_attention_layernorm.weight", {kWidth}},
      {layer + "mlp.gate_proj.weight", {kInner, kWidth}},
      {layer + "mlp.up_proj.weight", {kInner, kWidth}},
      {layer + "mlp.down_proj.weight", {kWidth, kInner}},
      {"model.norm.weight", {kWidth}}};
  if (!tied) tensors.push_back({"lm_head.weight", {kTokens, kWidth}});
  return plan_of(R"({"architecture":"llama","n_vocab":8,"n_embd":64,"n_layers":1,"n_heads":2})",
                 model::LinearLayout::OutIn, tensors);
}

Plan gpt2() {
  return plan_of(R"({"architecture":"gpt2","n_vocab":8,"n_embd":64,"n_layers":1,"n_heads":2})",
                 model::LinearLayout::InOut,
                 {{"wte.weight", {kTokens, kWidth}},
                  {"wpe.weight", {kPositions, kWidth}},
                  {"h.0.attn.c_attn.weight", {kWidth, 3 * kWidth}},
                  {"h.0.attn.c_attn.bias", {3 * kWidth}},
                  {"h.0.attn.c_proj.weight", {kWidth, kWidth}},
                  {"h.0.mlp.c_fc.weight", {kWidth, kInner}},
                  {"h.0.mlp.c_proj.weight", {kInner, kWidth}}});
}

Result<void> weigh(Plan& plan, const QuantizeOptions& options) {
  return quantize_plan(plan, DType::Adaptive, options);
}

QuantizeOptions weighed_by(DecoderActivations seen) {
  QuantizeOptions options;
  options.type = "adaptive";
  options.activations = std::make_shared<const DecoderActivations>(std::move(seen));
  return options;
}

// The first weight of its columns and of its rows; 0 for none.
using Firsts = std::pair<float, float>;

Firsts firsts(const Plan& plan, std::string_view name) {
  const auto& tensors = plan.target.tensors;
  const auto found = std::ranges::find(tensors, name, &model::TensorEntry::name);
  EXPECT_NE(found, tensors.end()) << name;
  const auto& [columns, rows] =
      plan.outputs[static_cast<size_t>(found - tensors.begin())].adaptive.weights;
  return {columns.empty() ? 0 : columns[0], rows.empty() ? 0 : rows[0]};
}

TEST(QuantizePlan, WeighsColumnsByWhatTheyMeet) {
  Plan plan = llama(false);
  const QuantizeOptions options = weighed_by(activations());
  ASSERT_TRUE(weigh(plan, options));
  const std::string layer = "model.layers.0.";
  for (const char* name : {"q_proj", "k_proj", "v_proj"}) {
    EXPECT_EQ(firsts(plan, layer + "self_attn." + name + ".weight"), Firsts(1000, 0)) << name;
  }
  EXPECT_EQ(firsts(plan, layer + "self_attn.o_proj.weight"), Firsts(2000, 0));
  EXPECT_EQ(firsts(plan, layer + "mlp.gate_proj.weight"), Firsts(3000, 0));
  EXPECT_EQ(firsts(plan, layer + "mlp.up_proj.weight"), Firsts(3000, 0));
  EXPECT_EQ(firsts(plan, layer + "mlp.down_proj.weight"), Firsts(4000, 0));
  EXPECT_EQ(firsts(plan, "lm_head.weight"), Firsts(5000, 0));
  EXPECT_EQ(firsts(plan, "model.embed_tokens.weight"), Firsts(0, 6000));
  EXPECT_EQ(firsts(plan, "model.norm.weight"), Firsts(0, 0));
}

TEST(QuantizePlan, WeighsAnEmbeddingThatIsTheOutputAsBoth) {
  Plan plan = llama(true);
  const QuantizeOptions options = weighed_by(activations());
  ASSERT_TRUE(weigh(plan, options));
  EXPECT_EQ(firsts(plan, "model.embed_tokens.weight"), Firsts(5000, 6000));
}

TEST(QuantizePlan, WeighsRowsWhereMatricesAreStoredTurned) {
  Plan plan = gpt2();
  const QuantizeOptions options = weighed_by(activations());
  const auto weighed = weigh(plan, options);
  ASSERT_TRUE(weighed) << describe(weighed.error());
  EXPECT_EQ(firsts(plan, "h.0.attn.c_attn.weight"), Firsts(0, 1000));
  EXPECT_EQ(firsts(plan, "h.0.attn.c_proj.weight"), Firsts(0, 2000));
  EXPECT_EQ(firsts(plan, "h.0.mlp.c_fc.weight"), Firsts(0, 3000));
  EXPECT_EQ(firsts(plan, "h.0.mlp.c_proj.weight"), Firsts(0, 4000));
  EXPECT_EQ(firsts(plan, "wte.weight"), Firsts(5000, 6000));
  EXPECT_EQ(firsts(plan, "wpe.weight"), Firsts(0, 7000));
}

TEST(QuantizePlan, WithoutActivationsAllErrorsCountTheSame) {
  Plan plan = llama(false);
  QuantizeOptions options;
  options.type = "adaptive";
  ASSERT_TRUE(weigh(plan, options));
  for (const Output& output : plan.outputs) EXPECT_TRUE(output.adaptive.weights.empty());
}

TEST(QuantizePlan, RefusesTheActivationsOfAnotherModel) {
  const auto refused = [](const std::function<void(DecoderActivations&)>& change, Plan plan) {
    DecoderActivations seen = activations();
    change(seen);
    const auto weighed = weigh(plan, weighed_by(std::move(seen)));
    EXPECT_FALSE(weighed);
    return weighed ? Error() : weighed.error();
  };
  const Error wide = refused([](auto& seen) { seen.layers[0].wide.pop_back(); }, llama(false));
  EXPECT_EQ(wide.code, ErrorCode::Mismatch);
  EXPECT_EQ(wide.path, "options.calibration");
  EXPECT_NE(wide.message.find("model.layers.0.mlp.down_proj.weight [64, 128]"), std::string::npos);
  EXPECT_EQ(refused([](auto& seen) { seen.layers.clear(); }, llama(false)).code,
            ErrorCode::Mismatch);
  EXPECT_EQ(refused([](auto& seen) { seen.layers[0].wide.pop_back(); }, gpt2()).code,
            ErrorCode::Mismatch);
}

TEST(QuantizePlan, WantsToKnowWhatTensorsAreFor) {
  Plan plan = llama(false);
  plan.target.config = io::Json::object();
  const auto weighed = weigh(plan, weighed_by(activations()));
  ASSERT_FALSE(weighed);
  EXPECT_EQ(weighed.error().code, ErrorCode::NotFound);
  EXPECT_NE(weighed.error().message.find("what its tensors are for is not known"),
            std::string::npos);
}

}  // namespace
}  // namespace ambry::convert
