// What the errors of each matrix are weighed by.
#include "convert/quantize/quantize_plan.h"

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

constexpr uint32_t kPlanWidth = 64;
constexpr uint32_t kPlanInner = 128;
constexpr uint32_t kPlanTokens = 8;
constexpr uint32_t kPlanPositions = 16;

// Means that tell inputs apart: `first`, `first` + 1, ….
std::vector<float> means_from(size_t n, float first) {
  std::vector<float> numbers(n);
  for (size_t i = 0; i < n; ++i) numbers[i] = first + static_cast<float>(i);
  return numbers;
}

DecoderActivations made_up_activations() {
  DecoderActivations seen;
  seen.layers = {{means_from(kPlanWidth, 1000), means_from(kPlanWidth, 2000),
                  means_from(kPlanWidth, 3000),  //
                  means_from(kPlanInner, 4000)}};
  seen.output = means_from(kPlanWidth, 5000);
  seen.tokens = means_from(kPlanTokens, 6000);
  seen.positions = means_from(kPlanPositions, 7000);
  return seen;
}

Plan plan_with(const char* config, model::LinearLayout layout,
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

Plan llama_plan(bool tied) {
  const std::string layer = "model.layers.0.";
  std::vector<std::pair<std::string, tensor::Shape>> tensors = {
      {"model.embed_tokens.weight", {kPlanTokens, kPlanWidth}},
      {layer + "input_layernorm.weight", {kPlanWidth}},
      {layer + "self_attn.q_proj.weight", {kPlanWidth, kPlanWidth}},
      {layer + "self_attn.k_proj.weight", {kPlanWidth, kPlanWidth}},
      {layer + "self_attn.v_proj.weight", {kPlanWidth, kPlanWidth}},
      {layer + "self_attn.o_proj.weight", {kPlanWidth, kPlanWidth}},
      {layer + "post_attention_layernorm.weight", {kPlanWidth}},
      {layer + "mlp.gate_proj.weight", {kPlanInner, kPlanWidth}},
      {layer + "mlp.up_proj.weight", {kPlanInner, kPlanWidth}},
      {layer + "mlp.down_proj.weight", {kPlanWidth, kPlanInner}},
      {"model.norm.weight", {kPlanWidth}}};
  if (!tied) tensors.push_back({"lm_head.weight", {kPlanTokens, kPlanWidth}});
  return plan_with(R"({"architecture":"llama","n_vocab":8,"n_embd":64,"n_layers":1,"n_heads":2})",
                   model::LinearLayout::OutIn, tensors);
}

Plan gpt2_plan() {
  return plan_with(R"({"architecture":"gpt2","n_vocab":8,"n_embd":64,"n_layers":1,"n_heads":2})",
                   model::LinearLayout::InOut,
                   {{"wte.weight", {kPlanTokens, kPlanWidth}},
                    {"wpe.weight", {kPlanPositions, kPlanWidth}},
                    {"h.0.attn.c_attn.weight", {kPlanWidth, 3 * kPlanWidth}},
                    {"h.0.attn.c_attn.bias", {3 * kPlanWidth}},
                    {"h.0.attn.c_proj.weight", {kPlanWidth, kPlanWidth}},
                    {"h.0.mlp.c_fc.weight", {kPlanWidth, kPlanInner}},
                    {"h.0.mlp.c_proj.weight", {kPlanInner, kPlanWidth}}});
}

Result<void> weigh_plan(Plan& plan, const QuantizeOptions& options) {
  return quantize_plan(plan, DType::Adaptive, options);
}

QuantizeOptions weighed_by(DecoderActivations seen) {
  QuantizeOptions options;
  options.type = "adaptive";
  options.activations = std::make_shared<const DecoderActivations>(std::move(seen));
  return options;
}

// The first weight of its columns and of its rows; 0 for none.
using FirstWeights = std::pair<float, float>;

FirstWeights first_weights(const Plan& plan, std::string_view name) {
  const auto& tensors = plan.target.tensors;
  const auto found = std::ranges::find(tensors, name, &model::TensorEntry::name);
  EXPECT_NE(found, tensors.end()) << name;
  const auto& [columns, rows, unit] =
      plan.outputs[static_cast<size_t>(found - tensors.begin())].adaptive.weights;
  return {columns.empty() ? 0 : columns[0], rows.empty() ? 0 : rows[0]};
}

TEST(QuantizePlan, WeightsColumnsByTheirActivations) {
  Plan plan = llama_plan(false);
  const QuantizeOptions options = weighed_by(made_up_activations());
  ASSERT_TRUE(weigh_plan(plan, options));
  const std::string layer = "model.layers.0.";
  for (const char* name : {"q_proj", "k_proj", "v_proj"}) {
    EXPECT_EQ(first_weights(plan, layer + "self_attn." + name + ".weight"), FirstWeights(1000, 0))
        << name;
  }
  EXPECT_EQ(first_weights(plan, layer + "self_attn.o_proj.weight"), FirstWeights(2000, 0));
  EXPECT_EQ(first_weights(plan, layer + "mlp.gate_proj.weight"), FirstWeights(3000, 0));
  EXPECT_EQ(first_weights(plan, layer + "mlp.up_proj.weight"), FirstWeights(3000, 0));
  EXPECT_EQ(first_weights(plan, layer + "mlp.down_proj.weight"), FirstWeights(4000, 0));
  EXPECT_EQ(first_weights(plan, "lm_head.weight"), FirstWeights(5000, 0));
  EXPECT_EQ(first_weights(plan, "model.embed_tokens.weight"), FirstWeights(0, 6000));
  EXPECT_EQ(first_weights(plan, "model.norm.weight"), FirstWeights(0, 0));
}

TEST(QuantizePlan, WeightsATiedEmbeddingByRowsAndColumns) {
  Plan plan = llama_plan(true);
  const QuantizeOptions options = weighed_by(made_up_activations());
  ASSERT_TRUE(weigh_plan(plan, options));
  EXPECT_EQ(first_weights(plan, "model.embed_tokens.weight"), FirstWeights(5000, 6000));
}

TEST(QuantizePlan, WeightsRowsOfTransposedMatrices) {
  Plan plan = gpt2_plan();
  const QuantizeOptions options = weighed_by(made_up_activations());
  const auto weighed = weigh_plan(plan, options);
  ASSERT_TRUE(weighed) << describe(weighed.error());
  EXPECT_EQ(first_weights(plan, "h.0.attn.c_attn.weight"), FirstWeights(0, 1000));
  EXPECT_EQ(first_weights(plan, "h.0.attn.c_proj.weight"), FirstWeights(0, 2000));
  EXPECT_EQ(first_weights(plan, "h.0.mlp.c_fc.weight"), FirstWeights(0, 3000));
  EXPECT_EQ(first_weights(plan, "h.0.mlp.c_proj.weight"), FirstWeights(0, 4000));
  EXPECT_EQ(first_weights(plan, "wte.weight"), FirstWeights(5000, 6000));
  EXPECT_EQ(first_weights(plan, "wpe.weight"), FirstWeights(0, 7000));
}

// Nothing counts what the inputs of a layer are multiplied with.
TEST(QuantizePlan, WeighsNoTensorsOfTheInputsOfLayers) {
  const std::string layer = "model.layers.0.";
  Plan plan = plan_with(R"({"architecture":"gemma4","n_vocab":8,"n_embd":64,"n_layers":1,
                            "n_heads":2,"n_embd_per_layer":32,"n_vocab_per_layer":8})",
                        model::LinearLayout::OutIn,
                        {{"model.embed_tokens.weight", {kPlanTokens, kPlanWidth}},
                         {"model.embed_tokens_per_layer.weight", {kPlanTokens, 32}},
                         {"model.per_layer_model_projection.weight", {32, kPlanWidth}},
                         {layer + "mlp.up_proj.weight", {kPlanInner, kPlanWidth}},
                         {layer + "per_layer_input_gate.weight", {32, kPlanWidth}},
                         {layer + "per_layer_projection.weight", {kPlanWidth, 32}}});
  QuantizeOptions options = weighed_by(made_up_activations());
  options.keep_embeddings = true;
  const auto weighed = weigh_plan(plan, options);
  ASSERT_TRUE(weighed) << describe(weighed.error());
  EXPECT_EQ(first_weights(plan, layer + "mlp.up_proj.weight"), FirstWeights(3000, 0));
  EXPECT_EQ(first_weights(plan, layer + "per_layer_input_gate.weight"), FirstWeights(0, 0));
  EXPECT_EQ(plan.target.tensors[1].dtype, DType::F32);
  EXPECT_EQ(plan.target.tensors[4].dtype, DType::Adaptive);
}

// However large the inputs of its layer are.
TEST(QuantizePlan, GivesEachTensorAMeanWeightOfOne) {
  for (const bool tied : {false, true}) {
    Plan plan = llama_plan(tied);
    const QuantizeOptions options = weighed_by(made_up_activations());
    ASSERT_TRUE(weigh_plan(plan, options));
    size_t n_weighed = 0;
    for (const Output& output : plan.outputs) {
      const auto& [columns, rows, unit] = output.adaptive.weights;
      if (columns.empty() && rows.empty()) continue;
      const auto mean = [](std::span<const float> weights) {
        double sum = 0;
        for (const float weight : weights) sum += static_cast<double>(weight);
        return weights.empty() ? 0 : sum / static_cast<double>(weights.size());
      };
      EXPECT_NEAR(unit * (mean(columns) + mean(rows)), 1, 1e-9);
      ++n_weighed;
    }
    EXPECT_EQ(n_weighed, tied ? 8U : 9U);
  }
}

TEST(QuantizePlan, WithoutActivationsAllErrorsCountTheSame) {
  Plan plan = llama_plan(false);
  QuantizeOptions options;
  options.type = "adaptive";
  ASSERT_TRUE(weigh_plan(plan, options));
  for (const Output& output : plan.outputs) EXPECT_TRUE(output.adaptive.weights.empty());
}

TEST(QuantizePlan, RefusesTheActivationsOfAnotherModel) {
  const auto refused = [](const std::function<void(DecoderActivations&)>& change, Plan plan) {
    DecoderActivations seen = made_up_activations();
    change(seen);
    const auto weighed = weigh_plan(plan, weighed_by(std::move(seen)));
    EXPECT_FALSE(weighed);
    return weighed ? Error() : weighed.error();
  };
  const Error wide =
      refused([](auto& seen) { seen.layers[0].mlp_hidden.pop_back(); }, llama_plan(false));
  EXPECT_EQ(wide.code, ErrorCode::Mismatch);
  EXPECT_EQ(wide.path, "options.calibration");
  EXPECT_NE(wide.message.find("model.layers.0.mlp.down_proj.weight [64, 128]"), std::string::npos);
  EXPECT_EQ(refused([](auto& seen) { seen.layers.clear(); }, llama_plan(false)).code,
            ErrorCode::Mismatch);
  EXPECT_EQ(refused([](auto& seen) { seen.layers[0].mlp_hidden.pop_back(); }, gpt2_plan()).code,
            ErrorCode::Mismatch);
}

TEST(QuantizePlan, NeedsTheRolesOfTensors) {
  Plan plan = llama_plan(false);
  plan.target.config = io::Json::object();
  const auto weighed = weigh_plan(plan, weighed_by(made_up_activations()));
  ASSERT_FALSE(weighed);
  EXPECT_EQ(weighed.error().code, ErrorCode::NotFound);
  EXPECT_NE(weighed.error().message.find("what its tensors are for is not known"),
            std::string::npos);
}

}  // namespace
}  // namespace ambry::convert
