// What GGUF states of models with state spaces: granitehybrid, falcon-h1 and nemotron_h.
#pragma once

#include <string_view>

#include "io/json/json.h"
#include "model/file/model.h"

namespace ambry::formats::gguf {

inline constexpr std::string_view kGraniteHybrid = "granitehybrid";

// Adds these facts to the config. A layer of nemotron_h without heads of keys is a feed-forward
// layer where it has a width, and a state space where it has none.
void add_state_spaces(const model::Model& model, std::string_view architecture, io::Json& config);

// The part after the architecture of the key of a fact, by its name in the config. Empty for
// others.
[[nodiscard]] std::string_view state_space_key(std::string_view name);

}  // namespace ambry::formats::gguf
