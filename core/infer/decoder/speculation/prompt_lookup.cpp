#include "infer/decoder/speculation/prompt_lookup.h"

#include <algorithm>
#include <optional>

namespace ambry::infer {
namespace {

constexpr size_t kFirstLength = 2;
constexpr size_t kFirstPause = 2;
constexpr size_t kLongestPause = 64;

// How many tokens before `end` equal the last ones of `ids`, up to `most`.
size_t matching_tokens(std::span<const uint32_t> ids, size_t end, size_t most) {
  size_t n = 0;
  while (n < std::min(most, end) && ids[end - 1 - n] == ids[ids.size() - 1 - n]) ++n;
  return n;
}

// Where the latest of the longest occurrences ends.
std::optional<size_t> find_ngram(std::span<const uint32_t> ids, size_t least, size_t most) {
  size_t longest = least - 1;
  std::optional<size_t> found;
  for (size_t end = ids.size(); --end > 0 && longest < most;) {
    const size_t n = matching_tokens(ids, end, most);
    if (n <= longest) continue;
    longest = n;
    found = end;
  }
  return found;
}

}  // namespace

PromptLookup::PromptLookup(const PromptLookupOptions& options)
    : options_(options), length_(kFirstLength), next_pause_(kFirstPause) {}

void PromptLookup::draft(std::span<const uint32_t> ids, size_t most, std::vector<uint32_t>& draft) {
  const size_t n = std::min({most, length_, options_.num_tokens});
  if (n == 0 || ids.size() < 2) return;
  if (pause_ > 0) {
    --pause_;
    return;
  }
  const size_t size = options_.max_matching_ngram_size;
  const auto found = find_ngram(ids, std::min<size_t>(size, 2), size);
  if (!found) return;
  const size_t period = ids.size() - *found;
  const size_t first = draft.size();
  for (size_t i = 0; i < n; ++i) {
    draft.push_back(i < period ? ids[*found + i] : draft[first + i - period]);
  }
}

void PromptLookup::learn(size_t drafted, size_t right) {
  if (drafted == 0) return;
  if (right == drafted) {
    length_ = std::min(2 * length_, kMaxPromptLookupTokens);
    next_pause_ = kFirstPause;
    return;
  }
  const double cost = options_.token_cost * static_cast<double>(drafted);
  if (static_cast<double>(right) >= cost) return;
  length_ = std::max<size_t>(right, 1);
  pause_ = next_pause_;
  next_pause_ = std::min(2 * next_pause_ + 1, kLongestPause);
}

}  // namespace ambry::infer
