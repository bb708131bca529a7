// Logits against PyTorch in float64 (tests/reference/models/classification_heads.py).
#include "infer/encoder/head/classification_head.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "data_files.h"
#include "infer/encoder/synthetic_bert.h"
#include "infer/encoder/weight_slot.h"
#include "io/json/json.h"
#include "kernels/gemm/layout/packed_f32_matrix.h"

namespace ambry::infer {
namespace {

io::Json fixture(const std::string& name) {
  const auto path = ambry::testing::fixtures_folder() / "classification_heads" / name;
  return io::parse_json(*ambry::testing::read_text(path)).value();
}

uint64_t number(const io::Json& json, const char* key) { return json.find(key)->uint(); }

bool flag(const io::Json& json, const char* key, bool fallback) {
  const io::Json* value = json.find(key);
  return value == nullptr ? fallback : value->boolean();
}

std::vector<std::vector<uint32_t>> id_lists(const io::Json& json) {
  std::vector<std::vector<uint32_t>> lists;
  for (const io::Json& list : json.items()) {
    lists.emplace_back();
    for (const io::Json& id : list.items()) {
      lists.back().push_back(static_cast<uint32_t>(id.uint()));
    }
  }
  return lists;
}

// Values of a made-up tensor as the reference makes them.
std::vector<float> made_up(const std::string& name, size_t rows, size_t columns) {
  std::vector<float> values = hashed_uniform(name, rows * columns);
  const auto scale =
      columns == 1 ? 0.25F : static_cast<float>(2 / std::sqrt(static_cast<double>(columns)));
  for (float& value : values) {
    value *= scale;
    if (name.ends_with("norm.weight")) value += 1.0F;
  }
  return values;
}

PaddedVector padded(const std::vector<float>& values) {
  PaddedVector vector = zeros(values.size()).value();
  std::ranges::copy(values, vector.values.as<float>().begin());
  return vector;
}

DenseLayer layer(const std::string& name, size_t out, size_t in, bool bias) {
  DenseLayer made;
  const std::vector<float> weight = made_up(name + ".weight", out, in);
  made.linear.weight.f32 = kernels::PackedF32Matrix::pack({weight.data(), in, 1}, out, in).value();
  made.linear.bias = bias ? padded(made_up(name + ".bias", out, 1)) : zeros(out).value();
  return made;
}

Head head_of(const io::Json& facts, size_t width) {
  Head head;
  if (flag(facts, "mean", false)) head.pooling = model::HeadPooling::Mean;
  if (flag(facts, "late", false)) head.pooling = model::HeadPooling::Late;
  if (const io::Json* dense = facts.find("dense")) {
    head.dense = layer(dense->string(), width, width, flag(facts, "dense_bias", true));
    head.dense->activation = *model::dense_activation_by_name(facts.find("act")->string());
  }
  if (const io::Json* norm = facts.find("norm")) {
    head.norm = LayerNorm{padded(made_up(norm->string() + ".weight", width, 1)),
                          flag(facts, "norm_bias", true)
                              ? padded(made_up(norm->string() + ".bias", width, 1))
                              : zeros(width).value()};
  }
  head.classifier = layer(facts.find("classifier")->string(),
                          static_cast<size_t>(number(facts, "labels")), width, true);
  return head;
}

void expect_near(const std::vector<float>& logits, const io::Json& expected, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(logits.size(), expected.items().size()) << what;
  for (size_t i = 0; i < logits.size(); ++i) {
    EXPECT_NEAR(logits[i], expected.items()[i].number(), tolerance) << what << " label " << i;
  }
}

TEST(ClassificationHead, GivesTheLogitsOfEachKindOfHead) {
  const io::Json json = fixture("heads.json");
  const auto width = static_cast<size_t>(number(json, "width"));
  const auto eps = static_cast<float>(json.find("eps")->number());
  ASSERT_GE(json.find("heads")->members().size(), 8U);
  for (const auto& [name, facts] : json.find("heads")->members()) {
    const Head head = head_of(facts, width);
    const auto& lengths = json.find("lengths")->items();
    for (size_t i = 0; i < lengths.size(); ++i) {
      const auto n = static_cast<size_t>(lengths[i].uint());
      const std::vector<float> hidden = hashed_uniform("hidden." + std::to_string(n), n * width);
      expect_near(classify(head, hidden, width, eps), facts.find("logits")->items()[i], 1e-5,
                  name + " over " + std::to_string(n));
    }
  }
}

// A whole encoder with a head, over pairs of texts.
class WholeModel : public ::testing::TestWithParam<const char*> {
 protected:
  static model::EncoderConfig config(const io::Json& sizes, size_t n_labels) {
    const auto size = [&](const char* key) { return static_cast<uint32_t>(number(sizes, key)); };
    model::EncoderConfig config;
    config.vocab_size = size("vocab_size");
    config.hidden_size = size("hidden_size");
    config.num_layers = size("num_layers");
    config.num_heads = size("num_heads");
    config.intermediate_size = size("intermediate_size");
    config.max_positions = size("max_positions");
    model::HeadConfig& head = config.head.emplace();
    head.labels.resize(n_labels);
    head.dense_size = config.hidden_size;
    head.dense_bias = true;
    head.classifier_bias = true;
    return config;
  }
};

TEST_P(WholeModel, GivesTheLogitsOfPairs) {
  const io::Json json = fixture("bert.json");
  const io::Json& facts = *json.find("cases")->find(GetParam());
  const bool int8 = flag(facts, "int8", false);
  const SyntheticBert bert(
      config(*json.find("config"), static_cast<size_t>(number(facts, "labels"))),
      int8 ? SyntheticStorage::Int8 : SyntheticStorage::F32);
  // F32 widens int8 weights exactly, as the reference does.
  const Encoder encoder = bert.build(WeightStorage::F32).value();
  const auto ids = id_lists(*facts.find("ids"));
  const auto types = id_lists(*facts.find("type_ids"));
  std::vector<Sequence> batch;
  size_t n_tokens = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    batch.push_back({ids[i], types[i]});
    n_tokens += ids[i].size();
  }
  const size_t width = encoder.hidden_size();
  std::vector<float> hidden(n_tokens * width);
  ASSERT_TRUE(encoder.run(batch, hidden));
  std::vector<float> first_rows(hidden.size());
  ASSERT_TRUE(encoder.run_first(batch, first_rows));
  size_t first = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    const size_t n_values = ids[i].size() * width;
    for (size_t j = 0; j < width; ++j) {
      EXPECT_NEAR(first_rows[i * width + j], hidden[first + j], 1e-6) << "pair " << i;
    }
    expect_near(encoder.classify(std::span(hidden).subspan(first, n_values)),
                facts.find("logits")->items()[i], 1e-5, "pair " + std::to_string(i));
    first += n_values;
  }
}

INSTANTIATE_TEST_SUITE_P(Heads, WholeModel, ::testing::Values("reranker", "three_labels", "int8"));

TEST(ClassificationHead, StaysInFloatsWhereTheModelIsQuantized) {
  model::EncoderConfig config;
  config.vocab_size = 20;
  config.hidden_size = 8;
  config.num_layers = 1;
  config.num_heads = 2;
  config.intermediate_size = 16;
  config.max_positions = 4;
  config.head.emplace().labels = {"no", "yes"};
  config.head->dense_size = 8;
  const Encoder encoder = SyntheticBert(config).build(WeightStorage::Int8).value();
  EXPECT_TRUE(encoder.weights().layers[0].query.weight.is_int8());
  EXPECT_FALSE(encoder.weights().head->dense->linear.weight.is_int8());
  EXPECT_FALSE(encoder.weights().head->classifier.linear.weight.is_int8());
}

}  // namespace
}  // namespace ambry::infer
