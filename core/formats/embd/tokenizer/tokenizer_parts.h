// The parts of a tokenizer that layout F0 has no place for: small tensors before the weights, an
// addition of Ambry (core/formats/embd/README.md#tokenizer-parts).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/source.h"
#include "model/file/model.h"
#include "model/tokenizer/tokenizer_data.h"
#include "tensor/dtype/dtype.h"

namespace ambry::formats::embd {

inline constexpr std::string_view kPartPrefix = "tokenizer.";
inline constexpr std::string_view kSettingsPart = "tokenizer.settings";
inline constexpr std::string_view kJsonPart = "tokenizer.json";
inline constexpr std::string_view kModelPart = "tokenizer.model";
inline constexpr std::string_view kScoresPart = "tokenizer.scores";
inline constexpr std::string_view kTypesPart = "tokenizer.types";
inline constexpr std::string_view kMergesPart = "tokenizer.merges";
inline constexpr std::string_view kCharsmapPart = "tokenizer.charsmap";

// Moves the parts from the tensors to the regions of `model`, and reads them into its tokenizer,
// which has the tokens and the special ids already. Without the vocabulary, only the kind of
// tokenizer is read, and no bytes are requested. Unsupported for an unknown kind or part. BadValue,
// Mismatch or NotFound for parts that do not fit the kind, the tokens or each other.
[[nodiscard]] Result<void> take_tokenizer_parts(const io::Source& source,
                                                const model::ReadOptions& options,
                                                model::Model& model);

}  // namespace ambry::formats::embd
