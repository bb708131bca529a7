// What every step keeps of many tokens, beside a plain sort.
#include "infer/decoder/sampling/truncation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace ambry::infer {
namespace {

// 700 tokens with logits from 0 to 17.5 in a mixed order, weighed.
Candidates many() {
  Candidates candidates;
  for (uint32_t id = 0; id < 700; ++id) {
    candidates.push_back({id, static_cast<float>(id * 79 % 700) / 40, 0});
  }
  weigh(candidates, 1);
  return candidates;
}

std::vector<uint32_t> sorted_ids(const Candidates& candidates) {
  std::vector<uint32_t> ids;
  for (const Candidate& candidate : candidates) ids.push_back(candidate.id);
  std::ranges::sort(ids);
  return ids;
}

// The first ids of the candidates in the order of `key`, until their share is enough.
std::vector<uint32_t> fewest(Candidates candidates, const std::function<double(double)>& key,
                             const std::function<bool(double)>& enough) {
  const double total = sum_of_weights(candidates);
  std::ranges::sort(candidates, [&](const Candidate& a, const Candidate& b) {
    const double of_a = key(a.weight / total);
    const double of_b = key(b.weight / total);
    return of_a != of_b ? of_a < of_b : is_likelier(a, b);
  });
  double sum = 0;
  size_t kept = 0;
  while (kept < candidates.size() && !enough(sum)) sum += candidates[kept++].weight / total;
  candidates.resize(kept);
  return sorted_ids(candidates);
}

TEST(Truncation, TopPKeepsTheFewest) {
  for (const double p : {0.05, 0.5, 0.9, 0.999}) {
    Candidates kept = many();
    keep_top_p(kept, p, 0);
    EXPECT_EQ(sorted_ids(kept),
              fewest(many(), [](double x) { return -x; }, [&](double sum) { return sum >= p; }));
  }
}

TEST(Truncation, TypicalKeepsTheFewest) {
  double entropy_by_definition = 0;
  const double total = sum_of_weights(many());
  for (const Candidate& candidate : many()) {
    entropy_by_definition -= candidate.weight / total * std::log(candidate.weight / total);
  }
  EXPECT_NEAR(entropy(many()), entropy_by_definition, 1e-6);
  for (const double p : {0.05, 0.5, 0.9, 0.999}) {
    Candidates kept = many();
    keep_typical(kept, p, 0);
    const auto distance = [&](double x) { return std::abs(-std::log(x) - entropy_by_definition); };
    EXPECT_EQ(sorted_ids(kept), fewest(many(), distance, [&](double sum) { return sum > p; }));
  }
}

TEST(Truncation, KeepsAllOfOneToken) {
  for (const auto& step : std::vector<std::function<void(Candidates&)>>{
           [](Candidates& c) { keep_top_n_sigma(c, 0.01); },
           [](Candidates& c) { keep_top_k(c, 1); }, [](Candidates& c) { keep_top_p(c, 0, 0); },
           [](Candidates& c) { keep_min_p(c, 1, 0); }, [](Candidates& c) { keep_typical(c, 0, 0); },
           [](Candidates& c) { leave_out_top_choices(c, 0, 0); }}) {
    Candidates one = {{.id = 5, .logit = -3, .weight = 1}};
    step(one);
    EXPECT_EQ(sorted_ids(one), std::vector<uint32_t>{5});
  }
}

TEST(Truncation, LeavesAtLeastOneOfEqualTokens) {
  for (const auto& step : std::vector<std::function<void(Candidates&)>>{
           [](Candidates& c) { keep_top_n_sigma(c, 0.01); },
           [](Candidates& c) { keep_top_k(c, 1); }, [](Candidates& c) { keep_top_p(c, 0, 0); },
           [](Candidates& c) { keep_min_p(c, 1, 0); }, [](Candidates& c) { keep_typical(c, 0, 0); },
           [](Candidates& c) { leave_out_top_choices(c, 0, 0); }}) {
    Candidates equal;
    for (uint32_t id = 0; id < 333; ++id) equal.push_back({id, 0.7F, 0});
    weigh(equal, 1);
    step(equal);
    EXPECT_FALSE(equal.empty());
  }
}

}  // namespace
}  // namespace ambry::infer
