// From a parsed file of word vectors to the parts that run: which tensor becomes what.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "infer/words/word_vectors.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::api {

// Reads a file of word vectors that is to be run. NeedBytes while the held parts do not suffice.
[[nodiscard]] Result<model::Model> parse_words(const io::Source& source);

// The shapes of the parts, no numbers yet. Takes the vocabulary out of the model, whose facts stay.
[[nodiscard]] infer::WordParts begin_parts(model::Model& model);

// Whether the tensor has a number or code for every row, which range mode fetches one by one.
[[nodiscard]] bool holds_rows(const model::TensorEntry& tensor);

// Gives a tensor's bytes to the part that wants them; the rows may be moved away. BadValue for a
// code without a centroid.
[[nodiscard]] Result<void> accept(const model::TensorEntry& tensor, AlignedBuffer& bytes,
                                  infer::WordParts& parts);

// Whether every one of the codes, which start at `byte_offset` of the file, chooses one of the
// centroids.
[[nodiscard]] Result<void> check_codes(Bytes codes, uint64_t byte_offset, size_t n_centroids);

}  // namespace ambry::api
