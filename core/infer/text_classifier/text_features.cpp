#include "infer/text_classifier/text_features.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/words/subwords.h"

namespace ambry::infer {
namespace {

using namespace std::string_view_literals;

// Ends every text. It is in most dictionaries, and has no n-grams of characters.
constexpr auto kEndOfText = "</s>"sv;
// A word that begins so is a label, whether the model knows it or not. Labels do not count.
constexpr auto kLabelPrefix = "__label__"sv;
constexpr auto kWhiteSpace = " \n\r\t\v\f\0"sv;

// Calls visit(word) for the runs between white space, which is ASCII only, until it returns false.
template <class Visit>
void for_each_run(std::string_view text, const Visit& visit) {
  for (size_t at = 0; at < text.size();) {
    const size_t begin = text.find_first_not_of(kWhiteSpace, at);
    if (begin == std::string_view::npos) return;
    const size_t end = std::min(text.find_first_of(kWhiteSpace, begin), text.size());
    if (!visit(text.substr(begin, end - begin))) return;
    at = end;
  }
}

bool continues_character(char byte) { return (static_cast<uint8_t>(byte) & 0xC0U) == 0x80U; }

// 32-bit hashes are numbers with a sign where n-grams of words are hashed.
uint64_t with_sign(uint32_t hash) {
  return static_cast<uint64_t>(int64_t{static_cast<int32_t>(hash)});
}

}  // namespace

// Adds up rows of the matrix.
class TextFeatures::Sum {
 public:
  Sum(const MatrixRows& rows, std::span<float> sum) : rows_(rows), sum_(sum) {}

  void add(uint64_t row) {
    rows_.add_to(sum_, row);
    ++count_;
  }
  [[nodiscard]] uint64_t count() const { return count_; }

 private:
  const MatrixRows& rows_;
  std::span<float> sum_;
  uint64_t count_ = 0;
};

TextFeatures::TextFeatures(model::TextClassifier& classifier)
    : word_ngrams_(classifier.word_ngrams),
      min_n_(classifier.min_n),
      max_n_(classifier.max_n),
      n_buckets_(classifier.n_buckets),
      n_words_(classifier.n_words),
      buckets_(classifier),
      words_(std::move(classifier.words)),
      word_index_(words_),
      label_index_(classifier.labels) {}

uint64_t TextFeatures::average(std::string_view text, const model::Vocabulary& labels,
                               const MatrixRows& rows, std::span<float> mean) const {
  std::ranges::fill(mean, 0.0F);
  Sum sum(rows, mean);
  std::vector<uint32_t> hashes;
  const auto add = [&](std::string_view word) {
    const bool known_label = label_index_.find(labels, word).has_value();
    const bool is_label = known_label || (word.starts_with(kLabelPrefix) &&
                                          !word_index_.find(words_, word).has_value());
    if (is_label) return true;
    add_word(word, sum);
    if (word_ngrams_ > 1) hashes.push_back(model::fasttext_hash(word));
    return word != kEndOfText;
  };
  bool ended = false;
  for_each_run(text, [&](std::string_view word) {
    ended = !add(word);
    return !ended;
  });
  if (!ended) add(kEndOfText);
  add_word_ngrams(hashes, sum);
  if (sum.count() == 0) return 0;
  const auto factor = static_cast<float>(1.0 / static_cast<double>(sum.count()));
  for (float& value : mean) value *= factor;
  return sum.count();
}

void TextFeatures::add_word(std::string_view word, Sum& sum) const {
  if (const auto id = word_index_.find(words_, word)) sum.add(*id);
  if (max_n_ > 0 && word != kEndOfText) add_ngrams(word, sum);
}

// An n-gram is min_n to max_n characters of the word in its brackets, but not a bracket alone.
void TextFeatures::add_ngrams(std::string_view word, Sum& sum) const {
  std::string text;
  text.reserve(word.size() + 2);
  text += '<';
  text += word;
  text += '>';
  for (size_t start = 0; start < text.size(); ++start) {
    if (continues_character(text[start])) continue;
    uint32_t hash = model::kFastTextHashStart;
    size_t end = start;
    for (uint32_t n = 1; n <= max_n_ && end < text.size(); ++n) {
      size_t next = end + 1;
      while (next < text.size() && continues_character(text[next])) ++next;
      hash = model::fasttext_hash(std::string_view(text).substr(end, next - end), hash);
      end = next;
      if (n < min_n_ || (n == 1 && (start == 0 || end == text.size()))) continue;
      if (const auto row = buckets_.find(hash % n_buckets_)) sum.add(n_words_ + *row);
    }
  }
}

void TextFeatures::add_word_ngrams(std::span<const uint32_t> hashes, Sum& sum) const {
  for (size_t start = 0; start < hashes.size(); ++start) {
    uint64_t hash = with_sign(hashes[start]);
    const size_t end = std::min<size_t>(hashes.size(), start + word_ngrams_);
    for (size_t i = start + 1; i < end; ++i) {
      hash = hash * 116049371U + with_sign(hashes[i]);
      const auto bucket = static_cast<uint32_t>(hash % n_buckets_);
      if (const auto row = buckets_.find(bucket)) sum.add(n_words_ + *row);
    }
  }
}

}  // namespace ambry::infer
