#include "model/decoder/decoder_extras.h"

#include <algorithm>
#include <utility>

#include "model/decoder/decoder_config.h"
#include "model/metadata/metadata_value.h"

namespace ambry::model {
namespace {

using io::Json;

constexpr const char* kSharedLayers = "n_shared_kv_layers";
constexpr const char* kSparsity = "activation_sparsity";

class ExtrasReader {
 public:
  ExtrasReader(const Json& json, DecoderConfig& config)
      : json_(json), config_(config), extras_(config.extras) {}

  Result<void> read(const TensorEntry* table);

 private:
  [[nodiscard]] Failure bad(const char* key, const Text& message) const {
    return metadata_error(json_, key, ErrorCode::BadValue, message, "config");
  }
  [[nodiscard]] Result<void> check_heads() const;
  [[nodiscard]] Result<void> check_sharing() const;
  [[nodiscard]] Result<void> check_widths() const;
  Result<void> read_sparsity();

  const Json& json_;
  DecoderConfig& config_;
  DecoderExtras& extras_;
};

Result<void> ExtrasReader::read(const TensorEntry* table) {
  if (table != nullptr && table->shape.rank() == 2) {
    extras_.n_vocab_per_layer =
        static_cast<uint32_t>(std::min<uint64_t>(table->shape[0], UINT32_MAX));
  }
  AMBRY_RETURN_IF_ERROR(read_values(json_,
                                    {{kSharedLayers, extras_.n_shared_kv},
                                     {"shared_ff", extras_.shared_ff},
                                     {"global_head_dim", extras_.global_head_dim},
                                     {"global_kv_heads", extras_.global_kv_heads},
                                     {"global_rotary_factor", extras_.global_rotary_factor},
                                     {"key_is_value", extras_.key_is_value},
                                     {"value_norm", extras_.value_norm},
                                     {"n_embd_per_layer", extras_.n_embd_per_layer},
                                     {"n_vocab_per_layer", extras_.n_vocab_per_layer},
                                     {"n_streams", extras_.n_streams},
                                     {"laurel_rank", extras_.laurel_rank}},
                                    "config"));
  AMBRY_RETURN_IF_ERROR(check_heads());
  AMBRY_RETURN_IF_ERROR(check_sharing());
  AMBRY_RETURN_IF_ERROR(check_widths());
  return read_sparsity();
}

Result<void> ExtrasReader::check_heads() const {
  const uint32_t kv_heads = extras_.global_kv_heads;
  if (kv_heads > 0 && config_.n_heads % kv_heads != 0) {
    return bad("global_kv_heads",
               {kv_heads, " key-value heads do not divide ", config_.n_heads, " heads"});
  }
  const uint64_t width = uint64_t{config_.n_heads} * extras_.global_head_dim;
  if (extras_.global_head_dim % 2 != 0 || width > UINT32_MAX) {
    return bad("global_head_dim",
               {extras_.global_head_dim, " numbers a head: they must be pairs, and all heads ",
                "together at most 2^32"});
  }
  if (extras_.global_rotary_factor > 0 && extras_.global_rotary_factor <= 1) return {};
  return bad("global_rotary_factor", "must be between 0 and 1");
}

Result<void> ExtrasReader::check_sharing() const {
  const uint32_t n_shared = extras_.n_shared_kv;
  if (n_shared == 0) return {};
  if (n_shared >= config_.n_layers) {
    return bad(kSharedLayers, {n_shared, " layers of ", config_.n_layers,
                               ": there must be others with keys and values"});
  }
  for (uint32_t layer = config_.n_layers - n_shared; layer < config_.n_layers; ++layer) {
    if (config_.kv_layer(layer) != layer) continue;
    return bad(kSharedLayers, {"layer ", layer, " shares keys and values, but no layer before the ",
                               n_shared, " last ones sees as much of the text"});
  }
  return {};
}

Result<void> ExtrasReader::check_widths() const {
  const uint64_t all = uint64_t{extras_.n_embd_per_layer} * config_.n_layers;
  if (all > UINT32_MAX) return bad("n_embd_per_layer", "the width of all layers passes 32 bits");
  if (config_.experts.count > 0 && (all > 0 || extras_.n_streams > 0)) {
    return bad(all > 0 ? "n_embd_per_layer" : "n_streams", "not supported in a model with experts");
  }
  if (all > 0 && extras_.n_vocab_per_layer == 0) {
    return metadata_error(json_, "n_vocab_per_layer", ErrorCode::NotFound,
                          "the config does not state this value", "config");
  }
  if (extras_.n_streams == 1 || extras_.n_streams > kMaxStreams) {
    return bad("n_streams", {"must be 0, or 2 to ", kMaxStreams});
  }
  if (extras_.n_streams > 0 && (all == 0 || extras_.laurel_rank == 0)) {
    return bad(all == 0 ? "n_embd_per_layer" : "laurel_rank",
               "must be at least 1 in a model with streams");
  }
  const bool plain = !config_.bidirectional && !config_.parallel_residual;
  if ((all == 0 && extras_.n_shared_kv == 0) || (plain && config_.first_ranked_layer == 0)) {
    return {};
  }
  return bad(all == 0 ? kSharedLayers : "n_embd_per_layer",
             "not supported with parallel layers, attention to later tokens, or layers that rank");
}

Result<void> ExtrasReader::read_sparsity() {
  if (!has_value(json_, kSparsity)) return {};
  const Json& list = *json_.find(kSparsity);
  const bool whole =
      list.is_array() && list.items().size() == config_.n_layers &&
      std::ranges::all_of(list.items(), [](const Json& x) { return x.is_number() || x.is_null(); });
  if (!whole || !config_.gated || !config_.xielu.empty()) {
    return bad(kSparsity, {"expected a list of ", config_.n_layers,
                           ", a number or null for each layer, in a model with gates"});
  }
  for (const Json& x : list.items()) {
    extras_.sparsity.push_back(x.is_null() ? std::nullopt : std::optional(x.number()));
  }
  return {};
}

}  // namespace

Result<void> read_decoder_extras(const Json& json, const TensorEntry* table,
                                 DecoderConfig& config) {
  return ExtrasReader(json, config).read(table);
}

}  // namespace ambry::model
