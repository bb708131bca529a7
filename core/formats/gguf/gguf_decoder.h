// The decoder in a GGUF file under the names with which decoders run: Hugging Face's names of
// tensors (model/decoder/decoder_tensors.h) and our names of architectures. All tensors keep their
// place and type in the file.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/gguf/names/tensor_names.h"
#include "io/diagnostics.h"
#include "io/json/json.h"
#include "io/source.h"
#include "model/decoder/decoder_config.h"
#include "model/file/model.h"

namespace ambry::formats::gguf {

// Factors of the rotary angles: at any length, or beyond and up to the original length.
inline constexpr std::string_view kRopeFactors = "rope_freqs.weight";
// A factor from this one on makes a pair stand still: gemma4's layers that see all rotate the first
// pairs only.
inline constexpr double kStandsStill = 1e30;
inline constexpr std::string_view kLongFactors = "rope_factors_long.weight";
inline constexpr std::string_view kShortFactors = "rope_factors_short.weight";

// A tensor of the file, or some of its rows, under its other name.
struct DecoderTensor {
  size_t stored = 0;  // index in Model::tensors of the file
  model::TensorEntry entry;
  bool permuted = false;  // whether its rows are in the order of interleaved rotation
};

struct Decoder {
  const GgufArchitecture* architecture = nullptr;
  io::Json config;  // as in AMB, with the factors of the rotary angles as values
  model::DecoderConfig facts;
  std::vector<DecoderTensor> tensors;  // in the order of the file
  std::vector<size_t> others;          // tensors that are not part of the decoder
};

// `arch` is our name of the architecture when the file's name stands for several; else empty.
// Unsupported for a model that is no decoder known here; BadValue for another `arch` than the
// file's; NeedBytes for the values of rotary factors, which are tensors in GGUF.
[[nodiscard]] Result<Decoder> read_decoder(const io::Source& source, const model::Model& file,
                                           std::string_view arch, io::Diagnostics& diagnostics);

// The model that runs, from the model as it was parsed: with the tensors and the config of the
// decoder, and the chat template where AMB has it. Errors as above; they give the file's own names.
// Unsupported for a tensor that the model computes with and that is not supported, and for one part
// of a split model. Mismatch for a tensor of another shape, and for a tokenizer with more tokens
// than the embedding has rows.
[[nodiscard]] Result<model::Model> to_run(const io::Source& source, model::Model file,
                                          io::Diagnostics& diagnostics);

}  // namespace ambry::formats::gguf
