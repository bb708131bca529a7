// Compares every architecture on every instruction set with PyTorch in float64
// (tests/reference/encoder_architectures.py): one text at a time, all texts as a batch, and with
// int8 weights.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "infer/encoder/architecture_case.h"
#include "infer/encoder/forward_pass.h"
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
  EXPECT_TRUE(pass(encoder.weights(), scratch, batch, hidden));
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
      worst = std::max(worst, std::abs(double{hidden[text.rows[i] * width + j]} - text.states[i][j]));
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
  (expect_reference<V>(name,
                       [](const EncoderWeights& weights, EncoderScratch& scratch,
                          std::span<const Sequence> batch, std::span<float> out) {
                         return encode<V, GeneralParts>(weights, scratch, batch, out);
                       }),
   ...);
}

TEST_P(EncoderArchitectures, GivesTheReferencesStates) {
  expect_reference_on(simd::AllIsas(), GetParam());
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

INSTANTIATE_TEST_SUITE_P(All, EncoderArchitectures,
                         ::testing::Values("bert", "distilbert", "roberta", "xlm_roberta",
                                           "electra", "electra_same_width", "albert", "mpnet",
                                           "nomic_bert"),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace ambry::infer
