// The facts that a GGUF file states about its model, with the names of
// model/decoder/decoder_config.h.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "io/json/json.h"
#include "model/file/model.h"

namespace ambry::formats::gguf {

// The key of the width of the part that all tokens take beside experts.
inline constexpr std::string_view kSharedWidth = "expert_shared_feed_forward_length";

// Reads the architecture's keys and the tensors. Null without an architecture.
[[nodiscard]] io::Json config_of(const model::Model& model);

// What all of a model's layers have in common: the value itself, or the one of a list with equal
// values. Nullptr for a list whose values differ, and for an empty one. With `skips_zeros`, zeros
// stand for layers that have no such value.
[[nodiscard]] const io::Json* value_of_layers(const io::Json& value, bool skips_zeros = false);

// Unsupported for a fact that differs by layer, Mismatch for a list that has not a value for each
// layer, and NotFound for a file without the epsilon of its norms. What runs a model asks this.
[[nodiscard]] Result<void> check_layer_facts(const model::Model& model);

// The value of `<architecture>.<suffix>`, or nullptr.
[[nodiscard]] const io::Json* architecture_value(const model::Model& model,
                                                 std::string_view suffix);

// The path of the metadata that states the fact `config.<name>`, for errors. Any other path stays.
[[nodiscard]] std::string path_of_fact(const model::Model& model, std::string_view path);

}  // namespace ambry::formats::gguf
