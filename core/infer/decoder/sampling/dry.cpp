#include "infer/decoder/sampling/dry.h"

#include <algorithm>
#include <utility>

#include "base/order.h"
#include "infer/decoder/sampling/penalties.h"

namespace ambry::infer {
namespace {

using Sequence = std::vector<uint32_t>;

// The breakers that begin with an id. `breakers` are sorted.
std::span<const Sequence> beginning_with(uint32_t id, const std::vector<Sequence>& breakers) {
  const auto first = std::ranges::partition_point(
      breakers, [&](const Sequence& breaker) { return breaker.front() < id; });
  const auto last = std::partition_point(
      first, breakers.end(), [&](const Sequence& breaker) { return breaker.front() == id; });
  return {first, last};
}

bool starts_with(std::span<const uint32_t> tokens, const Sequence& sequence) {
  return sequence.size() <= tokens.size() &&
         std::ranges::equal(tokens.first(sequence.size()), sequence);
}

}  // namespace

DryPenalty::DryPenalty(DryOptions options) : options_(std::move(options)) {
  sort_items(options_.breakers, [](const Sequence& a, const Sequence& b) { return a < b; });
}

bool DryPenalty::is_on() const { return options_.multiplier > 0 && options_.last_n != 0; }

void DryPenalty::apply(std::span<float> logits, std::span<const uint32_t> so_far) {
  const std::span<const uint32_t> tokens = last_tokens(so_far, options_.last_n);
  const size_t most = reach(tokens);
  if (most < options_.allowed_length) return;
  measure_repeats(tokens);
  longest_.resize(logits.size());
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    const auto length = static_cast<uint32_t>(std::min<size_t>(repeats_[i], most));
    const uint32_t next = tokens[i + 1];
    if (length < options_.allowed_length || next >= logits.size()) continue;
    longest_[next] = std::max(longest_[next], length);
  }
  for (const uint32_t id : tokens) {
    const uint32_t length = id < logits.size() ? std::exchange(longest_[id], 0U) : 0;
    if (length == 0 || breaks_alone(id)) continue;
    logits[id] -= static_cast<float>(penalty_of(length));
  }
}

size_t DryPenalty::reach(std::span<const uint32_t> tokens) const {
  for (size_t begin = tokens.size(); begin-- > 0;) {
    size_t longest = 0;
    for (const Sequence& breaker : beginning_with(tokens[begin], options_.breakers)) {
      if (starts_with(tokens.subspan(begin), breaker)) longest = std::max(longest, breaker.size());
    }
    if (longest > 0) return tokens.size() - begin - longest;
  }
  return tokens.size();
}

bool DryPenalty::breaks_alone(uint32_t id) const {
  return std::ranges::any_of(beginning_with(id, options_.breakers),
                             [](const Sequence& breaker) { return breaker.size() == 1; });
}

// repeats_[i] is how many tokens up to and with tokens[i] are also the last tokens of all. This is
// the Z algorithm, backwards: the tokens from `left` to `right` are known to equal the last ones,
// so that no token is compared twice.
void DryPenalty::measure_repeats(std::span<const uint32_t> tokens) {
  const size_t n = tokens.size();
  repeats_.assign(n, 0);
  const auto back = [&](size_t k) { return tokens[n - 1 - k]; };
  size_t left = 0;
  size_t right = 0;  // one past the last known token
  for (size_t k = 1; k < n; ++k) {
    size_t length = k < right ? std::min<size_t>(right - k, repeats_[n - 1 - (k - left)]) : 0;
    while (k + length < n && back(length) == back(k + length)) ++length;
    repeats_[n - 1 - k] = static_cast<uint32_t>(length);
    if (k + length > right) {
      left = k;
      right = k + length;
    }
  }
}

// Never infinite, so that DRY bans no token.
double DryPenalty::penalty_of(size_t length) const {
  constexpr double kMost = 1e30;
  double penalty = options_.multiplier;
  double power = options_.base;  // of exponents 1, 2, 4, …
  for (uint64_t left = length - options_.allowed_length; left > 0; left /= 2) {
    if (left % 2 == 1) penalty *= power;
    power *= power;
  }
  return std::min(penalty, kMost);
}

}  // namespace ambry::infer
