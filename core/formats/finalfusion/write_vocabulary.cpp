#include "formats/finalfusion/write_vocabulary.h"

#include <bit>
#include <numeric>
#include <vector>

#include "base/order.h"
#include "base/utf8.h"
#include "formats/finalfusion/finalfusion_layout.h"
#include "model/vocabulary/repeated_tokens.h"

namespace ambry::formats::finalfusion {
namespace {

using model::WordVocabularyKind;

Failure refuse(const char* path, const Text& message) {
  return make_error(ErrorCode::BadValue, path, message);
}

Result<void> check_texts(const model::Vocabulary& texts, const char* path) {
  for (size_t i = 0; i < texts.size(); ++i) {
    if (find_invalid_utf8(texts[i])) {
      return make_error(ErrorCode::BadValue, {path, "[", i, "]"}, "not valid UTF-8");
    }
  }
  const model::RepeatedTokens repeated = model::find_repeated_tokens(texts, 1);
  if (repeated.count == 0) return {};
  const auto& [first, again] = repeated.examples.front();
  return make_error(ErrorCode::BadValue, {path, "[", again, "]"},
                    {"\"", texts[again], "\" is number ", first, " already"});
}

void put_text(std::string_view text, io::ByteWriter& writer) {
  writer.put(static_cast<uint32_t>(text.size()));
  writer.put_text(text);
}

void put_words(const model::WordVocabulary& words, io::ByteWriter& writer) {
  for (size_t i = 0; i < words.words.size(); ++i) put_text(words.words[i], writer);
}

// The n-grams in an order in which their rows first appear as 0, 1, 2, …: their current order, or
// the order of rows. One reader numbers rows by first appearance, whatever is stored.
Result<std::vector<uint32_t>> ngram_order(const model::WordVocabulary& words) {
  const std::vector<uint32_t>& rows = words.ngram_rows;
  if (rows.size() != words.ngrams.size()) return refuse("vocabulary.ngrams", "not one row each");
  std::vector<uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto rows_in_order = [&] {
    uint64_t next = 0;
    for (const uint32_t i : order) {
      if (rows[i] > next) return false;
      if (rows[i] == next) ++next;
    }
    return next == words.n_buckets;
  };
  if (rows_in_order()) return order;
  order = sorted_order(rows.size(), [&](uint32_t a, uint32_t b) { return rows[a] < rows[b]; });
  if (!rows_in_order()) return refuse("vocabulary.ngrams", "rows are left out, or too many");
  return order;
}

Result<void> put_explicit(const model::WordVocabulary& words, io::ByteWriter& writer) {
  AMBRY_RETURN_IF_ERROR(check_texts(words.ngrams, "vocabulary.ngrams"));
  AMBRY_TRY(const std::vector<uint32_t> order, ngram_order(words));
  writer.put(words.n_words);
  writer.put(uint64_t{words.ngrams.size()});
  writer.put(words.min_n);
  writer.put(words.max_n);
  put_words(words, writer);
  for (const uint32_t i : order) {
    put_text(words.ngrams[i], writer);
    writer.put(uint64_t{words.ngram_rows[i]});
  }
  return {};
}

Result<void> put_floret(const model::WordVocabulary& words, io::ByteWriter& writer) {
  if (words.n_words != 0) return refuse("vocabulary.words", "floret keeps no words");
  if (words.n_hashes == 0 || words.n_hashes > kMaxHashes) {
    return refuse("vocabulary.n_hashes", {words.n_hashes, ", must be 1 to 4"});
  }
  writer.put(words.min_n);
  writer.put(words.max_n);
  writer.put(words.n_buckets);
  writer.put(words.n_hashes);
  writer.put(words.seed);
  put_text(words.bow, writer);
  put_text(words.eow, writer);
  return {};
}

// The field for the number of buckets in chunks 3 and 7.
Result<uint32_t> bucket_field(const model::WordVocabulary& words) {
  if (words.kind == WordVocabularyKind::FastText) {
    if (words.n_buckets <= UINT32_MAX) return static_cast<uint32_t>(words.n_buckets);
  } else if (words.n_buckets > 1 && std::has_single_bit(words.n_buckets)) {
    return static_cast<uint32_t>(std::countr_zero(words.n_buckets));
  }
  return refuse("vocabulary.n_buckets", {"a ", word_vocabulary_kind_name(words.kind),
                                         " vocabulary cannot state ", words.n_buckets, " buckets"});
}

}  // namespace

Result<void> put_vocabulary(const model::WordVocabulary& words, io::ByteWriter& writer) {
  if (words.words.size() != words.n_words) {
    return refuse("vocabulary.words", "the words were not read");
  }
  if (!words.any_bytes) AMBRY_RETURN_IF_ERROR(check_texts(words.words, "vocabulary.words"));
  if (words.kind == WordVocabularyKind::Simple) {
    writer.put(words.n_words);
    put_words(words, writer);
    return {};
  }
  if (words.min_n == 0 || words.min_n > words.max_n) {
    return refuse("vocabulary.min_n",
                  {"n-grams of ", words.min_n, " to ", words.max_n, " characters"});
  }
  if (words.kind == WordVocabularyKind::Explicit) return put_explicit(words, writer);
  if (words.n_buckets == 0) return refuse("vocabulary.n_buckets", "there must be a bucket");
  if (words.kind == WordVocabularyKind::Floret) return put_floret(words, writer);
  AMBRY_TRY(const uint32_t buckets, bucket_field(words));
  writer.put(words.n_words);
  writer.put(words.min_n);
  writer.put(words.max_n);
  writer.put(buckets);
  put_words(words, writer);
  return {};
}

}  // namespace ambry::formats::finalfusion
