#include "infer/decoder/sampling/nearest.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/order.h"

namespace ambry::infer {
namespace {

// Tokens are counted in steps of their distance. Only the step in which enough tokens are reached
// needs an order.
constexpr size_t kSteps = 256;
constexpr double kStepsPerNat = 16;

struct Step {
  double weight = 0;
  uint64_t count = 0;
};

class Nearness {
 public:
  explicit Nearness(double center) : center_(center) {}

  [[nodiscard]] double distance(const Candidate& candidate) const {
    return std::abs(center_ - candidate.logit);
  }
  [[nodiscard]] size_t step(const Candidate& candidate) const {
    return static_cast<size_t>(std::min(distance(candidate) * kStepsPerNat, kSteps - 1.0));
  }
  [[nodiscard]] bool is_nearer(const Candidate& a, const Candidate& b) const {
    const double of_a = distance(a);
    const double of_b = distance(b);
    return of_a != of_b ? of_a < of_b : is_likelier(a, b);
  }

 private:
  double center_;
};

Candidates in_step(const Candidates& candidates, const Nearness& nearness, size_t step) {
  Candidates found;
  for (const Candidate& candidate : candidates) {
    if (nearness.step(candidate) == step) found.push_back(candidate);
  }
  sort_items(found,
             [&](const Candidate& a, const Candidate& b) { return nearness.is_nearer(a, b); });
  return found;
}

}  // namespace

void keep_nearest(Candidates& candidates, double center, double enough, uint64_t min_keep) {
  const Nearness nearness(center);
  std::array<Step, kSteps> steps;
  for (const Candidate& candidate : candidates) {
    Step& step = steps[nearness.step(candidate)];
    step.weight += candidate.weight;
    ++step.count;
  }
  const auto is_enough = [&](const Step& so_far) {
    return so_far.weight > enough && so_far.count >= min_keep;
  };
  Step so_far;
  for (size_t i = 0; i < kSteps; ++i) {
    const Step with = {so_far.weight + steps[i].weight, so_far.count + steps[i].count};
    if (!is_enough(with)) {
      so_far = with;
      continue;
    }
    // The last token that stays is in this step.
    const Candidates ordered = in_step(candidates, nearness, i);
    size_t kept = 0;
    do {
      so_far.weight += ordered[kept++].weight;
      ++so_far.count;
    } while (kept < ordered.size() && !is_enough(so_far));
    const Candidate last = ordered[kept - 1];
    std::erase_if(candidates, [&](const Candidate& c) { return nearness.is_nearer(last, c); });
    return;
  }
}

}  // namespace ambry::infer
