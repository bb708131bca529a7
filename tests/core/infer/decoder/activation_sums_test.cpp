#include "infer/decoder/steps/activation_sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "infer/decoder/synthetic_decoder.h"

namespace ambry::infer {
namespace {

using model::DecoderActivations;
using testing::DecoderRun;
using testing::SyntheticDecoder;
using Ids = std::vector<uint32_t>;
using Numbers = std::vector<double>;

constexpr const char* kObservedLayer = R"({"architecture": "llama", "n_vocab": 23, "n_embd": 12,
    "n_layers": 1, "n_heads": 3, "n_kv_heads": 1, "n_ff": 17, "max_seq_len": 8})";
constexpr const char* kObservedLayers = R"({"architecture": "llama", "n_vocab": 23, "n_embd": 12,
    "n_layers": 3, "n_heads": 3, "n_kv_heads": 1, "n_ff": 17, "max_seq_len": 200})";

Ids observed_ids(size_t count) {
  Ids ids(count);
  for (size_t i = 0; i < count; ++i) ids[i] = static_cast<uint32_t>(i * i + 5) % 23;
  return ids;
}

// The model in doubles for a single token: attention over one token returns its value.
class ByHand {
 public:
  explicit ByHand(const SyntheticDecoder& made) : made_(made) {}

  [[nodiscard]] Numbers tensor(const std::string& name) const {
    const auto& bytes = made_.bytes[made_.find(name + ".weight")];
    std::vector<float> floats(bytes.size() / sizeof(float));
    std::memcpy(floats.data(), bytes.data(), bytes.size());
    return {floats.begin(), floats.end()};
  }
  [[nodiscard]] Numbers row(const std::string& name, size_t row, size_t n) const {
    const Numbers all = tensor(name);
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(row * n);
    return {begin, begin + static_cast<std::ptrdiff_t>(n)};
  }
  [[nodiscard]] Numbers times(const std::string& name, const Numbers& x) const {
    const Numbers matrix = tensor(name);
    Numbers y(matrix.size() / x.size());
    for (size_t i = 0; i < matrix.size(); ++i) y[i / x.size()] += matrix[i] * x[i % x.size()];
    return y;
  }
  [[nodiscard]] Numbers normed(const std::string& name, const Numbers& x) const {
    const Numbers weight = tensor(name);
    double squares = 0;
    for (const double v : x) squares += v * v;
    const double scale = 1 / std::sqrt(squares / static_cast<double>(x.size()) + 1e-5);
    Numbers y(x.size());
    for (size_t i = 0; i < x.size(); ++i) y[i] = x[i] * scale * weight[i];
    return y;
  }

 private:
  const SyntheticDecoder& made_;
};

Numbers sum_of_numbers(Numbers a, const Numbers& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

void expect_squares(std::span<const float> means, const Numbers& input) {
  ASSERT_EQ(means.size(), input.size());
  for (size_t i = 0; i < input.size(); ++i) {
    const double square = input[i] * input[i];
    EXPECT_NEAR(static_cast<double>(means[i]), square, 1e-6 + square * 1e-4) << i;
  }
}

DecoderActivations observed_by(const SyntheticDecoder& made, const std::vector<Ids>& passes,
                               const DecoderOptions& options = {
                                   .activations = kernels::ActivationPrecision::F32}) {
  Decoder decoder = made.build(options);
  ActivationSums sums(decoder.config());
  DecoderRun run(decoder, made.tensor_bytes());
  run.pass().observe(sums);
  for (const Ids& ids : passes) EXPECT_TRUE(run.feed(ids));
  auto means = sums.means();
  EXPECT_TRUE(means);
  return *std::move(means);
}

void expect_same_activations(const DecoderActivations& a, const DecoderActivations& b) {
  ASSERT_EQ(a.layers.size(), b.layers.size());
  for (size_t i = 0; i < a.layers.size(); ++i) {
    EXPECT_EQ(a.layers[i].attention, b.layers[i].attention);
    EXPECT_EQ(a.layers[i].context, b.layers[i].context);
    EXPECT_EQ(a.layers[i].mlp, b.layers[i].mlp);
    EXPECT_EQ(a.layers[i].mlp_hidden, b.layers[i].mlp_hidden);
  }
  EXPECT_EQ(a.output, b.output);
  EXPECT_EQ(a.tokens, b.tokens);
}

TEST(ActivationSums, AreTheSquaresOfEveryMatrixInput) {
  const SyntheticDecoder made = SyntheticDecoder::make(kObservedLayer);
  const ByHand model(made);
  const DecoderActivations seen = observed_by(made, {{7}});
  const Numbers embedded = model.row("embed_tokens", 7, 12);
  const Numbers attention = model.normed("layers.0.input_layernorm", embedded);
  const Numbers value = model.times("layers.0.self_attn.v_proj", attention);
  Numbers context;  // all three heads use the one key-value head
  for (int head = 0; head < 3; ++head) context.insert(context.end(), value.begin(), value.end());
  const Numbers attended =
      sum_of_numbers(embedded, model.times("layers.0.self_attn.o_proj", context));
  const Numbers mlp = model.normed("layers.0.post_attention_layernorm", attended);
  Numbers wide = model.times("layers.0.mlp.gate_proj", mlp);
  const Numbers up = model.times("layers.0.mlp.up_proj", mlp);
  for (size_t i = 0; i < wide.size(); ++i) wide[i] *= up[i] / (1 + std::exp(-wide[i]));
  const Numbers hidden = sum_of_numbers(attended, model.times("layers.0.mlp.down_proj", wide));
  ASSERT_EQ(seen.layers.size(), 1U);
  expect_squares(seen.layers[0].attention, attention);
  expect_squares(seen.layers[0].context, context);
  expect_squares(seen.layers[0].mlp, mlp);
  expect_squares(seen.layers[0].mlp_hidden, wide);
  expect_squares(seen.output, model.normed("norm", hidden));
}

TEST(ActivationSums, AreMeansOverTheTokens) {
  const SyntheticDecoder made = SyntheticDecoder::make(kObservedLayer);
  const ByHand model(made);
  const Ids ids = {7, 3, 7, 1};
  Numbers expected(12);
  for (const uint32_t id : ids) {
    const Numbers row = model.normed("layers.0.input_layernorm", model.row("embed_tokens", id, 12));
    for (size_t i = 0; i < row.size(); ++i) expected[i] += row[i] * row[i] / 4;
  }
  const DecoderActivations seen = observed_by(made, {ids});
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(seen.layers[0].attention[i]), expected[i], 1e-5);
  }
  // As if each of the 23 tokens had occurred once more.
  EXPECT_FLOAT_EQ(seen.tokens[7], 3.0F / 27);
  EXPECT_FLOAT_EQ(seen.tokens[1], 2.0F / 27);
  EXPECT_FLOAT_EQ(seen.tokens[2], 1.0F / 27);
  EXPECT_TRUE(seen.positions.empty());
}

TEST(ActivationSums, DoNotDependOnTheBatches) {
  const SyntheticDecoder made = SyntheticDecoder::make(kObservedLayers);
  const Ids ids = observed_ids(100);  // more than go through a layer at a time
  std::vector<Ids> one_by_one;
  for (const uint32_t id : ids) one_by_one.push_back({id});
  const DecoderActivations whole = observed_by(made, {ids});
  expect_same_activations(whole, observed_by(made, one_by_one));
  const auto built = made.build();
  const uint64_t most = built.weight_bytes() * 2 / 3;
  expect_same_activations(
      whole, observed_by(made, {ids},
                         {.resident = most, .activations = kernels::ActivationPrecision::F32}));
}

TEST(ActivationSums, AreAsWideAsEachLayer) {
  const SyntheticDecoder made = SyntheticDecoder::read("gemma4");
  const DecoderActivations seen = observed_by(made, {observed_ids(9)});
  ASSERT_EQ(seen.layers.size(), 7U);
  EXPECT_EQ(seen.layers[0].context.size(), 60U);
  EXPECT_EQ(seen.layers[2].context.size(), 96U);
  EXPECT_EQ(seen.layers[4].mlp_hidden.size(), 53U);
  EXPECT_EQ(seen.layers[5].mlp_hidden.size(), 106U);
}

TEST(ActivationSums, CountLearnedPositions) {
  const SyntheticDecoder made = SyntheticDecoder::make(R"({"architecture": "gpt2", "n_vocab": 23,
      "n_embd": 12, "n_layers": 2, "n_heads": 3, "n_ff": 17, "max_seq_len": 9})");
  const DecoderActivations seen = observed_by(made, {observed_ids(3), observed_ids(2)});
  ASSERT_EQ(seen.positions.size(), 9U);
  for (size_t i = 0; i < 9; ++i) {
    EXPECT_FLOAT_EQ(seen.positions[i], (i < 5 ? 2.0F : 1.0F) / 14);
  }
}

// Gemma scales its embeddings, and so their errors.
TEST(ActivationSums, ScaleWithTheEmbeddings) {
  const SyntheticDecoder made = SyntheticDecoder::make(R"({"architecture": "gemma", "n_vocab": 23,
      "n_embd": 12, "n_layers": 1, "n_heads": 3, "n_kv_heads": 1, "head_dim": 4, "n_ff": 17,
      "max_seq_len": 8})");
  const DecoderActivations seen = observed_by(made, {{7}});
  EXPECT_FLOAT_EQ(seen.tokens[7], 12 * 2.0F / 24);
}

TEST(ActivationSums, RequireAToken) {
  const SyntheticDecoder made = SyntheticDecoder::make(kObservedLayer);
  const auto none = ActivationSums(made.config()).means();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::BadValue);
  EXPECT_EQ(none.error().path, "calibration");
}

}  // namespace
}  // namespace ambry::infer
