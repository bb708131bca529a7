// Opened word vectors: their facts, lookups by word and by the n-grams of unknown words, nearest
// words, analogies, and jobs over many questions or texts
// (core/formats/finalfusion/README.md#similarity).
//
// They are opened whole or in range mode. Range mode keeps the
// vocabulary, the codebooks and all norms in memory and fetches rows when words need them. A lookup
// without its row fails with NeedBytes. missing() tells in advance, for many words at once, what to
// fetch.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/model/loader.h"
#include "api/model/opened_model.h"
#include "base/aligned_buffer.h"
#include "base/result.h"
#include "infer/words/word_vectors.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::api {

// The vectors of some words, in their order.
struct WordBatch {
  uint32_t dim = 0;
  AlignedBuffer vectors;       // a row of `dim` floats for each word; zeros for none
  std::vector<float> norms;    // of the vector before normalization; 0 for none
  std::vector<uint8_t> found;  // infer::Found: 0 none, 1 known, 2 subwords

  [[nodiscard]] std::span<const float> rows() const { return vectors.as<float>(); }
};

class WordsModel final : public OpenedModel {
 public:
  static constexpr std::string_view kKind = "words";

  // See LoadModel. `options` is JSON {ranged: false}, optional. For range mode the head is all of a
  // finalfusion file but the rows.
  [[nodiscard]] static Result<std::unique_ptr<Loader>> load(const io::Source& source,
                                                            std::string_view options);

  // JSON of file_info() with `words`: {kind, storage: array | quantized, size, rows, dim, hasNorms,
  // ranged}.
  [[nodiscard]] std::string info() const override;
  // The bytes of rows, codebooks and norms.
  [[nodiscard]] uint64_t weight_bytes() const override { return vectors_->weight_bytes(); }

  // `words` is a JSON list of texts. Returns the vectors as stored, which have length 1 by the
  // format's convention. `unnormalized` multiplies them by their norms (1 if the file has none).
  [[nodiscard]] Result<WordBatch> vectors(std::string_view words, bool unnormalized) const;

  // JSON {word, found: known | subwords | none, row, norm, ngrams: [{text, rows, known}], reason}.
  // A known word has `row`; a word with a vector has `norm`; an unknown one has its n-grams with
  // their rows; a word without a vector has `reason`. The others are null.
  [[nodiscard]] Result<std::string> explain(std::string_view word) const;

  // JSON [{word, score}], the best first, equal scores by the words' bytes. `options` is JSON {k:
  // 10, metric: cosine | angular, exclude: [word]}, all optional. The query word itself is left
  // out. Scores are the reference's: the dot product of the stored vector with the words' rows,
  // which have length 1 by the format's convention. Rows whose score is NaN are left out. NotFound
  // with the path `word`; Unsupported when the rows are not in memory or there is no list of words.
  [[nodiscard]] Result<std::string> similar(std::string_view word, std::string_view options) const;
  // The words most similar to a vector of dim values, which is normalized first.
  [[nodiscard]] Result<std::string> similar_to(std::span<const float> vector,
                                               std::string_view options) const;
  // Answers "a is to b as c is to what?" with the normalized vector b - a + c. `options` as above
  // and {include: [a | b | c]}, which of the three may be answers. NotFound with the path of the
  // first word without a vector.
  [[nodiscard]] Result<std::string> analogy(std::string_view a, std::string_view b,
                                            std::string_view c, std::string_view options) const;

  // JSON list of the words of rows `offset` … `offset` + `limit` - 1, or fewer at the end.
  [[nodiscard]] std::string list(uint64_t offset, uint64_t limit) const;

  // Range mode: JSON [[offset, size]] of the missing bytes for these words (a JSON list).
  // Neighbours with gaps of up to 4 KiB are one range.
  [[nodiscard]] Result<std::string> missing(std::string_view words) const;
  // Takes a range that was fetched. Whole rows are kept, in a cache of limited size. BadValue for a
  // code without a centroid.
  [[nodiscard]] Result<void> supply(uint64_t offset, Bytes bytes) const;
  // Range mode of quantized vectors: streams all codes. Queries work when wanted() is 0.
  // Unsupported for dense vectors, and for a model that has its rows in memory.
  [[nodiscard]] Result<std::unique_ptr<ByteSink>> begin_codes() const;

  // Jobs share them.
  [[nodiscard]] const std::shared_ptr<infer::WordVectors>& shared_vectors() const {
    return vectors_;
  }

  // `model` has no vocabulary, because the vectors have it.
  WordsModel(model::Model model, infer::WordVectors vectors, bool ranged);

 private:
  model::Model model_;                           // without its vocabulary, which the vectors have
  std::shared_ptr<infer::WordVectors> vectors_;  // shared with running jobs
  bool ranged_;
};

}  // namespace ambry::api
