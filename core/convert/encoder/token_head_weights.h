// Takes the weights of a head that every token passes out of a directory's weights.
#pragma once

#include "base/result.h"
#include "convert/plan/source_model.h"
#include "formats/huggingface/directory.h"

namespace ambry::convert {

// Gives the tensors of the head that the directory states the names of every architecture's head
// (model/encoder/token_head.h). A classifier that is tied to the word embeddings is taken out.
// NotFound for a tensor that is missing. Mismatch, with the file and the key of the labels as path,
// for another number of labels than the classifier has rows.
[[nodiscard]] Result<void> take_token_head(const formats::huggingface::Directory& directory,
                                           SourceModel& source);

}  // namespace ambry::convert
