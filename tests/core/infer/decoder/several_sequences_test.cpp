// Passes over several sequences, beside passes over each of them alone: equal bit by bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "base/random.h"
#include "infer/decoder/synthetic_decoder.h"

namespace ambry::infer {
namespace {

using testing::SyntheticDecoder;
using Rows = std::vector<std::vector<float>>;

struct Several {
  const char* name;
  const char* fixture;
  KvType kv = KvType::F32;
  uint64_t context = 0;
  bool streamed = false;
};

constexpr Several kSeveral[] = {
    {"llama", "llama"},
    {"dynamic", "llama_dynamic", KvType::F32, 120},
    {"ring_int8", "mistral_ring", KvType::Int8, 200},
    {"ring_streamed", "mistral_ring", KvType::F16, 200, true},
    {"gemma3", "gemma3"},
    {"gemma3n", "gemma3n", KvType::F16},
    {"gemma3n_streamed", "gemma3n", KvType::F32, 0, true},
    {"gemma4", "gemma4", KvType::Int8},
    {"phi2", "phi2", KvType::F16},
    {"longrope", "phi3_long"},
    {"learned", "gpt2", KvType::Int8},
    {"alibi", "mpt", KvType::F32, 200},
    {"convolutions", "lfm2"},
    {"deltas", "qwen3_5"},
    {"deltas_streamed", "qwen3_5_wide", KvType::F32, 0, true},
    {"convolutions_streamed", "lfm2_biased", KvType::F32, 0, true},
    {"state_spaces", "nemotron_h"},
    {"parallel_state_spaces", "falcon_h1_scaled", KvType::Int8},
    {"state_spaces_streamed", "granite_hybrid", KvType::F32, 0, true},
    {"shared_experts", "gemma4_moe"},
    {"shared_experts_streamed", "granite_hybrid_moe", KvType::F32, 0, true},
};

class SeveralSequences : public ::testing::TestWithParam<Several> {
 protected:
  SeveralSequences() : made_(SyntheticDecoder::read(GetParam().fixture)), decoder_(built()) {}

  Decoder built() {
    DecoderOptions options{GetParam().kv, GetParam().context, 0};
    if (GetParam().streamed) options.resident = made_.build(options).weight_bytes() / 3;
    return made_.build(options);
  }

  size_t below(size_t bound) { return static_cast<size_t>(random_.below(bound)); }

  // All rows of logits of the pass.
  Rows rows_of(ForwardPass& pass) {
    for (;;) {
      const auto step = pass.step();
      EXPECT_TRUE(step) << describe(step.error());
      EXPECT_LE(pass.steps_done(), pass.n_steps());
      if (!step || step->kind == PassStep::Kind::Done) break;
      if (step->kind != PassStep::Kind::NeedsPart) continue;
      decoder_.make_room(step->part);
      for (const size_t tensor : decoder_.missing_tensors(step->part)) {
        EXPECT_TRUE(decoder_.put_tensor(tensor, testing::copy_of(made_.bytes[tensor])));
      }
    }
    EXPECT_EQ(pass.steps_done(), pass.n_steps());
    Rows rows;
    for (size_t i = 0; i < pass.n_logits(); ++i) {
      rows.emplace_back(pass.logits(i).begin(), pass.logits(i).end());
    }
    return rows;
  }

  SyntheticDecoder made_;
  Decoder decoder_;
  Random random_{7};
};

TEST_P(SeveralSequences, HaveTheLogitsOfEachAlone) {
  ForwardPass together;
  ForwardPass alone;
  for (int round = 0; round < 12; ++round) {
    const size_t n = 1 + below(6);
    std::deque<DecoderState> states;
    std::deque<DecoderState> expected;
    for (size_t i = 0; i < n; ++i) {
      states.emplace_back(decoder_);
      expected.emplace_back(decoder_);
    }
    for (int turn = 0; turn < 5; ++turn) {
      std::vector<std::vector<uint32_t>> ids(n);
      std::vector<SequenceRows> sequences;
      for (size_t i = 0; i < n; ++i) {
        const size_t room = static_cast<size_t>(states[i].capacity()) - states[i].position();
        if (room == 0 || below(5) == 0) continue;
        ids[i].resize(1 + below(std::min<size_t>(room, below(3) == 0 ? 50 : 3)));
        for (uint32_t& id : ids[i]) id = static_cast<uint32_t>(below(decoder_.n_tokens()));
        const Logits wanted[] = {Logits::None, Logits::Last, Logits::Each};
        sequences.push_back({&states[i], ids[i], wanted[below(3)]});
      }
      ASSERT_TRUE(together.begin(decoder_, sequences));
      const Rows rows = rows_of(together);
      size_t row = 0;
      for (const SequenceRows& sequence : sequences) {
        size_t i = 0;
        while (&states[i] != sequence.state) ++i;
        ASSERT_TRUE(alone.begin(decoder_, expected[i], sequence.ids, sequence.wanted));
        for (const auto& one : rows_of(alone)) {
          ASSERT_LT(row, rows.size());
          EXPECT_EQ(rows[row++], one) << "round " << round << ", turn " << turn << ", " << i;
        }
        EXPECT_TRUE(std::ranges::equal(states[i].ids(), expected[i].ids()));
      }
      EXPECT_EQ(row, rows.size());
    }
  }
}

TEST_P(SeveralSequences, AreAllRefusedForTheErrorOfOne) {
  DecoderState first(decoder_);
  DecoderState second(decoder_);
  const std::vector<uint32_t> good = {1, 2};
  const std::vector<uint32_t> bad = {1, 99};
  const SequenceRows sequences[] = {{&first, good}, {&second, bad}};
  ForwardPass pass;
  const auto refused = pass.begin(decoder_, sequences);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "ids[1]");
  EXPECT_EQ(first.position(), 0U);
  ASSERT_TRUE(pass.begin(decoder_, first, good, Logits::Last));  // it is as it was
}

INSTANTIATE_TEST_SUITE_P(Decoders, SeveralSequences, ::testing::ValuesIn(kSeveral),
                         [](const auto& several) { return std::string(several.param.name); });

}  // namespace
}  // namespace ambry::infer
