// One vector for a text from the vectors of its words, so that texts can be searched with word
// vectors alone.
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
  Mean,  // every word counts alike
  // Smooth inverse frequency (Arora et al., 2017): a / (a + p), a = 0.001. Files keep no
  // frequencies, but list words from the most frequent on; by Zipf's law the word of row r has
  // p = 1 / ((r + 1) H), H the sum of that over all words. The common component, which the authors
  // take away from all texts of a collection, stays.
  Sif,
};

struct SentenceOptions {
  WordWeights weights = WordWeights::Mean;
  bool normalize = true;
};

// Calls visit(word) for the words of a text, as the vocabulary has them: what stands between white
// space where it is a word; otherwise its parts without punctuation, each as it is or in lower
// case, whichever is a word. Parts that are neither are visited as they are.
void for_each_word(const WordVectors& vectors, std::string_view text,
                   const std::function<void(std::string_view)>& visit);

class SentenceEncoder {
 public:
  SentenceEncoder(const WordVectors& vectors, const SentenceOptions& options);

  // The weighted mean of the vectors of the words that have one, zeros when none has; of length 1
  // if asked for. A word of too many pieces has none. NeedBytes for a row that is not held.
  [[nodiscard]] Result<void> encode(std::string_view text, std::span<float> out) const;
  // The rows that encode() would read, behind those that are there already.
  void collect_rows(std::string_view text, std::vector<uint64_t>& rows) const;

 private:
  [[nodiscard]] float weight_of(std::string_view word) const;

  const WordVectors* vectors_;
  SentenceOptions options_;
  double harmonic_ = 1.0;  // the sum of 1 / (r + 1) over all words
};

}  // namespace ambry::infer
