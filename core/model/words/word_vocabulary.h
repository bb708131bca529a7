// The vocabulary of word vectors: whole words, and the pieces of words by which a word that is not
// among them still gets a vector (core/formats/finalfusion/README.md#vocabularies). Row i of the
// vectors belongs to word i; the rows of the pieces follow.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocabulary/vocabulary.h"

namespace ambry::model {

enum class WordVocabularyKind : uint8_t {
  Simple,    // words only
  Bucket,    // n-grams hashed with FNV-1a 64 into a power of two of rows
  FastText,  // n-grams hashed as fastText does, modulo the number of rows
  Explicit,  // every n-gram stored with its row
  Floret,    // no words: words and n-grams alike hashed into rows, several each
};

// `simple`, `bucket`, `fasttext`, … as printed by `inspect`.
[[nodiscard]] std::string_view word_vocabulary_kind_name(WordVocabularyKind kind);

// Special members out of line, as for Error.
struct WordVocabulary {
  WordVocabulary();
  WordVocabulary(const WordVocabulary&);
  WordVocabulary(WordVocabulary&&) noexcept;
  WordVocabulary& operator=(const WordVocabulary&);
  WordVocabulary& operator=(WordVocabulary&&) noexcept;
  ~WordVocabulary();

  WordVocabularyKind kind = WordVocabularyKind::Simple;
  Vocabulary words;      // index = row; empty when they were not read (ReadOptions::vocabulary)
  uint64_t n_words = 0;  // also then
  // Of all kinds but Simple. Lengths of the n-grams in Unicode scalar values, brackets included.
  uint32_t min_n = 0;
  uint32_t max_n = 0;
  uint64_t n_buckets = 0;  // rows after those of the words

  // Explicit: the row of ngrams[i] is n_words + ngram_rows[i]. Several may share one.
  Vocabulary ngrams;
  std::vector<uint32_t> ngram_rows;

  // Floret: how many rows a piece has, and what is put around a word.
  uint32_t n_hashes = 0;
  uint32_t seed = 0;
  std::string bow = "<";
  std::string eow = ">";

  // The rows that the vectors must have; UINT64_MAX when the sum passes 64 bits.
  [[nodiscard]] uint64_t n_rows() const;

  friend bool operator==(const WordVocabulary&, const WordVocabulary&) = default;
};

}  // namespace ambry::model
