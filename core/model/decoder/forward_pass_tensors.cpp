#include "model/decoder/forward_pass_tensors.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "model/decoder/decoder_tensors.h"
#include "model/file/model.h"

namespace ambry::model {
namespace {

// What comes before the number of a layer.
constexpr std::array<std::string_view, 5> kLayers = {"layers.", "h.", "blocks.", "blk.",
                                                     "encoder.layer."};

std::optional<uint64_t> layer_in(std::string_view key) {
  for (const std::string_view prefix : kLayers) {
    if (!key.starts_with(prefix)) continue;
    const std::string_view rest = key.substr(prefix.size());
    uint64_t layer = 0;
    const char* const end = rest.data() + rest.size();
    const auto [stopped, problem] = std::from_chars(rest.data(), end, layer);
    if (problem == std::errc() && stopped != end && *stopped == '.') return layer;
  }
  return std::nullopt;
}

}  // namespace

bool is_in_forward_pass(std::string_view name, uint64_t n_layers) {
  std::string_view key = decoder_tensor_key(canonical_tensor_name(name));
  if (const auto layer = layer_in(key)) return *layer < n_layers;
  constexpr std::string_view kBias = ".bias";
  if (key.ends_with(kBias)) key.remove_suffix(kBias.size());
  if (key.find('.') != std::string_view::npos) return false;
  constexpr std::array<std::string_view, 3> kOutputs = {"lm_head", "output", "wpe"};
  return key.find("norm") != std::string_view::npos || key.find("emb") != std::string_view::npos ||
         std::ranges::find(kOutputs, key) != kOutputs.end();
}

}  // namespace ambry::model
