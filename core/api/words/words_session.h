// Word vectors opened and ready: their facts, lookups by word and by the pieces of unknown words,
// nearest words, analogies, and jobs over many questions or texts
// (core/formats/finalfusion/README.md#similarity).
//
// Opened whole (WordsLoader) or in range mode (open_ranged): then the vocabulary, the codebooks and
// all norms are held, and rows are fetched as words ask for them. A lookup that lacks a row fails
// with NeedBytes; missing() says beforehand, and for many words at once, what to fetch.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/loading/byte_sink.h"
#include "api/words/accuracy_job.h"
#include "api/words/sentence_job.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/words/word_vectors.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::api {

// What became of some words, in their order.
struct WordBatch {
  uint32_t dim = 0;
  AlignedBuffer vectors;       // a row of `dim` floats a word; zeros for none
  std::vector<float> norms;    // of the vector before it got length 1; 0 for none
  std::vector<uint8_t> found;  // infer::Found: 0 none, 1 known, 2 subwords

  [[nodiscard]] std::span<const float> rows() const { return vectors.as<float>(); }
};

class WordsSession {
 public:
  // Range mode, over the held parts of a finalfusion file. NeedBytes until they hold everything but
  // the rows. The source may be forgotten afterwards.
  [[nodiscard]] static Result<WordsSession> open_ranged(const io::Source& source);

  // JSON of file_info() with `words`: {kind, storage: array | quantized, size, rows, dim, hasNorms,
  // ranged}.
  [[nodiscard]] std::string info() const;
  // Bytes of rows, codebooks and norms that are held.
  [[nodiscard]] uint64_t weight_bytes() const { return vectors_->held_bytes(); }

  // `words` is a JSON list of texts. The vectors as the file has them, of length 1 by its
  // convention; `unnormalized` multiplies them with their norms (1 where a file has none).
  [[nodiscard]] Result<WordBatch> vectors(std::string_view words, bool unnormalized) const;

  // JSON {word, found: known | subwords | none, row, norm, ngrams: [{text, rows, known}], reason}:
  // `row` of a known word, `norm` where there is a vector, the n-grams of an unknown one with the
  // rows that they take, and for none the reason; null otherwise.
  [[nodiscard]] Result<std::string> explain(std::string_view word) const;

  // JSON [{word, score}], the best first, equal scores by the words' bytes. `options` is JSON {k:
  // 10, metric: cosine | angular, exclude: [word]}, all optional. The query's word itself is left
  // out. Scores are the reference's: the dot product of the vector, taken as it is, with the words'
  // rows, which are of length 1 by the format's convention; rows whose score is no number are left
  // out. NotFound with the path `word`; Unsupported where rows are not held or list no words.
  [[nodiscard]] Result<std::string> similar(std::string_view word, std::string_view options) const;
  // The same by a vector of dim numbers, which gets length 1 first.
  [[nodiscard]] Result<std::string> similar_to(std::span<const float> vector,
                                               std::string_view options) const;
  // `a` is to `b` as `c` is to what? By the vector b - a + c of length 1. `options` as above and
  // {include: [a | b | c]}, which of the three may be answers. NotFound with the path of the first
  // that has no vector.
  [[nodiscard]] Result<std::string> analogy(std::string_view a, std::string_view b,
                                            std::string_view c, std::string_view options) const;

  // JSON list of the words of rows `offset` … `offset` + `limit` - 1, fewer at the end.
  [[nodiscard]] std::string list(uint64_t offset, uint64_t limit) const;

  // Range mode: JSON [[offset, size]] of the file, what the vectors of these words (a JSON list)
  // need and is not held. Neighbours with gaps of up to 4 KiB are one range.
  [[nodiscard]] Result<std::string> missing(std::string_view words) const;
  // Takes a range that was fetched; whole rows are kept, in a cache of bounded size. BadValue for a
  // code without a centroid.
  [[nodiscard]] Result<void> supply(uint64_t offset, Bytes bytes) const;
  // Range mode of quantized vectors: streams all codes, after which queries work; complete when
  // wanted() is 0. Unsupported for arrays and for a session that holds its rows.
  [[nodiscard]] Result<std::unique_ptr<ByteSink>> begin_codes() const;

  [[nodiscard]] AccuracyJob begin_accuracy() const { return AccuracyJob(vectors_); }
  // `options` is JSON {pooling: mean | sif, normalize: true}, both optional.
  [[nodiscard]] Result<SentenceJob> begin_sentences(std::string_view options) const {
    return SentenceJob::begin(vectors_, options);
  }

  // `model` without its vocabulary, which the vectors have; WordsLoader makes whole sessions.
  WordsSession(model::Model model, infer::WordVectors vectors, bool ranged);

 private:
  model::Model model_;                           // without its vocabulary, which the vectors have
  std::shared_ptr<infer::WordVectors> vectors_;  // shared with jobs under way
  bool ranged_;
};

}  // namespace ambry::api
