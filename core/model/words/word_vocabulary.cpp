#include "model/words/word_vocabulary.h"

#include <array>

#include "base/checked.h"

namespace ambry::model {

std::string_view word_vocabulary_kind_name(WordVocabularyKind kind) {
  static constexpr std::array<std::string_view, 5> kNames = {"simple", "bucket", "fasttext",
                                                             "explicit", "floret"};
  return kNames[static_cast<size_t>(kind)];
}

WordVocabulary::WordVocabulary() = default;
WordVocabulary::WordVocabulary(const WordVocabulary&) = default;
WordVocabulary::WordVocabulary(WordVocabulary&&) noexcept = default;
WordVocabulary& WordVocabulary::operator=(const WordVocabulary&) = default;
WordVocabulary& WordVocabulary::operator=(WordVocabulary&&) noexcept = default;
WordVocabulary::~WordVocabulary() = default;

uint64_t WordVocabulary::n_rows() const {
  return checked_add(n_words, n_buckets).value_or(UINT64_MAX);
}

}  // namespace ambry::model
