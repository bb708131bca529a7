#include "infer/decoder/decoder_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "infer/decoder/steps/pass_scratch.h"
#include "infer/decoder/synthetic_decoder.h"

namespace ambry::infer {
namespace {

using testing::DecoderRun;
using testing::SyntheticDecoder;
using Ids = std::vector<uint32_t>;

Ids hashed_ids(size_t count, uint32_t seed = 5) {
  Ids ids(count);
  for (size_t i = 0; i < count; ++i) ids[i] = static_cast<uint32_t>(i * i + seed) % 37;
  return ids;
}

Ids joined(Ids first, const Ids& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<float> logits_of(DecoderRun& run) { return {run.logits().begin(), run.logits().end()}; }

// The logits after a pass over all of them.
std::vector<float> cold(Decoder& decoder, const Ids& ids) {
  DecoderRun run(decoder);
  EXPECT_TRUE(run.feed(ids));
  return logits_of(run);
}

class DecoderStateTest : public ::testing::Test {
 protected:
  Decoder full_ = SyntheticDecoder::read("llama").build();
  // A ring of 7 + 63 rows.
  Decoder ring_ = SyntheticDecoder::read("mistral_ring").build({KvType::F32, 300, 0});
};

TEST_F(DecoderStateTest, GoesOnFromWhereItWasCutBack) {
  DecoderRun run(full_);
  const Ids ids = hashed_ids(40);
  ASSERT_TRUE(run.feed(ids));
  EXPECT_EQ(run.state().truncate(13), 13U);
  EXPECT_EQ(run.state().position(), 13U);
  const Ids other = hashed_ids(20, 9);
  ASSERT_TRUE(run.feed(other));
  EXPECT_EQ(logits_of(run), cold(full_, joined({ids.begin(), ids.begin() + 13}, other)));
}

TEST_F(DecoderStateTest, FreesTheMemoryOfTokensThatItCutsOff) {
  Decoder decoder = SyntheticDecoder::read("mpt").build({KvType::F32, 500, 0});
  DecoderRun run(decoder);
  ASSERT_TRUE(run.feed(hashed_ids(200)));
  run.state().truncate(70);
  EXPECT_LT(run.state().bytes(), run.state().bytes_of(128) + 2000);
  run.state().truncate(0);
  EXPECT_LT(run.state().bytes(), 2000U);  // of the ids
}

TEST_F(DecoderStateTest, ARingGivesBackAsManyTokensAsABlockHas) {
  const Ids ids = hashed_ids(100);
  for (const size_t back : {size_t{1}, kPassRows, kPassRows + 1}) {
    DecoderRun run(ring_);
    ASSERT_TRUE(run.feed(ids));
    const size_t wanted = ids.size() - back;
    const bool can = back <= kPassRows;
    EXPECT_EQ(run.state().can_truncate(wanted), can);
    const size_t kept = run.state().truncate(wanted);
    EXPECT_EQ(kept, can ? wanted : 0);
    ASSERT_TRUE(run.feed(std::span(ids).subspan(kept)));
    EXPECT_EQ(logits_of(run), cold(ring_, ids));
  }
}

// What was overwritten stays lost after the sequence was cut back.
TEST_F(DecoderStateTest, ARingRemembersWhatItLost) {
  DecoderRun run(ring_);
  const Ids ids = hashed_ids(100);
  ASSERT_TRUE(run.feed(ids));
  ASSERT_EQ(run.state().truncate(60), 60U);
  EXPECT_FALSE(run.state().can_truncate(30));
  EXPECT_EQ(run.state().truncate(36), 36U);
  EXPECT_EQ(run.state().truncate(35), 0U);
}

TEST_F(DecoderStateTest, ARingThatIsNotFullGivesBackAll) {
  DecoderRun run(ring_);
  const Ids ids = hashed_ids(70);
  ASSERT_TRUE(run.feed(ids));
  EXPECT_EQ(run.state().truncate(2), 2U);
  ASSERT_TRUE(run.feed(std::span(ids).subspan(2)));
  EXPECT_EQ(logits_of(run), cold(ring_, ids));
}

TEST_F(DecoderStateTest, ForksGoTheirOwnWays) {
  for (Decoder* decoder : {&full_, &ring_}) {
    const Ids ids = hashed_ids(decoder == &ring_ ? 90 : 30);
    const Ids left = hashed_ids(10, 2);
    const Ids right = hashed_ids(14, 3);
    DecoderRun run(*decoder);
    ASSERT_TRUE(run.feed(ids));
    DecoderRun fork(*decoder);
    fork.state() = run.state().fork();
    ASSERT_TRUE(run.feed(left));
    ASSERT_TRUE(fork.feed(right));
    EXPECT_EQ(logits_of(run), cold(*decoder, joined(ids, left)));
    EXPECT_EQ(logits_of(fork), cold(*decoder, joined(ids, right)));
    ASSERT_TRUE(run.feed(right));
    EXPECT_EQ(logits_of(run), cold(*decoder, joined(joined(ids, left), right)));
  }
}

TEST_F(DecoderStateTest, AForkLeavesAnIncompletePassOut) {
  DecoderRun run(full_);
  const Ids ids = hashed_ids(20);
  ASSERT_TRUE(run.feed(ids));
  const Ids more = hashed_ids(9, 1);
  ASSERT_TRUE(run.pass().begin(full_, run.state(), more, Logits::Last));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(run.pass().step());
  DecoderRun fork(full_);
  fork.state() = run.state().fork();
  EXPECT_EQ(fork.state().position(), 20U);
  // The pass goes on beside its fork.
  for (PassStep step; step.kind != PassStep::Kind::Done;) step = *run.pass().step();
  ASSERT_TRUE(fork.feed(more));
  EXPECT_EQ(logits_of(fork), cold(full_, joined(ids, more)));
  EXPECT_EQ(logits_of(run), logits_of(fork));
}

TEST_F(DecoderStateTest, AnAbandonedPassIsCutOff) {
  DecoderRun run(full_);
  const Ids ids = hashed_ids(20);
  ASSERT_TRUE(run.feed(ids));
  ASSERT_TRUE(run.pass().begin(full_, run.state(), ids, Logits::Last));
  ASSERT_TRUE(run.pass().step());
  EXPECT_EQ(run.state().truncate(20), 20U);
  ASSERT_TRUE(run.feed({&ids[3], 1}));
  EXPECT_EQ(logits_of(run), cold(full_, joined(ids, {ids[3]})));
}

TEST_F(DecoderStateTest, ReusesTheCommonPrefix) {
  DecoderRun run(full_);
  const Ids ids = hashed_ids(20);
  EXPECT_EQ(run.state().reusable(full_, ids), 0U);
  ASSERT_TRUE(run.feed(ids));
  EXPECT_EQ(run.state().reusable(full_, {}), 0U);
  // One token must pass to have logits.
  EXPECT_EQ(run.state().reusable(full_, ids), 19U);
  EXPECT_EQ(run.state().reusable(full_, joined(ids, {1, 2})), 20U);
  EXPECT_EQ(run.state().reusable(full_, std::span(ids).first(8)), 7U);
  Ids other = joined(ids, {1});
  other[11] = (other[11] + 1) % 37;
  EXPECT_EQ(run.state().reusable(full_, other), 11U);
}

TEST_F(DecoderStateTest, ReusesNothingThatTheRingLost) {
  DecoderRun run(ring_);
  const Ids ids = hashed_ids(100);
  ASSERT_TRUE(run.feed(ids));
  EXPECT_EQ(run.state().reusable(ring_, joined(ids, {1})), 100U);
  EXPECT_EQ(run.state().reusable(ring_, std::span(ids).first(30)), 0U);
}

// Layers that keep a state go back to the last one that was kept before the end of a prompt, as
// when the next prompt leaves out a part of the answer.
TEST_F(DecoderStateTest, StatesGoBackToTheEndOfAPrompt) {
  Decoder decoder = SyntheticDecoder::read("lfm2").build();
  DecoderRun run(decoder);
  const Ids prompt = hashed_ids(100);
  ASSERT_TRUE(run.feed(prompt));
  for (uint32_t id = 0; id < 130; ++id) {
    const uint32_t next = id % 37;
    ASSERT_TRUE(run.feed({&next, 1}));
  }
  const Ids other = joined(prompt, {9, 8, 7});
  const size_t kept = run.state().reusable(decoder, other);
  EXPECT_GT(kept, prompt.size() - kPassRows - 1);
  EXPECT_LE(kept, prompt.size());
  EXPECT_FALSE(run.state().can_truncate(prompt.size()));
  ASSERT_EQ(run.state().truncate(prompt.size()), kept);
  ASSERT_TRUE(run.feed(std::span(other).subspan(kept)));
  EXPECT_EQ(logits_of(run), cold(decoder, other));
}

TEST_F(DecoderStateTest, StatesGiveBackAnyTokenOfTheLastPass) {
  Decoder decoder = SyntheticDecoder::read("lfm2").build();
  const Ids ids = hashed_ids(100);
  const Ids drafted = hashed_ids(kPassRows, 8);
  for (const size_t left : {size_t{100}, size_t{101}, size_t{130}, 99 + kPassRows}) {
    DecoderRun run(decoder);
    ASSERT_TRUE(run.feed(ids));
    ASSERT_TRUE(run.feed(drafted, Logits::Each));
    ASSERT_EQ(run.state().truncate(left), left);
    ASSERT_TRUE(run.feed(Ids{3}));
    Ids all = joined(ids, drafted);
    all.resize(left);
    EXPECT_EQ(logits_of(run), cold(decoder, joined(all, {3})));
  }
}

// Wherever a pass is, and whether or not its layers must begin a new base or compute their states
// again.
TEST_F(DecoderStateTest, AForkDuringAPassSharesNoStateThatChanges) {
  Decoder decoder = SyntheticDecoder::read("lfm2").build();
  for (const size_t before : {size_t{20}, size_t{60}, size_t{100}}) {
    for (const bool is_cut : {false, true}) {
      const Ids ids = hashed_ids(before);
      const Ids more = hashed_ids(50, 1);
      const auto begin = [&](DecoderRun& run) {
        ASSERT_TRUE(run.feed(is_cut ? joined(ids, {4, 5}) : ids));
        ASSERT_EQ(run.state().truncate(before), before);
        ASSERT_TRUE(run.pass().begin(decoder, run.state(), more, Logits::Last));
      };
      const std::vector<float> expected = cold(decoder, joined(ids, more));
      for (int steps = 0; steps < 10; ++steps) {
        DecoderRun run(decoder);
        begin(run);
        for (int i = 0; i < steps; ++i) ASSERT_TRUE(run.pass().step());
        DecoderRun fork(decoder);
        fork.state() = run.state().fork();
        EXPECT_EQ(fork.state().position(), before);
        for (PassStep step; step.kind != PassStep::Kind::Done;) step = *run.pass().step();
        EXPECT_EQ(logits_of(run), expected) << before << ", " << steps;
        ASSERT_TRUE(fork.feed(more));
        EXPECT_EQ(logits_of(fork), expected) << before << ", " << steps;
      }
    }
  }
}

TEST_F(DecoderStateTest, CountsStates) {
  Decoder decoder = SyntheticDecoder::read("lfm2").build();
  DecoderRun run(decoder);
  ASSERT_TRUE(run.feed(hashed_ids(200)));
  const uint64_t states = most_state_bytes(decoder.config());
  EXPECT_EQ(run.state().bytes_of(0), 0U);
  EXPECT_GT(run.state().bytes(), states / 2);
  EXPECT_LE(run.state().bytes(), run.state().bytes_of(200) + 2000);  // the ids
}

// Past 10 tokens, Dynamic scaling rotates all tokens of a pass by the length of the pass.
TEST_F(DecoderStateTest, DynamicScalingReusesOnlyWithinTheModelsLength) {
  Decoder decoder = SyntheticDecoder::read("llama_dynamic").build({KvType::F32, 40, 0});
  DecoderRun run(decoder);
  const Ids ids = hashed_ids(8);
  ASSERT_TRUE(run.feed(ids));
  EXPECT_EQ(run.state().reusable(decoder, joined(ids, {1})), 8U);
  EXPECT_EQ(run.state().reusable(decoder, joined(ids, {1, 2, 3})), 0U);
  ASSERT_TRUE(run.feed(Ids{1, 2, 3, 4}));
  run.state().truncate(8);
  EXPECT_EQ(run.state().reusable(decoder, joined(ids, {1})), 0U);
}

// Up to 16 tokens, LongRope uses the short factors.
TEST_F(DecoderStateTest, LongRopeReusesOnItsSideOfTheOriginalLength) {
  Decoder decoder = SyntheticDecoder::read("phi3_long").build();
  DecoderRun run(decoder);
  const Ids ids = hashed_ids(12);
  ASSERT_TRUE(run.feed(ids));
  EXPECT_EQ(run.state().reusable(decoder, joined(ids, {1})), 12U);
  EXPECT_EQ(run.state().reusable(decoder, hashed_ids(20)), 0U);
  ASSERT_TRUE(run.feed(hashed_ids(8, 2)));
  const Ids longer = joined(joined(ids, hashed_ids(8, 2)), {1});
  EXPECT_EQ(run.state().reusable(decoder, longer), 20U);
  EXPECT_EQ(run.state().reusable(decoder, ids), 0U);
  // The keys of the long factors are rotated again when the sequence is short again.
  ASSERT_EQ(run.state().truncate(5), 5U);
  ASSERT_TRUE(run.feed(Ids{1, 2}));
  EXPECT_EQ(logits_of(run), cold(decoder, joined({ids.begin(), ids.begin() + 5}, {1, 2})));
}

}  // namespace
}  // namespace ambry::infer
