// The vocabulary of word vectors: whole words, and n-grams from which a word outside the vocabulary
// still gets a vector (core/formats/finalfusion/README.md#vocabularies). Row i of the vectors
// belongs to word i; the rows of the n-grams follow.
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
  FastText,  // n-grams hashed as in fastText, modulo the number of rows
  Explicit,  // every n-gram is stored with its row
  Floret,    // words and n-grams are all hashed into rows, several each; words are not stored
};

// Which n-grams a word has, and what an unknown word gets of their rows.
enum class NgramRule : uint8_t {
  Finalfusion,  // all n-grams; the sum of their rows
  FastText,     // no bracket alone, and none for `</s>`; the mean of their rows
};

// fastText's name of the end of a line. It is no word, so it has no n-grams.
inline constexpr std::string_view kEndOfLine = "</s>";

// The name that `inspect` prints: `simple`, `bucket`, `fasttext`, and so on.
[[nodiscard]] std::string_view word_vocabulary_kind_name(WordVocabularyKind kind);

// The special members are out of line, as in Error, to keep the WebAssembly small.
struct WordVocabulary {
  WordVocabulary();
  WordVocabulary(const WordVocabulary&);
  WordVocabulary(WordVocabulary&&) noexcept;
  WordVocabulary& operator=(const WordVocabulary&);
  WordVocabulary& operator=(WordVocabulary&&) noexcept;
  ~WordVocabulary();

  WordVocabularyKind kind = WordVocabularyKind::Simple;
  Vocabulary words;      // index = row; empty when not read (ReadOptions::vocabulary)
  uint64_t n_words = 0;  // set even when the words were not read
  // For all kinds but Simple: lengths of n-grams in Unicode scalar values, with brackets.
  uint32_t min_n = 0;
  uint32_t max_n = 0;
  uint64_t n_buckets = 0;  // number of rows after those of the words
  NgramRule rule = NgramRule::Finalfusion;
  // Whether words may have any bytes (a file that was made to run). They are shown with U+FFFD.
  bool any_bytes = false;

  // Explicit: ngrams[i] has the row n_words + ngram_rows[i]. Several n-grams may share a row.
  Vocabulary ngrams;
  std::vector<uint32_t> ngram_rows;

  // Floret: the number of rows for each piece, and the brackets around a word.
  uint32_t n_hashes = 0;
  uint32_t seed = 0;
  std::string bow = "<";
  std::string eow = ">";

  // The number of rows that the vectors must have. UINT64_MAX when the sum passes 64 bits.
  [[nodiscard]] uint64_t n_rows() const;

  friend bool operator==(const WordVocabulary&, const WordVocabulary&) = default;
};

}  // namespace ambry::model
