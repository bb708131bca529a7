// The tensors of a BERT encoder under their Hugging Face names, in the order in which files hold
// them.
#pragma once

#include <string>
#include <vector>

#include "io/diagnostics.h"
#include "model/encoder/encoder_config.h"
#include "model/model.h"
#include "model/tensor_spec.h"

namespace ambry::model {

// 5 of the embeddings, 16 a layer, and the optional pooler.
[[nodiscard]] std::vector<TensorSpec> bert_tensors(const EncoderConfig& config);

// Names that tell an integer tensor's scale and zero point: `<name>.scale`, `<name>.zero_point`.
[[nodiscard]] std::string scale_name(std::string_view name);
[[nodiscard]] std::string zero_point_name(std::string_view name);

// Adds an error for every required tensor that is absent or has another shape, naming the expected
// one, and a warning where integer weights lack the scale that running them takes.
void check_bert_tensors(const Model& model, const EncoderConfig& config,
                        io::Diagnostics& diagnostics);

}  // namespace ambry::model
