// Writes the vocabulary chunks.
#pragma once

#include "base/result.h"
#include "io/byte_writer.h"
#include "model/words/word_vocabulary.h"

namespace ambry::formats::finalfusion {

// Writes the contents after the chunk's header. BadValue for contents that readers would reject.
[[nodiscard]] Result<void> put_vocabulary(const model::WordVocabulary& words,
                                          io::ByteWriter& writer);

}  // namespace ambry::formats::finalfusion
