// The tensors of a BERT encoder under their Hugging Face names, in file order.
#pragma once

#include <string>
#include <vector>

#include "io/diagnostics.h"
#include "model/encoder/encoder_config.h"
#include "model/model.h"
#include "model/tensor_spec.h"

namespace ambry::model {

// Five tensors of the embeddings, 16 for each layer, the optional pooler, and the dense layers
// after the pooling.
[[nodiscard]] std::vector<TensorSpec> bert_tensors(const EncoderConfig& config);

// The names of an integer tensor's scale and zero point: `<name>.scale`, `<name>.zero_point`.
[[nodiscard]] std::string scale_name(std::string_view name);
[[nodiscard]] std::string zero_point_name(std::string_view name);

// Adds an error for each required tensor that is missing or has another shape; the error names the
// expected shape. Adds a warning when integer weights lack the scale needed to run them.
void check_bert_tensors(const Model& model, const EncoderConfig& config,
                        io::Diagnostics& diagnostics);

}  // namespace ambry::model
