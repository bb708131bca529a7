#include "convert/finalfusion/ngram_list.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ambry::convert {
namespace {

constexpr uint32_t kUnused = UINT32_MAX;
// Words in one step.
constexpr uint64_t kWordsAtOnce = 4096;
// The most n-grams in one word. Real words have a few hundred.
constexpr uint64_t kMaxOfWord = 1 << 17;
// The most bytes of all n-grams together. Those of two million words take a tenth of this.
constexpr size_t kMaxText = size_t{1} << 30;

}  // namespace

Result<bool> NgramList::step() {
  if (next_word_ == 0) AMBRY_RETURN_IF_ERROR(begin());
  const uint64_t end = std::min(words_.n_words, next_word_ + kWordsAtOnce);
  for (; next_word_ < end; ++next_word_) AMBRY_RETURN_IF_ERROR(add_word(next_word_));
  return next_word_ < words_.n_words;
}

double NgramList::progress() const {
  return static_cast<double>(next_word_) /
         static_cast<double>(std::max<uint64_t>(words_.n_words, 1));
}

Result<void> NgramList::begin() {
  AMBRY_TRY(index_of_, AlignedBuffer::allocate(words_.n_buckets * sizeof(uint32_t)));
  std::ranges::fill(index_of_.as<uint32_t>(), kUnused);
  return {};
}

Result<void> NgramList::add_word(uint64_t word) {
  const std::string_view text = words_.words[static_cast<size_t>(word)];
  const auto limit = [&](uint64_t count, const char* what, uint64_t max) {
    return make_error(ErrorCode::LimitExceeded, {"vocabulary.words[", word, "]"},
                      {count, what, max});
  };
  const uint64_t n_pieces = pieces_.count(text);
  if (n_pieces > kMaxOfWord)
    return limit(n_pieces, " n-grams in one word; the maximum is ", kMaxOfWord);
  pieces_.for_each(text, [&](std::string_view ngram, std::span<const uint64_t> rows) {
    add_ngram(ngram, rows.front());
  });
  if (ngrams_.text_bytes() > kMaxText) {
    return limit(ngrams_.text_bytes(), " bytes of n-grams so far; the maximum is ", kMaxText);
  }
  return {};
}

void NgramList::add_ngram(std::string_view ngram, uint64_t row) {
  if (seen_.find(ngram) != seen_.end()) return;
  uint32_t& index = index_of_.as<uint32_t>()[static_cast<size_t>(row - words_.n_words)];
  if (index == kUnused) {
    index = static_cast<uint32_t>(rows_.size());
    rows_.push_back(row);
  }
  const auto number = static_cast<uint32_t>(ngrams_.size());
  ngrams_.push_back(ngram);
  ngram_rows_.push_back(index);
  seen_.insert(number);
}

NgramList::Listed NgramList::take() {
  model::WordVocabulary stored = words_;
  stored.kind = model::WordVocabularyKind::Explicit;
  stored.n_buckets = rows_.size();
  seen_.clear();
  stored.ngrams = std::move(ngrams_);
  stored.ngram_rows = std::move(ngram_rows_);
  return {std::move(stored), std::move(rows_)};
}

}  // namespace ambry::convert
