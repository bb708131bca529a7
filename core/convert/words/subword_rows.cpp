#include "convert/words/subword_rows.h"

#include <algorithm>

#include "model/words/subwords.h"

namespace ambry::convert {
namespace {

// The most uses in memory. Each takes 8 bytes, twice while they are sorted.
constexpr uint64_t kMaxUses = 2 << 20;

}  // namespace

Result<uint64_t> SubwordRows::collect(uint64_t first, uint64_t max_words) {
  counts_.clear();
  uses_.clear();
  const uint64_t end = std::min(words_.n_words, first + max_words);
  uint64_t word = first;
  for (; word < end; ++word) {
    const std::string_view text = words_.words[static_cast<size_t>(word)];
    const uint64_t n_ngrams = pieces_.count(text);
    if (n_ngrams > model::kMaxPiecesOfWord) {
      return make_error(ErrorCode::LimitExceeded, {"vocabulary.words[", word, "]"},
                        {"the word has ", n_ngrams, " n-grams, but at most ",
                         model::kMaxPiecesOfWord, " are supported"});
    }
    if (word > first && uses_.size() + n_ngrams > kMaxUses) break;
    collect_word(word, static_cast<uint32_t>(word - first));
  }
  deal();
  return word - first;
}

void SubwordRows::collect_word(uint64_t word, uint32_t index) {
  const std::string_view text = words_.words[static_cast<size_t>(word)];
  const size_t before = uses_.size();
  pieces_.for_each(text, [&](std::string_view /*piece*/, std::span<const uint64_t> rows) {
    const auto bucket = static_cast<uint32_t>(rows[0] - words_.n_words);
    if (kept_.empty()) {
      uses_.push_back({bucket, index});
      return;
    }
    const auto found = std::ranges::lower_bound(kept_, bucket);
    if (found == kept_.end() || *found != bucket) return;
    uses_.push_back({static_cast<uint32_t>(found - kept_.begin()), index});
  });
  counts_.push_back(static_cast<uint32_t>(uses_.size() - before));
}

// Sorts by block and keeps the order inside it. So the sums equal the reference's when one block
// has all n-grams.
void SubwordRows::deal() {
  const uint64_t n_rows = kept_.empty() ? words_.n_buckets : kept_.size();
  const auto n_blocks = static_cast<size_t>((n_rows + rows_per_block_ - 1) / rows_per_block_);
  starts_.assign(n_blocks + 1, 0);
  const auto block_of = [&](const Use& use) {
    return static_cast<size_t>(use.row / rows_per_block_);
  };
  for (const Use& use : uses_) ++starts_[block_of(use) + 1];
  for (size_t i = 1; i <= n_blocks; ++i) starts_[i] += starts_[i - 1];
  std::vector<Use> dealt(uses_.size());
  std::vector<size_t> next(starts_.begin(), starts_.end() - 1);
  for (const Use& use : uses_) dealt[next[block_of(use)]++] = use;
  uses_.swap(dealt);
}

std::span<const SubwordRows::Use> SubwordRows::uses(size_t block) const {
  return std::span(uses_).subspan(starts_[block], starts_[block + 1] - starts_[block]);
}

}  // namespace ambry::convert
