// The vocabulary chunks as lay_out puts them.
#pragma once

#include "base/result.h"
#include "io/byte_writer.h"
#include "model/words/word_vocabulary.h"

namespace ambry::formats::finalfusion {

// Puts what follows the head of the chunk. BadValue for what no reader would take.
[[nodiscard]] Result<void> put_vocabulary(const model::WordVocabulary& words,
                                          io::ByteWriter& writer);

}  // namespace ambry::formats::finalfusion
