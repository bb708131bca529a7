// The decoder that a GGUF file holds, under Hugging Face's names.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "convert/options.h"
#include "convert/plan.h"
#include "convert/source_files.h"
#include "io/json/json.h"
#include "model/model.h"
#include "tensor/dtype.h"

namespace ambry::convert {

// A plan whose target has tensors, tokenizer and, in the names of model/decoder/decoder_config.h,
// config; metadata and layout are still to be made. `held` are the types that the target stores.
// Checked: every tensor that the architecture needs is there in the right shape.
struct GgufDecoder {
  model::Model source;
  Plan plan;
  io::Json tokenizer_options;  // AMB's config.tokenizer
};
[[nodiscard]] Result<GgufDecoder> read_gguf_decoder(const SourceFiles& sources,
                                                    const Options& options,
                                                    std::span<const tensor::DType> held);

// What the file says beyond architecture and tokenizer: author, licence, …. A long array, of which
// metadata knows the length only, is a loss.
[[nodiscard]] Result<io::Json> other_metadata(const model::Model& gguf, const Options& options,
                                              std::vector<Error>& warnings);

}  // namespace ambry::convert
