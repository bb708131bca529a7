#include "convert/gguf/gemma_keys.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "base/concat.h"
#include "base/shortest.h"
#include "convert/gguf/metadata_keys.h"
#include "formats/gguf/gemma_facts.h"

namespace ambry::convert {
namespace {

using io::Json;
using model::DecoderConfig;
using Architecture = model::DecoderArchitecture;

// llama.cpp finds the layer whose keys another one uses by its place.
bool shares_in_place(const DecoderConfig& facts) {
  const uint32_t n_shared = facts.extras.n_shared_kv;
  const uint32_t first = facts.n_layers - n_shared;
  if (n_shared > 0 && first < 2) return false;
  for (uint32_t layer = first; layer < facts.n_layers; ++layer) {
    if (facts.kv_layer(layer) != first - (facts.is_local(layer) ? 2 : 1)) return false;
  }
  return true;
}

Result<void> check_gemma3n(const DecoderConfig& facts) {
  using formats::gguf::kGemma3nOwnKeys;
  using formats::gguf::kGemma3nSoftcap;
  using formats::gguf::kGemma3nSparse;
  using formats::gguf::kGemma3nSparsity;
  const model::DecoderExtras& extras = facts.extras;
  // llama.cpp's own sizes, for which it reads no keys.
  constexpr uint32_t kStreams = 4;
  constexpr uint32_t kRank = 64;
  constexpr uint32_t kPerLayer = 256;
  if (extras.n_streams != kStreams || extras.laurel_rank != kRank ||
      extras.n_embd_per_layer != kPerLayer) {
    return no_gguf_key("other sizes than 4 streams, a laurel of 64 and 256 numbers for each layer");
  }
  if (facts.n_layers - extras.n_shared_kv != kGemma3nOwnKeys) {
    return no_gguf_key("another number than 20 of layers with keys of their own");
  }
  for (uint32_t layer = 0; layer < facts.n_layers; ++layer) {
    const double cut = extras.sparsity_of(layer).value_or(0);
    const double usual = layer < kGemma3nSparse ? kGemma3nSparsity : 0;
    if (std::abs(cut - usual) > 1e-5) {
      return no_gguf_key("other sparse layers than the first 10 with 95 %");
    }
  }
  if (facts.final_softcap == kGemma3nSoftcap) return {};
  return no_gguf_key("another cap of the logits than 30");
}

}  // namespace

bool has_gemma_keys(const DecoderConfig& facts) {
  return facts.architecture == Architecture::Gemma3n || facts.architecture == Architecture::Gemma4;
}

Result<void> check_gemma_keys(const DecoderConfig& facts) {
  const double embed = std::sqrt(static_cast<double>(facts.n_embd));
  if (facts.residual_scale != 1 || facts.logit_scale != 1 || facts.embed_scale != embed ||
      facts.attn_scale != 1 || facts.attn_softcap != 0 || facts.norm_offset != 0) {
    return no_gguf_key("other scales, caps of scores or norms than the architecture's own");
  }
  if (!facts.extras.value_norm || !facts.rotated_layers.empty() || facts.attn_bias ||
      facts.mlp_bias || facts.positions != model::DecoderPositions::Rope ||
      facts.rope_scaling.kind != model::RopeScaling::Kind::None) {
    return no_gguf_key("values, biases or positions other than the architecture's own");
  }
  if (!shares_in_place(facts)) {
    return no_gguf_key("layers that share the keys of others than the two before them");
  }
  if (facts.architecture == Architecture::Gemma3n) return check_gemma3n(facts);
  const bool more = facts.extras.n_streams > 0 || !facts.extras.sparsity.empty();
  return more ? no_gguf_key("a gemma4 with streams or sparse gates") : Result<void>();
}

void put_gemma_keys(const DecoderConfig& facts, Json& metadata) {
  const model::DecoderExtras& extras = facts.extras;
  const std::string prefix = concat({architecture_name(facts.architecture), "."});
  const auto put = [&](std::string_view key, Json value) {
    metadata.set(concat({prefix, key}), std::move(value));
  };
  const auto list_of = [&](const auto& value_of) {
    Json list = Json::array();
    for (uint32_t layer = 0; layer < facts.n_layers; ++layer) list.append(value_of(layer));
    return list;
  };
  put("attention.shared_kv_layers", extras.n_shared_kv);
  put("embedding_length_per_layer_input", extras.n_embd_per_layer);
  put("rope.freq_base_swa", shortest_double(static_cast<float>(facts.rope_local_freq_base)));
  if (facts.architecture == Architecture::Gemma3n) {
    put("altup.active_idx", 0U);
    put("altup.num_inputs", extras.n_streams);
    put("activation_sparsity_scale", list_of([&](uint32_t layer) {
          const double none = -std::numeric_limits<double>::infinity();
          return Json(extras.sparsity_of(layer).value_or(none));
        }));
    return;
  }
  const uint32_t global = extras.global_head_dim > 0 ? extras.global_head_dim : facts.head_dim;
  for (const char* key :
       {"attention.key_length", "attention.value_length", "rope.dimension_count"}) {
    put(key, global);
  }
  put("attention.key_length_swa", facts.head_dim);
  put("attention.value_length_swa", facts.head_dim);
  put("rope.dimension_count_swa", facts.n_rotated);
  if (extras.global_kv_heads > 0) {
    put("attention.head_count_kv",
        list_of([&](uint32_t layer) { return Json(facts.n_kv_heads_of(layer)); }));
  }
  if (extras.shared_ff > 0) {
    put("feed_forward_length", list_of([&](uint32_t layer) { return Json(facts.n_ff_of(layer)); }));
  }
}

}  // namespace ambry::convert
