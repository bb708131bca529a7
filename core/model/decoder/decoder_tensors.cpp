#include "model/decoder/decoder_tensors.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "model/decoder/architectures/tensor_tables.h"
#include "model/decoder/tensor_extents.h"

namespace ambry::model {
namespace {

using tensor::Shape;

using Extent = DecoderExtent;
using Row = DecoderTensorRow;
using Rule = DecoderRule;

bool is_layered(const Row& row) { return row.name.find('#') != std::string_view::npos; }

std::string full_name(std::string_view pattern, uint32_t layer, bool bias) {
  if (pattern.empty()) return {};
  const std::string_view ending = bias ? ".bias" : ".weight";
  const size_t hash = pattern.find('#');
  if (hash == std::string_view::npos) return concat({pattern, ending});
  return concat({pattern.substr(0, hash), layer, pattern.substr(hash + 1), ending});
}

// The name of one expert's tensor.
std::string expert_name(std::string name, uint32_t expert) {
  const size_t star = name.find('*');
  if (star == std::string::npos) return name;
  return concat(
      {std::string_view(name).substr(0, star), expert, std::string_view(name).substr(star + 1)});
}

DecoderTensor expand(const Row& row, uint32_t layer, bool bias, const DecoderConfig& config,
                     uint32_t expert = 0) {
  const uint64_t n_rows = extent_of(row.rows, layer, config);
  const bool is_vector = bias || row.cols == Extent::One;
  const Shape shape = is_vector ? Shape{n_rows} : Shape{n_rows, extent_of(row.cols, layer, config)};
  return {row.role,
          layer,
          bias,
          {expert_name(full_name(row.name, layer, bias), expert), shape, !is_vector && row.linear,
           !is_required(bias ? row.bias : row.weight, layer, config)},
          full_name(row.other_name, layer, bias),
          is_expert_role(row.role) ? expert : kNoExpert};
}

// Adds the tensors of one layer, or those before or after the layers.
void add_tensors(std::span<const Row> rows, uint32_t layer, const DecoderConfig& config,
                 std::vector<DecoderTensor>& out) {
  for (const Row& row : rows) {
    if (!has_role(config, row.role, layer)) continue;
    const uint32_t n = is_expert_role(row.role) ? config.experts.count : 1;
    for (uint32_t expert = 0; expert < n; ++expert) {
      out.push_back(expand(row, layer, false, config, expert));
    }
    if (row.bias != Rule::Never) out.push_back(expand(row, layer, true, config));
  }
}

void add_dense_layers(const std::vector<DenseConfig>& layers, std::vector<DecoderTensor>& out) {
  for (size_t i = 0; i < layers.size(); ++i) {
    const DenseConfig& layer = layers[i];
    const auto number = static_cast<uint32_t>(i);
    const Shape matrix = {layer.out_features, layer.in_features};
    out.push_back({DecoderRole::Dense,
                   number,
                   false,
                   {dense_tensor_name(i, "weight"), matrix, false, false},
                   {}});
    if (!layer.bias) continue;
    out.push_back({DecoderRole::Dense,
                   number,
                   true,
                   {dense_tensor_name(i, "bias"), Shape{layer.out_features}, false, false},
                   {}});
  }
}

// As the authors of the only such model name them, in the order of the layers.
void add_layer_heads(const DecoderConfig& config, std::vector<DecoderTensor>& out) {
  for (uint32_t i = 0; i < config.n_layer_heads(); ++i) {
    const Shape matrix = {1, config.n_embd};
    out.push_back({DecoderRole::Dense,
                   i,
                   false,
                   {concat({"lm_head.", i, ".linear_head.weight"}), matrix, false, false},
                   {}});
  }
}

// What makes the further streams, and what brings them back.
void add_stream_layers(const DecoderConfig& config, std::vector<DecoderTensor>& out) {
  constexpr std::pair<DecoderRole, std::string_view> kKinds[] = {
      {DecoderRole::StreamProjection, "altup_projections."},
      {DecoderRole::StreamUnembedding, "altup_unembed_projections."}};
  for (const auto& [role, name] : kKinds) {
    for (uint32_t i = 0; i + 1 < config.extras.n_streams; ++i) {
      const Shape matrix = {config.n_embd, config.n_embd};
      out.push_back({role, i, false, {concat({name, i, ".weight"}), matrix, true, false}, {}});
    }
  }
}

// The N of `layers.N.…`, `h.N.…` or `blocks.N.…`, by the architecture's pattern.
std::optional<uint32_t> layer_of(std::string_view key, std::string_view pattern) {
  const std::string_view prefix = pattern.substr(0, pattern.find('#'));
  if (!key.starts_with(prefix)) return std::nullopt;
  key.remove_prefix(prefix.size());
  uint32_t number = 0;
  const char* end = key.data() + key.size();
  const auto [stopped, problem] = std::from_chars(key.data(), end, number);
  if (problem != std::errc() || stopped == end || *stopped != '.') return std::nullopt;
  return number;
}

void warn_of_uncounted_layers(const Model& model, const DecoderConfig& config,
                              io::Diagnostics& diagnostics) {
  const auto rows = decoder_tensor_rows(config.architecture);
  const std::string_view pattern = std::ranges::find_if(rows, is_layered)->name;
  for (const TensorEntry& tensor : model.tensors) {
    const auto layer = layer_of(decoder_tensor_key(tensor.name), pattern);
    if (!layer || *layer < config.n_layers) continue;
    diagnostics.warn(error_at(ErrorCode::Mismatch, tensor.index_offset,
                              {path_of(model, tensor), ".name"},
                              {tensor.name, " belongs to layer ", *layer,
                               ", but the config states ", config.n_layers, " layers"}));
    return;
  }
}

// Warns about two tensors whose names differ only in a part that lookups ignore.
void check_keys_unique(const Model& model, io::Diagnostics& diagnostics) {
  const TensorIndex index = decoder_tensor_index(model.tensors);
  for (const TensorEntry& tensor : model.tensors) {
    const TensorEntry* first = index.find(decoder_tensor_key(tensor.name));
    if (first == &tensor || first->name == tensor.name) continue;
    diagnostics.error(error_at(ErrorCode::BadValue, tensor.index_offset,
                               {path_of(model, tensor), ".name"},
                               {tensor.name, " and ", first->name, " name the same tensor"}));
  }
}

// A tensor of a role that the kind of its layer does not have.
void check_kinds(const Model& model, const TensorIndex& index,
                 const std::vector<DecoderTensor>& wanted, const DecoderConfig& config,
                 io::Diagnostics& diagnostics) {
  if (config.layer_kinds.empty()) return;
  for (uint32_t layer = 0; layer < config.n_layers; ++layer) {
    for (const Row& row : decoder_tensor_rows(config.architecture)) {
      if (!is_layered(row) || has_role(config, row.role, layer)) continue;
      const DecoderTensor foreign = expand(row, layer, false, config);
      const TensorEntry* found = find_decoder_tensor(index, foreign);
      const bool is_known = std::ranges::any_of(wanted, [&](const DecoderTensor& tensor) {
        return tensor.spec.name == foreign.spec.name;
      });
      if (found == nullptr || is_known) continue;
      diagnostics.error(error_at(ErrorCode::Mismatch, found->index_offset,
                                 {path_of(model, *found), ".name"},
                                 {found->name, " does not fit: layer ", layer, " is ",
                                  layer_type_name(config.kind_of(layer)), " in layer_types"}));
      return;
    }
  }
}

}  // namespace

bool has_role(const DecoderConfig& config, DecoderRole role, uint32_t layer) {
  using enum DecoderRole;
  if (layer == kNoLayer) return true;
  const LayerKind kind = config.kind_of(layer);
  const bool experts = config.experts.in_layer(layer);
  switch (role) {
    case AttentionNorm:
    case PostAttentionNorm:
      return kind != LayerKind::None;
    case Query:
    case Key:
    case Value:
    case QueryKeyValue:
    case QueryNorm:
    case KeyNorm:
    case AttentionOutput:
      return attends(kind);
    case Gate:
    case Up:
    case GateUp:
    case Down:
      return config.has_mlp(layer) && (!experts || config.experts.shared);
    case MlpNorm:
    case PostMlpNorm:
      return config.has_mlp(layer);
    case Router:
    case RouterBias:
    case ExpertGate:
    case ExpertUp:
    case ExpertDown:
    case SharedGate:
    case SharedNorm:
    case ExpertInputNorm:
    case ExpertNorm:
    case RouterScale:
    case ExpertScale:
      return config.has_mlp(layer) && experts;
    case MixerInput:
    case MixerOutput:
    case Convolution:
    case StateDecay:
    case StateSkip:
    case StepBias:
    case StateNorm:
      return keeps_state(kind);
    case MixerGate:
    case MixerBeta:
    case MixerStep:
      return kind == LayerKind::GatedDelta;
    default:
      return true;
  }
}

uint32_t first_layer_with(const DecoderConfig& config, DecoderRole role) {
  for (uint32_t layer = 0; layer < config.n_layers; ++layer) {
    if (has_role(config, role, layer)) return layer;
  }
  return 0;
}

std::string_view decoder_tensor_key(std::string_view name) {
  constexpr std::string_view kPrefixes[] = {"model.", "transformer.", "gpt_neox.", "backbone."};
  for (bool stripped = true; stripped;) {
    stripped = false;
    for (const std::string_view prefix : kPrefixes) {
      if (!name.starts_with(prefix)) continue;
      name.remove_prefix(prefix.size());
      stripped = true;
    }
  }
  constexpr std::string_view kEnding = ".weight";
  if (name.ends_with(kEnding)) name.remove_suffix(kEnding.size());
  return name;
}

TensorIndex decoder_tensor_index(const std::vector<TensorEntry>& tensors) {
  return TensorIndex(tensors, decoder_tensor_key);
}

const TensorEntry* find_decoder_tensor(const TensorIndex& index, const DecoderTensor& tensor) {
  const TensorEntry* found = index.find(decoder_tensor_key(tensor.spec.name));
  if (found != nullptr || tensor.other_name.empty()) return found;
  return index.find(decoder_tensor_key(tensor.other_name));
}

const TensorEntry* find_decoder_tensor(const TensorIndex& index, DecoderArchitecture architecture,
                                       DecoderRole role, uint32_t layer, bool bias) {
  for (const Row& row : decoder_tensor_rows(architecture)) {
    if (row.role == role) return find_decoder_tensor(index, expand(row, layer, bias, {}));
  }
  return nullptr;
}

std::vector<DecoderTensor> decoder_tensors(const DecoderConfig& config) {
  const auto rows = decoder_tensor_rows(config.architecture);
  const auto first = std::ranges::find_if(rows, is_layered);
  const auto last = std::find_if_not(first, rows.end(), is_layered);
  std::vector<DecoderTensor> tensors;
  add_tensors({rows.begin(), first}, kNoLayer, config, tensors);
  for (uint32_t layer = 0; layer < config.n_layers; ++layer) {
    add_tensors({first, last}, layer, config, tensors);
  }
  add_tensors({last, rows.end()}, kNoLayer, config, tensors);
  add_dense_layers(decoder_dense_layers(config), tensors);
  add_layer_heads(config, tensors);
  add_stream_layers(config, tensors);
  return tensors;
}

void check_decoder_tensors(const Model& model, const DecoderConfig& config,
                           io::Diagnostics& diagnostics) {
  const TensorIndex index = decoder_tensor_index(model.tensors);
  const std::vector<DecoderTensor> wanted = decoder_tensors(config);
  const auto is_present = [&](const DecoderTensor& tensor) {
    return find_decoder_tensor(index, tensor) != nullptr;
  };
  std::optional<uint32_t> absent;  // the first layer without any tensor
  uint32_t n_absent = 0;
  for (auto from = wanted.begin(); from != wanted.end();) {
    const auto to = std::find_if(from, wanted.end(),
                                 [&](const DecoderTensor& t) { return t.layer != from->layer; });
    const bool in_layer = from->layer != kNoLayer && !is_numbered_alone(from->role);
    if (in_layer && std::none_of(from, to, is_present)) {
      if (!absent) absent = from->layer;
      ++n_absent;
      from = to;
      continue;
    }
    for (; from != to; ++from) {
      check_tensor(model, find_decoder_tensor(index, *from), from->spec, diagnostics);
    }
  }
  if (absent) {
    diagnostics.error(make_error(ErrorCode::NotFound, "tensors",
                                 {"all tensors of ", n_absent, " of the ", config.n_layers,
                                  " layers are missing; the first is layer ", *absent}));
  }
  check_kinds(model, index, wanted, config, diagnostics);
  check_keys_unique(model, diagnostics);
  warn_of_uncounted_layers(model, config, diagnostics);
}

}  // namespace ambry::model
