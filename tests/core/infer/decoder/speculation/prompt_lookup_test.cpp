#include "infer/decoder/speculation/prompt_lookup.h"

#include <gtest/gtest.h>

namespace ambry::infer {
namespace {

using Ids = std::vector<uint32_t>;

Ids drafted(PromptLookup& lookup, const Ids& ids, size_t most = 99) {
  Ids draft;
  lookup.draft(ids, most, draft);
  return draft;
}

Ids first_draft(const PromptLookupOptions& options, const Ids& ids, size_t most = 99) {
  PromptLookup lookup(options);
  return drafted(lookup, ids, most);
}

TEST(PromptLookup, DraftsWhatFollowedTheLastTokens) {
  EXPECT_EQ(first_draft({3, 3}, {1, 2, 3, 4, 5, 6, 9, 1, 2, 3}), (Ids{4, 5}));
  EXPECT_EQ(first_draft({3, 3}, {1, 2, 3, 4, 5}), Ids());
  EXPECT_EQ(first_draft({3, 3}, {1}), Ids());
  EXPECT_EQ(first_draft({3, 3}, {}), Ids());
}

TEST(PromptLookup, PrefersTheLongestMatchThenTheLatest) {
  EXPECT_EQ(first_draft({1, 3}, {1, 2, 3, 7, 2, 3, 8, 1, 2, 3}), (Ids{7}));
  EXPECT_EQ(first_draft({1, 2}, {1, 2, 3, 7, 2, 3, 8, 1, 2, 3}), (Ids{8}));
  EXPECT_EQ(first_draft({1, 9}, {4, 1, 2, 3, 7, 4, 1, 2, 3, 8, 4, 1, 2, 3}), (Ids{8}));
}

// One token comes again by chance.
TEST(PromptLookup, LooksUpASingleTokenOnlyIfAskedTo) {
  EXPECT_EQ(first_draft({2, 3}, {3, 7, 8, 3}), Ids());
  EXPECT_EQ(first_draft({2, 1}, {3, 7, 8, 3}), (Ids{7, 8}));
}

TEST(PromptLookup, GoesOnWithItsOwnTokensInALoop) {
  PromptLookup lookup({5, 3});
  lookup.learn(3, 3);
  EXPECT_EQ(drafted(lookup, {5, 6, 5, 6}), (Ids{5, 6, 5, 6}));
  EXPECT_EQ(drafted(lookup, {9, 5, 5, 5}), (Ids{5, 5, 5, 5}));
}

TEST(PromptLookup, DraftsNoMoreThanThereIsRoomFor) {
  EXPECT_EQ(first_draft({4, 2}, {5, 6, 5, 6}, 1), (Ids{5}));
  EXPECT_EQ(first_draft({1, 2}, {5, 6, 5, 6}), (Ids{5}));
  EXPECT_EQ(first_draft({4, 2}, {5, 6, 5, 6}, 0), Ids());
  EXPECT_EQ(first_draft({0, 2}, {5, 6, 5, 6}), Ids());
}

TEST(PromptLookup, DraftsGrowWhileTheyAreRight) {
  PromptLookup lookup({kMaxPromptLookupTokens, 2});
  const Ids loop = {5, 6, 5, 6};
  size_t before = 0;
  for (int i = 0; i < 7; ++i) {
    const size_t n = drafted(lookup, loop).size();
    EXPECT_GT(n, before - (before == kMaxPromptLookupTokens ? 1 : 0));
    lookup.learn(n, n);
    before = n;
  }
  EXPECT_EQ(before, kMaxPromptLookupTokens);
  lookup.learn(before, 40);  // it paid
  EXPECT_EQ(drafted(lookup, loop).size(), before);
  lookup.learn(before, 20);  // it did not
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(drafted(lookup, loop).empty());
  EXPECT_EQ(drafted(lookup, loop).size(), 20U);
}

TEST(PromptLookup, PausesLongerAfterEachWrongDraft) {
  PromptLookup lookup({10, 2});
  const Ids loop = {5, 6, 5, 6};
  std::vector<size_t> pauses;
  for (int i = 0; i < 8; ++i) {
    size_t n = 0;
    size_t pause = 0;
    for (; (n = drafted(lookup, loop).size()) == 0; ++pause) ASSERT_LT(pause, 1000U);
    pauses.push_back(pause);
    lookup.learn(n, 0);
  }
  EXPECT_EQ(pauses, (std::vector<size_t>{0, 2, 5, 11, 23, 47, 64, 64}));
  lookup.learn(0, 0);  // no draft teaches nothing
}

TEST(PromptLookup, ARightDraftEndsThePauses) {
  PromptLookup lookup({10, 2});
  const Ids loop = {5, 6, 5, 6};
  lookup.learn(4, 0);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(drafted(lookup, loop).empty());
  EXPECT_FALSE(drafted(lookup, loop).empty());
  lookup.learn(4, 4);
  EXPECT_FALSE(drafted(lookup, loop).empty());
  lookup.learn(4, 0);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(drafted(lookup, loop).empty());
}

TEST(PromptLookup, PausesOnlyIfADraftDidNotPay) {
  const auto pauses = [](double cost, size_t right) {
    PromptLookup lookup({10, 2, cost});
    lookup.learn(10, right);
    return drafted(lookup, {5, 6, 5, 6}).empty();
  };
  EXPECT_FALSE(pauses(0, 0));
  EXPECT_FALSE(pauses(0.3, 3));
  EXPECT_TRUE(pauses(0.3, 2));
  EXPECT_FALSE(pauses(0.9, 9));
  EXPECT_TRUE(pauses(0.9, 8));
}

}  // namespace
}  // namespace ambry::infer
