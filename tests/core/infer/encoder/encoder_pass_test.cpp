// Compares the forward pass on every instruction set with PyTorch in float64 (tests/reference/).
#include "infer/encoder/encoder_pass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "infer/encoder/encoder_golden.h"
#include "infer/encoder/head/pooling.h"
#include "infer/encoder/synthetic_bert.h"
#include "repetitions.h"
#include "simd/all_isas.h"

namespace ambry::infer {
namespace {

// A model and its expected results, made once for all instruction sets.
struct Case {
  EncoderGolden golden;
  Encoder encoder;

  static const Case& get(const std::string& name, WeightStorage storage = WeightStorage::F32) {
    static std::map<std::pair<std::string, WeightStorage>, Case> cases;
    const std::pair key(name, storage);
    if (const auto found = cases.find(key); found != cases.end()) return found->second;
    EncoderGolden golden = EncoderGolden::read(name);
    const SyntheticBert bert(golden.config,
                             golden.int8 ? SyntheticStorage::Int8 : SyntheticStorage::F32);
    return cases.emplace(key, Case{std::move(golden), bert.build(storage).value()}).first->second;
  }
};

template <class V>
std::vector<float> hidden_states(const Encoder& encoder, std::span<const Sequence> batch) {
  size_t n_tokens = 0;
  for (const Sequence& sequence : batch) n_tokens += sequence.ids.size();
  std::vector<float> hidden(n_tokens * encoder.hidden_size());
  EncoderScratch scratch;
  EXPECT_TRUE((encode<V, PlainParts>(encoder.weights(), scratch, batch, false, hidden)));
  return hidden;
}

std::vector<std::vector<float>> pool_all(const EncoderGolden& golden, const std::string& mode,
                                         size_t n_prompt, std::span<const float> hidden) {
  const size_t width = golden.config.hidden_size;
  std::vector<std::vector<float>> rows;
  for (const auto& ids : golden.ids) {
    const std::span<const float> tokens = hidden.first(ids.size() * width);
    hidden = hidden.subspan(tokens.size());
    if (mode == "none") {
      for (size_t at = 0; at < tokens.size(); at += width) {
        rows.emplace_back(tokens.begin() + static_cast<ptrdiff_t>(at),
                          tokens.begin() + static_cast<ptrdiff_t>(at + width));
      }
    } else {
      pool(*pooling_by_name(mode), tokens, n_prompt, rows.emplace_back(width));
    }
  }
  if (golden.normalize) {
    for (auto& row : rows) normalize(row);
  }
  return rows;
}

double worst_difference(const std::vector<std::vector<float>>& rows,
                        const EncoderGolden::Rows& expected) {
  EXPECT_EQ(rows.size(), expected.size());
  double worst = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].size(), expected[i].size());
    for (size_t j = 0; j < rows[i].size(); ++j) {
      worst = std::max(worst, std::abs(double{rows[i][j]} - expected[i][j]));
    }
  }
  return worst;
}

double cosine(const std::vector<float>& a, const std::vector<double>& b) {
  double dot = 0;
  double size_a = 0;
  double size_b = 0;
  for (size_t i = 0; i < b.size(); ++i) {
    dot += double{a[i]} * b[i];
    size_a += double{a[i]} * double{a[i]};
    size_b += b[i] * b[i];
  }
  return dot / std::sqrt(size_a * size_b);
}

template <class V>
class EncoderForwardPassTest : public ::testing::Test {
 protected:
  static void check(const std::string& name) {
    const Case& test = Case::get(name);
    const std::vector<float> hidden = hidden_states<V>(test.encoder, test.golden.sequences());
    for (const auto& [mode, rows] : test.golden.pooled) {
      const double worst = worst_difference(pool_all(test.golden, mode, 0, hidden), rows);
      EXPECT_LE(worst, 1e-5) << name << " " << mode;
      ::testing::Test::RecordProperty(name + "." + mode, std::to_string(worst * 1e6) + "e-6");
    }
    for (const auto& [mode, rows] : test.golden.pooled_without_prompt) {
      const auto pooled = pool_all(test.golden, mode, test.golden.n_prompt, hidden);
      EXPECT_LE(worst_difference(pooled, rows), 1e-5) << name << " " << mode << " without prompt";
    }
  }
};
TYPED_TEST_SUITE(EncoderForwardPassTest, TypedIsas, IsaNames);

TYPED_TEST(EncoderForwardPassTest, EqualsPyTorchForMiniLm) {
  AMBRY_TOO_SLOW_WITH_SANITIZERS();
  this->check("minilm_l6");
}
TYPED_TEST(EncoderForwardPassTest, EqualsPyTorchForFiveHeadsOf24) {
  this->check("three_layers_5x24");
}
TYPED_TEST(EncoderForwardPassTest, EqualsPyTorchForGeluNew) { this->check("one_layer_gelu_new"); }
TYPED_TEST(EncoderForwardPassTest, EqualsPyTorchForReluAndHeadsOf7) {
  this->check("one_layer_relu");
}
TYPED_TEST(EncoderForwardPassTest, EqualsPyTorchForInt8WithZeroPoints) {
  this->check("two_layers_int8");
}

// Activations have 7-bit codes. Weights are int8 in the file, or are quantized when loaded.
TYPED_TEST(EncoderForwardPassTest, QuantizedStaysCloseToPyTorch) {
  struct Expected {
    const char* name;
    WeightStorage storage;
    double least;
  };
  constexpr Expected kExpected[] = {{"two_layers_int8", WeightStorage::AsStored, 0.9995},
                                    {"three_layers_5x24", WeightStorage::Int8, 0.999},
                                    {"minilm_l6", WeightStorage::Int8, 0.999}};
  constexpr size_t kWithSanitizers = 2;
  for (const auto& [name, storage, least] : std::span(kExpected).first(
           ambry::testing::kSanitized ? kWithSanitizers : std::size(kExpected))) {
    const Case& test = Case::get(name, storage);
    const std::vector<float> hidden =
        hidden_states<TypeParam>(test.encoder, test.golden.sequences());
    for (const auto& [mode, rows] : test.golden.pooled) {
      const auto pooled = pool_all(test.golden, mode, 0, hidden);
      for (size_t i = 0; i < rows.size(); ++i) {
        EXPECT_GE(cosine(pooled[i], rows[i]), least) << name << ' ' << mode << ' ' << i;
      }
    }
  }
}

template <class V>
void expect_batching_to_change_nothing(WeightStorage storage) {
  const Case& test = Case::get("three_layers_5x24", storage);
  const std::vector<Sequence> batch = test.golden.sequences();
  const size_t width = test.golden.config.hidden_size;
  const std::vector<float> together = hidden_states<V>(test.encoder, batch);
  const std::vector<Sequence> reversed(batch.rbegin(), batch.rend());
  const std::vector<float> backwards = hidden_states<V>(test.encoder, reversed);
  size_t at = 0;
  size_t from_end = backwards.size();
  for (const Sequence& sequence : batch) {
    const std::vector<float> alone = hidden_states<V>(test.encoder, {&sequence, 1});
    from_end -= sequence.ids.size() * width;
    for (size_t i = 0; i < alone.size(); ++i) {
      EXPECT_NEAR(alone[i], together[at + i], 1e-6);
      EXPECT_NEAR(alone[i], backwards[from_end + i], 1e-6);
    }
    at += alone.size();
  }
}

TYPED_TEST(EncoderForwardPassTest, BatchingAndOrderChangeNothing) {
  expect_batching_to_change_nothing<TypeParam>(WeightStorage::F32);
  expect_batching_to_change_nothing<TypeParam>(WeightStorage::Int8);
}

}  // namespace
}  // namespace ambry::infer
