// Makes one vector for a text from the vectors of its words, so that texts can be searched with
// word vectors alone.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "infer/words/word_vectors.h"

namespace ambry::infer {

enum class WordWeights : uint8_t {
  Mean,  // all words count the same
  // Smooth inverse frequency (Arora et al., 2017): a / (a + p), a = 0.001. Files store no
  // frequencies, but list the most frequent words first. By Zipf's law the word of row r has p = 1
  // / ((r + 1) H), with H the sum of 1 / (r + 1) over all words. Unlike the authors, this does not
  // subtract the common component of a collection of texts.
  Sif,
};

struct SentenceOptions {
  WordWeights weights = WordWeights::Mean;
  bool normalize = true;
};

// Calls visit(word) for the words of a text. A run between white space is a word if the vocabulary
// has it. Otherwise its parts between punctuation are visited, each as it is or in lower case,
// whichever the vocabulary has, and as it is if it has neither.
void for_each_word(const WordVectors& vectors, std::string_view text,
                   const std::function<void(std::string_view)>& visit);

class SentenceEncoder {
 public:
  SentenceEncoder(const WordVectors& vectors, const SentenceOptions& options);

  // The weighted mean of the words' vectors, scaled to length 1 if asked for; zeros when no word
  // has a vector. Vectors of zeros do not count. A word with too many n-grams has none. NeedBytes
  // for a row that is not in memory.
  [[nodiscard]] Result<void> encode(std::string_view text, std::span<float> out) const;
  // Appends the rows that encode() would read.
  void collect_rows(std::string_view text, std::vector<uint64_t>& rows) const;

 private:
  [[nodiscard]] float weight_of(std::string_view word) const;

  const WordVectors* vectors_;
  SentenceOptions options_;
  double harmonic_ = 1.0;  // the sum of 1 / (r + 1) over all words
};

}  // namespace ambry::infer
