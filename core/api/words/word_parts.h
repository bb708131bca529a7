// Turns a parsed file of word vectors into the parts that run: which tensor becomes what.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "infer/words/word_vectors.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::api {

// Reads a file of word vectors in order to run it. NeedBytes while bytes are missing.
[[nodiscard]] Result<model::Model> parse_words(const io::Source& source);

// The parts with their shapes, but without values. Takes the vocabulary out of the model and leaves
// its facts there.
[[nodiscard]] infer::WordParts begin_parts(model::Model& model);

// Whether the tensor has a value or code for each row, which range mode fetches one by one.
[[nodiscard]] bool holds_rows(const model::TensorEntry& tensor);

// Gives a tensor's bytes to the part that needs them; the rows may be moved away. BadValue for a
// code without a centroid.
[[nodiscard]] Result<void> accept(const model::TensorEntry& tensor, AlignedBuffer& bytes,
                                  infer::WordParts& parts);

// Whether each code selects an existing centroid. The codes start at `byte_offset` of the file.
[[nodiscard]] Result<void> check_codes(Bytes codes, uint64_t byte_offset, size_t n_centroids);

}  // namespace ambry::api
