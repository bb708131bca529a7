// Passes of a team of threads, beside those of one thread: every logit has the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/std_thread_team.h"
#include "base/threads/work_team.h"
#include "infer/decoder/k_quant_tensors.h"
#include "infer/decoder/synthetic_decoder.h"
#include "repetitions.h"

namespace ambry::infer {
namespace {

using ambry::testing::repetitions;
using testing::DecoderRun;
using testing::SyntheticDecoder;

// One thread that does the parts of several, the last one first.
class BackwardTeam final : public WorkTeam {
 public:
  explicit BackwardTeam(size_t size) : size_(size) {}
  [[nodiscard]] size_t size() const override { return size_; }
  void run(Part part, const void* work) override {
    for (size_t i = size_; i > 0; --i) part(work, i - 1);
    ++runs_;
  }
  [[nodiscard]] size_t runs() const { return runs_; }

 private:
  size_t size_;
  size_t runs_ = 0;
};

std::vector<uint32_t> spread_ids(size_t n, uint32_t n_tokens) {
  std::vector<uint32_t> ids(n);
  for (size_t i = 0; i < n; ++i) ids[i] = static_cast<uint32_t>((i * i + 7 * i) % n_tokens);
  return ids;
}

// A prompt of more than one block, then single tokens.
std::vector<std::vector<float>> logits_of(Decoder& decoder, const testing::TensorBytes& bytes,
                                          WorkTeam* team) {
  decoder.set_team(team);
  DecoderRun run(decoder, bytes);
  std::vector<std::vector<float>> rows;
  const auto ids = spread_ids(std::min<size_t>(decoder.context() - 4, 70), decoder.n_tokens());
  EXPECT_TRUE(run.feed(ids, Logits::Each));
  for (size_t i = 0; i < ids.size(); ++i) {
    rows.emplace_back(run.logits(i).begin(), run.logits(i).end());
  }
  for (const uint32_t id : {3U, 5U, 1U, 4U}) {
    EXPECT_TRUE(run.feed({&id, 1}));
    rows.emplace_back(run.logits().begin(), run.logits().end());
  }
  return rows;
}

void expect_equal_with_teams(Decoder& decoder, const testing::TensorBytes& bytes) {
  const auto alone = logits_of(decoder, bytes, nullptr);
  constexpr size_t kSizes[] = {3, 2, 7};
  for (const size_t size : std::span(kSizes).first(repetitions(std::size(kSizes)))) {
    SCOPED_TRACE(size);
    BackwardTeam team(size);
    EXPECT_TRUE(logits_of(decoder, bytes, &team) == alone);
    EXPECT_GT(team.runs(), 0U);
  }
}

constexpr const char* kFixtures[] = {
    "llama",          "mistral_ring", "gemma",      "gpt2",    "falcon_7b", "mpt",   "lfm2",
    "granite_hybrid", "falcon_h1",    "nemotron_h", "qwen3_5", "gemma3n",   "gemma4"};

TEST(DecoderTeam, GivesTheSameBits) {
  for (const char* name : kFixtures) {
    for (const KvType kv : {KvType::F32, KvType::F16, KvType::Int8}) {
      SCOPED_TRACE(name);
      const SyntheticDecoder made = SyntheticDecoder::read(name);
      Decoder decoder = made.build({kv, 0, 0});
      expect_equal_with_teams(decoder, made.tensor_bytes());
    }
  }
}

// Matrices that are large enough for a single token, with a number of rows that is no multiple of
// a panel, in every form that a weight has in memory.
constexpr const char* kWide = R"({"architecture": "llama", "n_vocab": 301, "n_embd": 256,
    "n_layers": 2, "n_heads": 4, "n_kv_heads": 2, "n_ff": 512, "max_seq_len": 150})";

TEST(DecoderTeam, GivesTheSameBitsInEveryForm) {
  for (const char* dtype : {"f32", "f16", "bf16", "int8", "int5", "int4", "int4_block"}) {
    SCOPED_TRACE(dtype);
    const SyntheticDecoder made = SyntheticDecoder::make(kWide, dtype);
    for (const auto precision :
         {kernels::ActivationPrecision::Int8, kernels::ActivationPrecision::F32}) {
      Decoder decoder = made.build({KvType::F32, 0, 0, precision});
      expect_equal_with_teams(decoder, made.tensor_bytes());
    }
  }
  for (const tensor::DType dtype : {tensor::DType::Q4_K, tensor::DType::Q6_K}) {
    SCOPED_TRACE(tensor::dtype_name(dtype));
    SyntheticDecoder made = SyntheticDecoder::make(kWide);
    for (size_t i = 0; i < made.model.tensors.size(); ++i) {
      if (made.model.tensors[i].shape.rank() == 2) testing::use_k_quant(made, i, dtype);
    }
    Decoder decoder = made.build();
    expect_equal_with_teams(decoder, made.tensor_bytes());
  }
}

TEST(DecoderTeam, GivesTheSameBitsWithStreamedWeights) {
  const SyntheticDecoder made = SyntheticDecoder::make(kWide);
  const uint64_t resident = made.build().weight_bytes() / 2;
  Decoder decoder = made.build({KvType::F32, 0, resident});
  EXPECT_TRUE(decoder.is_streamed());
  expect_equal_with_teams(decoder, made.tensor_bytes());
}

#ifndef __EMSCRIPTEN__
TEST(DecoderTeam, GivesTheSameBitsOnThreads) {
  const SyntheticDecoder made = SyntheticDecoder::make(kWide, "int4_block");
  Decoder decoder = made.build();
  const auto alone = logits_of(decoder, made.tensor_bytes(), nullptr);
  for (const size_t size : {2U, 4U}) {
    ambry::testing::StdThreadTeam team(size);
    team.start();
    for (size_t i = 0; i < repetitions(10); ++i) {
      EXPECT_TRUE(logits_of(decoder, made.tensor_bytes(), team.get()) == alone) << size;
    }
    decoder.set_team(nullptr);
  }
}
#endif

}  // namespace
}  // namespace ambry::infer
