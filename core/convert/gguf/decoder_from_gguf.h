// Reads the decoder in a GGUF file, under Hugging Face's names.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_files.h"
#include "io/json/json.h"
#include "model/file/model.h"
#include "tensor/dtype/dtype.h"

namespace ambry::convert {

// A plan whose target has tensors, tokenizer and config (with the names of
// model/decoder/decoder_config.h) but no metadata and layout yet. `supported` are the types that
// the target supports. Every tensor that the architecture needs was checked.
struct GgufDecoder {
  model::Model source;
  Plan plan;
  io::Json tokenizer_options;  // AMB's config.tokenizer
};
[[nodiscard]] Result<GgufDecoder> read_gguf_decoder(const SourceFiles& sources,
                                                    const Options& options,
                                                    std::span<const tensor::DType> supported);

// The file's further metadata: author, licence and so on. A long array is a loss, because only its
// length was read.
[[nodiscard]] Result<io::Json> other_metadata(const model::Model& gguf, const Options& options,
                                              std::vector<Error>& warnings);

}  // namespace ambry::convert
