// What a directory says of an encoder's classification head: labels, kind of problem, activations.
#pragma once

#include <optional>

#include "base/result.h"
#include "formats/huggingface/side_files/file_values.h"
#include "model/encoder/head/head_config.h"

namespace ambry::formats::huggingface {

// The head of a config.json (`values`) whose `architectures` name a `…ForSequenceClassification`;
// nothing for others. The sizes of the result are not set: they follow from the weights. NotFound
// for a head without labels, BadValue for labels that are not numbered, Unsupported for another
// kind of problem or another activation; the path has the file and the key.
[[nodiscard]] Result<std::optional<model::HeadConfig>> read_head(const SideFiles& files,
                                                                 const FileValues& values,
                                                                 const model::HeadLayout& layout);

}  // namespace ambry::formats::huggingface
