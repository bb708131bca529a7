// How much the errors of ggml's blocks count: by the activations of a calibration run.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "convert/plan/plan.h"
#include "formats/gguf/gguf_decoder.h"
#include "model/decoder/decoder_activations.h"
#include "model/decoder/decoder_config.h"
#include "model/decoder/decoder_tensors.h"
#include "model/file/model.h"

namespace ambry::convert {

// Sets `output.importance` for a matrix [out, in] with this use: the mean square of each input. A
// tied embedding is weighted as the output. Other embeddings, experts, and matrices whose inputs
// were not recorded are not weighted. Mismatch at `options.calibration` for the activations of
// another model.
[[nodiscard]] Result<void> weigh_by_activations(const model::DecoderActivations& activations,
                                                const model::DecoderConfig& facts,
                                                const model::DecoderTensor& use,
                                                const model::TensorEntry& target, Output& output);

// The uses of the tensors of a GGUF file, by their places in it.
[[nodiscard]] std::vector<std::pair<size_t, model::DecoderTensor>> uses_in_gguf(
    const formats::gguf::Decoder& decoder);

}  // namespace ambry::convert
