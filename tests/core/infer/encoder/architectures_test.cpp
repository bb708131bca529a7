// Compares every architecture on every instruction set with PyTorch in float64
// (tests/reference/models/encoder_architectures.py): one text at a time, all texts as a batch, and
// with int8 weights.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "infer/encoder/architecture_case.h"
#include "infer/encoder/encoder_pass.h"
#include "simd/all_isas.h"

namespace ambry::infer {
namespace {

struct Built {
  ArchitectureCase of;
  Encoder encoder;

  static const Built& get(const std::string& name, WeightStorage storage) {
    static std::map<std::pair<std::string, WeightStorage>, Built> made;
    const std::pair key(name, storage);
    if (const auto found = made.find(key); found != made.end()) return found->second;
    ArchitectureCase read = ArchitectureCase::read(name);
    Result<Encoder> encoder = read.build(storage);
    EXPECT_TRUE(encoder) << name << ": " << describe(encoder.error());
    return made.emplace(key, Built{std::move(read), std::move(encoder).value()}).first->second;
  }
};

std::vector<float> hidden_states(const Encoder& encoder, std::span<const Sequence> batch,
                                 EncoderPass pass) {
  size_t n_tokens = 0;
  for (const Sequence& sequence : batch) n_tokens += sequence.ids.size();
  std::vector<float> hidden(n_tokens * encoder.hidden_size());
  EncoderScratch scratch;
  EXPECT_TRUE(pass(encoder.weights(), scratch, batch, false, hidden));
  return hidden;
}

std::vector<Sequence> sequences_of(const ArchitectureCase& of) {
  std::vector<Sequence> batch;
  for (const ArchitectureText& text : of.texts) batch.push_back(text.sequence());
  return batch;
}

double mean_of(std::span<const float> hidden, size_t width, size_t column) {
  double sum = 0;
  for (size_t at = column; at < hidden.size(); at += width) sum += double{hidden[at]};
  return sum / static_cast<double>(hidden.size() / width);
}

void expect_states(const ArchitectureText& text, std::span<const float> hidden,
                   const std::string& name) {
  const size_t width = text.mean.size();
  ASSERT_EQ(hidden.size(), text.ids.size() * width);
  double worst = 0;
  for (size_t i = 0; i < text.rows.size(); ++i) {
    for (size_t j = 0; j < width; ++j) {
      worst =
          std::max(worst, std::abs(double{hidden[text.rows[i] * width + j]} - text.states[i][j]));
    }
  }
  for (size_t j = 0; j < width; ++j) {
    worst = std::max(worst, std::abs(mean_of(hidden, width, j) - text.mean[j]));
  }
  EXPECT_LE(worst, 1e-5) << name << ", " << text.ids.size() << " tokens";
}

class EncoderArchitectures : public ::testing::TestWithParam<std::string> {};

template <class V>
void expect_reference(const std::string& name, EncoderPass pass) {
  const Built& built = Built::get(name, WeightStorage::F32);
  const std::vector<Sequence> batch = sequences_of(built.of);
  const std::vector<float> together = hidden_states(built.encoder, batch, pass);
  size_t at = 0;
  for (const ArchitectureText& text : built.of.texts) {
    const Sequence sequence = text.sequence();
    const std::vector<float> alone = hidden_states(built.encoder, {&sequence, 1}, pass);
    expect_states(text, alone, name + " on " + V::kName);
    const std::span<const float> part = std::span(together).subspan(at, alone.size());
    EXPECT_TRUE(std::ranges::equal(alone, part)) << name << ": a batch changes a result";
    at += alone.size();
  }
}

template <class... V>
void expect_reference_on(simd::IsaList<V...>, const std::string& name) {
  (expect_reference<V>(name, &encode<V, GeneralParts>), ...);
}

TEST_P(EncoderArchitectures, GivesTheReferencesStates) {
  expect_reference_on(TestedIsas(), GetParam());
}

TEST_P(EncoderArchitectures, GivesFirstTokensAlone) {
  const Built& built = Built::get(GetParam(), WeightStorage::F32);
  const std::vector<Sequence> batch = sequences_of(built.of);
  const size_t width = built.encoder.hidden_size();
  std::vector<float> all =
      hidden_states(built.encoder, batch, &encode<simd::Baseline, GeneralParts>);
  std::vector<float> first(all.size());
  ASSERT_TRUE(built.encoder.run_first(batch, first));
  size_t token = 0;
  for (size_t i = 0; i < batch.size(); ++i) {
    for (size_t k = 0; k < width; ++k) {
      EXPECT_NEAR(first[i * width + k], all[token * width + k], 1e-5) << GetParam() << " " << i;
    }
    token += batch[i].ids.size();
  }
}

TEST_P(EncoderArchitectures, RunsAsBuilt) {
  const Built& built = Built::get(GetParam(), WeightStorage::F32);
  for (const ArchitectureText& text : built.of.texts) {
    const Sequence sequence = text.sequence();
    std::vector<float> hidden(text.ids.size() * built.encoder.hidden_size());
    ASSERT_TRUE(built.encoder.run({&sequence, 1}, hidden));
    expect_states(text, hidden, GetParam());
  }
}

TEST_P(EncoderArchitectures, KeepsItsDirectionWithInt8Weights) {
  const Built& built = Built::get(GetParam(), WeightStorage::Int8);
  const size_t width = built.encoder.hidden_size();
  for (const ArchitectureText& text : built.of.texts) {
    const Sequence sequence = text.sequence();
    std::vector<float> hidden(text.ids.size() * width);
    ASSERT_TRUE(built.encoder.run({&sequence, 1}, hidden));
    double product = 0;
    double square = 0;
    double expected_square = 0;
    for (size_t j = 0; j < width; ++j) {
      const double mean = mean_of(hidden, width, j);
      product += mean * text.mean[j];
      square += mean * mean;
      expected_square += text.mean[j] * text.mean[j];
    }
    EXPECT_GE(product / std::sqrt(square * expected_square), 0.999)
        << GetParam() << ", " << text.ids.size() << " tokens";
  }
}

TEST_P(EncoderArchitectures, NamesEveryMissingTensorAndWrongShape) {
  const ArchitectureCase whole = ArchitectureCase::read(GetParam());
  for (size_t i = 0; i < whole.model.tensors.size(); ++i) {
    const std::string name(model::canonical_tensor_name(whole.model.tensors[i].name));
    model::Model less = whole.model;
    less.tensors.erase(less.tensors.begin() + static_cast<ptrdiff_t>(i));
    const auto missing = EncoderBuilder::plan(less, whole.config, WeightStorage::F32);
    ASSERT_FALSE(missing) << name;
    EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
    EXPECT_EQ(missing.error().path, name);
    model::Model other = whole.model;
    tensor::Shape& shape = other.tensors[i].shape;
    shape = shape.rank() == 1 ? tensor::Shape{shape[0] + 1} : tensor::Shape{shape[0], shape[1] + 1};
    const auto wrong = EncoderBuilder::plan(other, whole.config, WeightStorage::F32);
    ASSERT_FALSE(wrong) << name;
    EXPECT_EQ(wrong.error().code, ErrorCode::Mismatch);
    EXPECT_EQ(wrong.error().path, whole.model.tensors[i].name);
  }
}

TEST_P(EncoderArchitectures, RefusesTextsPastThePositions) {
  const Built& built = Built::get(GetParam(), WeightStorage::F32);
  const uint32_t longest = built.of.config.max_tokens();
  ASSERT_EQ(built.encoder.max_positions(), longest);
  const std::vector<uint32_t> ids(longest + 1, 7);
  std::vector<float> hidden(ids.size() * built.encoder.hidden_size());
  const Sequence all{ids, {}};
  const auto result = built.encoder.run({&all, 1}, hidden);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::LimitExceeded);
  hidden.resize(longest * built.encoder.hidden_size());
  const Sequence fits{std::span(ids).first(longest), {}};
  EXPECT_TRUE(built.encoder.run({&fits, 1}, hidden));
}

INSTANTIATE_TEST_SUITE_P(All, EncoderArchitectures,
                         ::testing::Values("bert", "distilbert", "roberta", "xlm_roberta",
                                           "electra", "electra_same_width", "albert", "mpnet",
                                           "nomic_bert", "modernbert", "modernbert_biased", "gte",
                                           "gte_ntk", "jina_v2", "jina_v2_code", "deberta_v3",
                                           "deberta_v2_own_keys", "deberta_v2_c2p", "t5",
                                           "t5_gated", "eurobert", "eurobert_biased", "neobert",
                                           "roformer", "roformer_narrow", "nomic_moe_apart",
                                           "mobilebert", "mobilebert_one_feed", "clip_text",
                                           "clip_text_gelu", "siglip_text"),
                         [](const auto& param) { return param.param; });

// States grow where nothing normalizes them, and so do the errors of floats.
TEST(EncoderArchitecturesTest, HavePartsOfTheirOwnInEachLayer) {
  const Built& built = Built::get("mobilebert_two_layers", WeightStorage::F32);
  for (const ArchitectureText& text : built.of.texts) {
    const size_t width = text.mean.size();
    const Sequence sequence = text.sequence();
    const std::vector<float> hidden =
        hidden_states(built.encoder, {&sequence, 1}, &encode<simd::Baseline, GeneralParts>);
    for (size_t i = 0; i < text.rows.size(); ++i) {
      for (size_t j = 0; j < width; ++j) {
        EXPECT_NEAR(hidden[text.rows[i] * width + j], text.states[i][j], 1e-3);
      }
    }
  }
}

TEST(EncoderArchitecturesTest, DoNotReadTypesWithoutATable) {
  const Built& built = Built::get("distilbert", WeightStorage::F32);
  const std::vector<uint32_t> ids = {3, 4};
  const std::vector<uint32_t> types = {0, 1};
  const auto run = [&](std::span<const uint32_t> of) {
    std::vector<float> hidden(ids.size() * built.encoder.hidden_size());
    const Sequence sequence{ids, of};
    EXPECT_TRUE(built.encoder.run({&sequence, 1}, hidden));
    return hidden;
  };
  EXPECT_EQ(run(types), run({}));
}

TEST(EncoderArchitecturesTest, RefuseLayersAndGroupsThatAreNotThere) {
  ArchitectureCase albert = ArchitectureCase::read("albert");
  albert.config.facts.layer_groups = 256;
  const auto groups = EncoderBuilder::plan(albert.model, albert.config, WeightStorage::F32);
  ASSERT_FALSE(groups);
  EXPECT_EQ(groups.error().code, ErrorCode::NotFound);
  ArchitectureCase mpnet = ArchitectureCase::read("mpnet");
  mpnet.config.num_layers = UINT32_MAX;  // must not allocate that many
  const auto layers = EncoderBuilder::plan(mpnet.model, mpnet.config, WeightStorage::F32);
  ASSERT_FALSE(layers);
  EXPECT_EQ(layers.error().path, "encoder.layer.2.attention.attn.q.weight");
  mpnet = ArchitectureCase::read("mpnet");
  mpnet.config.num_heads = 5;
  const auto heads = EncoderBuilder::plan(mpnet.model, mpnet.config, WeightStorage::F32);
  ASSERT_FALSE(heads);
  EXPECT_EQ(heads.error().path, "config.num_heads");
}

}  // namespace
}  // namespace ambry::infer
