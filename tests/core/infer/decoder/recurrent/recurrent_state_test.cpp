#include "infer/decoder/recurrent/recurrent_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "base/random.h"
#include "repetitions.h"

namespace ambry::infer {
namespace {

constexpr StateShape kShape = {2, 1};

void advance(float* state, const float* inputs, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    state[0] = state[0] * 0.7F + inputs[i];
    state[1] += state[0];
  }
}

// A sequence of numbers with its state, and the number that comes next.
struct Counted {
  RecurrentState state{kShape};
  std::vector<float> inputs;

  // Adds a block in pieces, as a layer with streamed weights does.
  void add(Random& random, size_t count, bool of_prompt) {
    const StateBlock block{inputs.size(), count, true, of_prompt};
    ASSERT_TRUE(state.reserve(block));
    for (size_t done = 0; done < count;) {
      const size_t n = std::min(kPassRows, count - done);
      float* to = state.append(n, advance);
      expect_current();
      for (size_t i = 0; i < n; ++i) {
        to[i] = static_cast<float>(random.below(1000));
        advance(state.state(), to + i, 1);
        inputs.push_back(to[i]);
      }
      done += n;
    }
    state.end_block();
    expect_current();
  }

  void expect_current() {
    std::vector<float> expected(kShape.state_floats);
    advance(expected.data(), inputs.data(), inputs.size());
    ASSERT_TRUE(std::ranges::equal(expected, std::span(state.state(), kShape.state_floats)))
        << inputs.size();
  }

  size_t cut(size_t n) {
    const auto left = static_cast<size_t>(state.reachable(n));
    state.truncate(left);
    inputs.resize(left);
    return left;
  }
};

TEST(RecurrentState, EqualsTheStateOfItsInputsAfterAnyHistory) {
  for (uint64_t seed = 0; seed < ambry::testing::repetitions(40); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::deque<Counted> forks(1);
    for (int step = 0; step < 60; ++step) {
      Counted& one = forks[random.below(forks.size())];
      const uint64_t what = random.below(10);
      if (what == 0 && forks.size() < 4) forks.push_back(Counted(one));
      if (what == 1) one.cut(random.below(one.inputs.size() + 1));
      if (what == 2) {
        std::vector<uint8_t> saved(static_cast<size_t>(one.state.saved_bytes()));
        EXPECT_EQ(one.state.save(saved.data()), saved.data() + saved.size());
        const auto read = one.state.restore(saved, one.inputs.size());
        ASSERT_TRUE(read) << describe(read.error());
        EXPECT_EQ(*read, saved.size());
      }
      const bool many = what > 6;
      one.add(random, 1 + random.below(many ? 200 : 3), many);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

// What an answer drafts and what a pass adds is taken back exactly.
TEST(RecurrentState, GivesBackAnyTokenOfTheLastBlock) {
  Random random(1);
  for (const size_t before :
       {size_t{0}, size_t{1}, size_t{30}, size_t{63}, kPassRows, size_t{65}, size_t{130}}) {
    for (const size_t count : {size_t{1}, size_t{2}, size_t{63}, kPassRows, size_t{300}}) {
      for (const size_t back : {size_t{0}, size_t{1}, count / 2, count}) {
        Counted one;
        for (size_t i = 0; i < before; ++i) one.add(random, 1, false);
        one.add(random, count, true);
        const bool is_long = count > kPassRows && back > kPassRows && back < count;
        const size_t left = one.cut(before + count - back);
        if (is_long) {
          EXPECT_LE(left, before + count - back);
        } else {
          EXPECT_EQ(left, before + count - back) << before << ", " << count << ", " << back;
        }
        one.add(random, 3, true);
      }
    }
  }
}

TEST(RecurrentState, KeepsTheStateBeforeTheEndOfAPrompt) {
  Random random(2);
  Counted one;
  one.add(random, 50, true);
  one.add(random, 40, true);
  for (int i = 0; i < 500; ++i) one.add(random, 1, false);
  const size_t left = one.cut(85);  // a little before the end of the prompt
  EXPECT_GE(left, 90 - kPassRows);
  EXPECT_LE(left, 85U);
  one.add(random, 100, true);
}

TEST(RecurrentState, CountsItsMemory) {
  Random random(3);
  Counted one;
  EXPECT_EQ(one.state.bytes(), 0U);
  one.add(random, 1, false);
  EXPECT_EQ(one.state.bytes(), 2 * 8 + kPassRows * 4);
  for (int turn = 0; turn < 10; ++turn) {
    one.add(random, 70, true);
    for (int i = 0; i < 100; ++i) one.add(random, 1, false);
    EXPECT_LE(one.state.bytes(), one.state.most_bytes());
  }
  EXPECT_EQ(one.state.bytes(), one.state.most_bytes());
  one.state.truncate(0);
  EXPECT_EQ(one.state.bytes(), 0U);
}

TEST(RecurrentState, RefusesBytesThatDoNotFit) {
  Random random(4);
  Counted one;
  one.add(random, 100, true);
  one.add(random, 20, true);
  std::vector<uint8_t> saved(static_cast<size_t>(one.state.saved_bytes()));
  one.state.save(saved.data());
  const auto refused = [&](Bytes bytes, uint64_t position, const StateShape& shape = kShape) {
    RecurrentState other(shape);
    const auto read = other.restore(bytes, position);
    EXPECT_FALSE(read);
    return read ? ErrorCode::NotFound : read.error().code;
  };
  EXPECT_EQ(refused(saved, 120, {3, 1}), ErrorCode::Mismatch);
  EXPECT_EQ(refused(saved, 120, {2, 2}), ErrorCode::Mismatch);
  EXPECT_EQ(refused(saved, 3), ErrorCode::BadValue);    // a state beyond the sequence
  EXPECT_EQ(refused(saved, 500), ErrorCode::BadValue);  // the inputs since are missing
  for (size_t size = 0; size < saved.size(); ++size) refused(Bytes(saved).first(size), 120);
  saved[16] = 200;  // states
  EXPECT_EQ(refused(saved, 120), ErrorCode::BadValue);
}

}  // namespace
}  // namespace ambry::infer
