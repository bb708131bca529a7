// What GGUF files of gemma3n and gemma4 state in keys of their own, in their tensors, or leave to
// llama.cpp.
#pragma once

#include <string_view>

#include "base/result.h"
#include "io/json/json.h"
#include "model/file/model.h"

namespace ambry::formats::gguf {

// What llama.cpp has for a gemma3n whatever its file says.
inline constexpr uint64_t kGemma3nOwnKeys = 20;  // the first layers, which have keys of their own
inline constexpr uint64_t kGemma3nSparse = 10;   // the first layers, whose gates are cut
inline constexpr double kGemma3nSparsity = 1.6448534;
inline constexpr double kGemma3nSoftcap = 30;

// Adds the facts of these two architectures to the config, and none of others. The layers that see
// the whole context are in it.
void add_gemma_facts(const model::Model& model, std::string_view architecture, io::Json& config);

// Whether layers of this architecture may differ in this fact.
[[nodiscard]] bool may_differ_by_layer(std::string_view architecture, std::string_view suffix);

// Unsupported for a gemma3n that computes with another stream than the first.
[[nodiscard]] Result<void> check_gemma_facts(const model::Model& model);

}  // namespace ambry::formats::gguf
