// The metadata keys with which GGUF describes a model.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "io/json/json.h"
#include "model/decoder/decoder_config.h"
#include "model/encoder/encoder_config.h"
#include "model/file/model.h"

namespace ambry::convert {

// Unsupported: `what` cannot be stated in GGUF.
[[nodiscard]] Failure no_gguf_key(std::string_view what);

// Writes `general.architecture` and `<architecture>.*`. Unsupported for facts without a key.
[[nodiscard]] Result<void> put_decoder_facts(const model::DecoderConfig& facts,
                                             std::string_view architecture, io::Json& metadata);
// What GGUF has no key for of an embedding: a warning for a shorter limit of texts, a loss for
// prompts and for vectors without normalization.
[[nodiscard]] Result<void> lose_embedding_facts(const model::DecoderConfig& facts,
                                                const Options& options,
                                                std::vector<Error>& warnings);
[[nodiscard]] Result<void> put_encoder_facts(const model::EncoderConfig& facts,
                                             const Options& options, io::Json& metadata,
                                             std::vector<Error>& warnings);

// put_general() writes `general.name` and the source's other metadata; put_file_facts() writes the
// keys that depend on the target's tensors.
[[nodiscard]] Result<void> put_general(const io::Json& source, const Options& options,
                                       io::Json& metadata);
void put_file_facts(model::Model& target);

}  // namespace ambry::convert
