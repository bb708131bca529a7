// The names that a library gives a tensor today, for files that have older ones.
#pragma once

#include <string>

#include "convert/plan/source_model.h"
#include "formats/huggingface/config/encoders/encoder_sources.h"

namespace ambry::convert {

// Renames a tensor of the source, and what the source says of it by its name.
void rename_tensor(SourceModel& source, model::TensorEntry& tensor, const std::string& name);

// Gives tensors the names that the encoder has them by, without the prefix of its source:
// `LayerNorm.gamma` and `LayerNorm.beta`, which BERT's first files have, become `LayerNorm.weight`
// and `LayerNorm.bias`, as in transformers, and a tensor that is there by its second name only gets
// its first. A name that another tensor has already stays free for it.
void use_library_names(const formats::huggingface::EncoderSource& of, SourceModel& source);

}  // namespace ambry::convert
