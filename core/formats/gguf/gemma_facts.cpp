#include "formats/gguf/gemma_facts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/concat.h"
#include "formats/gguf/config.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::gguf {
namespace {

using io::Json;

constexpr std::string_view kFeedForward = "feed_forward_length";
constexpr std::string_view kKvHeads = "attention.head_count_kv";
constexpr std::string_view kActiveStream = "altup.active_idx";

const model::TensorEntry* tensor_of(const model::Model& model, std::string_view name) {
  const auto found = std::ranges::find(model.tensors, name, &model::TensorEntry::name);
  return found == model.tensors.end() ? nullptr : &*found;
}

uint64_t rows_of_tensor(const model::Model& model, std::string_view name) {
  const model::TensorEntry* tensor = tensor_of(model, name);
  return tensor == nullptr || tensor->shape.rank() == 0 ? 0 : tensor->shape[0];
}

class FactsReader {
 public:
  FactsReader(const model::Model& model, Json& config) : model_(model), config_(config) {
    const Json* layers = config.find("n_layers");
    if (layers != nullptr && layers->is_uint()) n_layers_ = layers->uint();
  }

  void read_both();
  void read_gemma3n();
  void read_gemma4();

 private:
  [[nodiscard]] const Json* stated(std::string_view suffix) const {
    return architecture_value(model_, suffix);
  }
  void copy(std::string_view suffix, std::string_view name) {
    const Json* value = stated(suffix);
    if (value != nullptr) config_.set(name, *value);
  }
  void read_sparsity();
  void read_pair(std::string_view suffix, std::string_view first, std::string_view second,
                 const std::vector<bool>& is_second);
  [[nodiscard]] std::vector<bool> global_layers() const;

  const model::Model& model_;
  Json& config_;
  uint64_t n_layers_ = 0;
};

void FactsReader::read_both() {
  copy("attention.shared_kv_layers", "n_shared_kv_layers");
  copy("embedding_length_per_layer_input", "n_embd_per_layer");
  const uint64_t rows = rows_of_tensor(model_, "per_layer_token_embd.weight");
  if (rows > 0) config_.set("n_vocab_per_layer", rows);
}

void FactsReader::read_gemma3n() {
  copy("altup.num_inputs", "n_streams");
  const uint64_t rank = rows_of_tensor(model_, "blk.0.laurel_l.weight");
  if (rank > 0) config_.set("laurel_rank", rank);
  if (stated("attention.shared_kv_layers") == nullptr && n_layers_ > kGemma3nOwnKeys) {
    config_.set("n_shared_kv_layers", n_layers_ - kGemma3nOwnKeys);
  }
  if (stated("final_logit_softcapping") == nullptr) config_.set("final_softcap", kGemma3nSoftcap);
  read_sparsity();
}

// A layer that is not sparse has minus infinity there.
void FactsReader::read_sparsity() {
  const Json* scales = stated("activation_sparsity_scale");
  if (scales != nullptr && !scales->is_array()) {
    config_.set("activation_sparsity", *scales);  // refused where it is used
    return;
  }
  Json list = Json::array();
  const uint64_t n =
      scales == nullptr ? std::min<uint64_t>(n_layers_, 512) : scales->items().size();
  for (size_t layer = 0; layer < n; ++layer) {
    const Json* scale = scales == nullptr ? nullptr : &scales->items()[layer];
    const bool is_cut = scale == nullptr ? layer < kGemma3nSparse
                                         : !scale->is_number() || std::isfinite(scale->number());
    if (!is_cut) {
      list.append(Json());
    } else {
      list.append(scale == nullptr ? Json(kGemma3nSparsity) : *scale);
    }
  }
  config_.set("activation_sparsity", std::move(list));
}

std::vector<bool> FactsReader::global_layers() const {
  std::vector<bool> global;
  const Json* types = config_.find("layer_types");
  if (types == nullptr || !types->is_array()) return global;
  for (const Json& type : types->items()) {
    global.push_back(type.is_string() && type.string() == "full_attention");
  }
  return global;
}

// A list of two values, of which some layers have the second. Other lists are refused where the
// fact is used.
void FactsReader::read_pair(std::string_view suffix, std::string_view first,
                            std::string_view second, const std::vector<bool>& is_second) {
  const Json* list = stated(suffix);
  if (list == nullptr || !list->is_array() || list->items().size() != is_second.size()) return;
  std::optional<Json> values[2];
  for (size_t layer = 0; layer < is_second.size(); ++layer) {
    std::optional<Json>& value = values[is_second[layer] ? 1 : 0];
    if (!value) value = list->items()[layer];
    if (value->dump() == list->items()[layer].dump()) continue;
    config_.set(first, *list);
    return;
  }
  if (!values[0]) values[0] = values[1];
  if (values[0]) config_.set(first, *values[0]);
  if (values[1]) config_.set(second, *values[1]);
}

void FactsReader::read_gemma4() {
  const std::vector<bool> global = global_layers();
  copy("attention.key_length", "global_head_dim");
  copy("attention.key_length_swa", "head_dim");
  read_pair(kKvHeads, "n_kv_heads", "global_kv_heads", global);
  const Json* n_shared = config_.find("n_shared_kv_layers");
  const uint64_t shared = n_shared != nullptr && n_shared->is_uint() ? n_shared->uint() : 0;
  std::vector<bool> shares(global.size());
  for (size_t layer = 0; layer < shares.size(); ++layer) {
    shares[layer] = layer + shared >= shares.size();
  }
  read_pair(kFeedForward, "n_ff", "shared_ff", shares);
  const auto first = std::ranges::find(global, true);
  if (first != global.end() && !model_.tensors.empty()) {
    const auto layer = static_cast<uint64_t>(first - global.begin());
    config_.set("key_is_value",
                tensor_of(model_, concat({"blk.", layer, ".attn_v.weight"})) == nullptr);
  }
  // What the file calls the rotated numbers of a head are those of layers that see all.
  config_.set("partial_rotary_factor", Json());
  const Json* rotated = stated("rope.dimension_count_swa");
  const Json* head = config_.find("head_dim");
  if (rotated == nullptr || head == nullptr || !rotated->is_uint() || !head->is_uint() ||
      head->uint() == 0 || rotated->uint() == head->uint()) {
    return;
  }
  config_.set("partial_rotary_factor",
              static_cast<double>(rotated->uint()) / static_cast<double>(head->uint()));
}

}  // namespace

void add_gemma_facts(const model::Model& model, std::string_view architecture, Json& config) {
  const bool is_gemma3n = architecture == "gemma3n";
  if (!is_gemma3n && architecture != "gemma4") return;
  FactsReader reader(model, config);
  reader.read_both();
  if (is_gemma3n) reader.read_gemma3n();
  if (!is_gemma3n) reader.read_gemma4();
}

bool may_differ_by_layer(std::string_view architecture, std::string_view suffix) {
  return architecture == "gemma4" && (suffix == kFeedForward || suffix == kKvHeads);
}

Result<void> check_gemma_facts(const model::Model& model) {
  const Json* active = architecture_value(model, kActiveStream);
  if (active == nullptr || (active->is_uint() && active->uint() == 0)) return {};
  const auto architecture = model::metadata_text(model.metadata, kArchitectureKey).value_or("");
  return model::metadata_error(model.metadata, concat({architecture, ".", kActiveStream}),
                               ErrorCode::Unsupported,
                               "layers that compute with another stream than the first");
}

}  // namespace ambry::formats::gguf
