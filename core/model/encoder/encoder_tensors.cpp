#include "model/encoder/encoder_tensors.h"

#include <algorithm>
#include <span>
#include <utility>

#include "model/encoder/token_head.h"
#include "model/file/tensor_index.h"

namespace ambry::model {
namespace {

using tensor::DType;
using tensor::Shape;

using Extent = EncoderExtent;
using Row = EncoderTensorRow;
using Rule = EncoderRule;

uint64_t value_of(Extent extent, const EncoderConfig& config) {
  switch (extent) {
    case Extent::Vocab:
      return config.vocab_size;
    case Extent::Embedding:
      return config.embedding_width();
    case Extent::Hidden:
      return config.hidden_size;
    case Extent::Heads:
      return config.num_heads;
    case Extent::Inner:
      return config.inner_size();
    case Extent::Inner3:
      return 3 * config.inner_size();
    case Extent::KvInner:
      return config.kv_inner_size();
    case Extent::Ff:
      return config.intermediate_size;
    case Extent::TwoFf:
      return uint64_t{2} * config.intermediate_size;
    case Extent::Positions:
      return config.max_positions;
    case Extent::TokenTypes:
      return config.type_vocab_size;
    case Extent::Buckets:
      return config.facts.relative_buckets;
    case Extent::Places:
      return 2 * config.facts.relative_span();
    case Extent::Experts:
      return config.facts.experts;
    case Extent::Narrow:
      return config.facts.narrow_size;
    case Extent::Trigrams:
      return uint64_t{3} * config.embedding_width();
    case Extent::One:
      break;
  }
  return 1;
}

// Never, Optional or Always, for this model and layer.
Rule settled(Rule rule, uint32_t layer, const EncoderConfig& config) {
  const auto when = [](bool present) { return present ? Rule::Always : Rule::Never; };
  switch (rule) {
    case Rule::NormBias:
      return when(config.facts.norm_bias);
    case Rule::AttentionBias:
      return when(config.facts.attention_bias);
    case Rule::MlpBias:
      return when(config.facts.mlp_bias);
    case Rule::TokenTypes:
      return when(config.type_vocab_size > 0);
    case Rule::Projected:
      return when(config.embedding_width() != config.hidden_size);
    case Rule::NotFirstLayer:
      return when(layer > 0);
    case Rule::Gated:
      return when(config.facts.gated);
    case Rule::NotGated:
      return when(!config.facts.gated);
    case Rule::Experts:
      return when(config.facts.has_experts(layer));
    case Rule::NoExperts:
      return when(!config.facts.has_experts(layer));
    case Rule::RelativeNorm:
      return when(config.facts.relative_norm);
    case Rule::RelativeKeys:
      return when(config.facts.content_to_position && !config.facts.share_relative);
    case Rule::RelativeQueries:
      return when(config.facts.position_to_content && !config.facts.share_relative);
    case Rule::Never:
    case Rule::Optional:
    case Rule::Always:
      break;
  }
  return rule;
}

bool is_layered(const Row& row) { return row.name.find('#') != std::string_view::npos; }

std::string with_number(std::string_view name, char mark, uint32_t number, const char* ending) {
  const size_t at = name.find(mark);
  if (at == std::string_view::npos) return concat({name, ending});
  return concat({name.substr(0, at), number, name.substr(at + 1), ending});
}

void add_row(const Row& row, uint32_t layer, uint32_t part, const EncoderConfig& config,
             std::vector<EncoderTensor>& out) {
  const uint64_t n_rows = value_of(row.rows, config);
  const auto add = [&](Rule rule, bool bias) {
    if (rule == Rule::Never) return;
    const bool vector = bias || row.cols == Extent::One;
    const Shape shape = vector ? Shape{n_rows} : Shape{n_rows, value_of(row.cols, config)};
    std::string name = with_number(row.name, '#', layer, bias ? ".bias" : ".weight");
    if (part > 0) name = with_number(name, '@', part - row.part, "");
    out.push_back(
        {row.role, layer, part, bias,
         TensorSpec{std::move(name), shape, !vector && row.linear, rule == Rule::Optional}});
  };
  const Rule weight = settled(row.weight, layer, config);
  add(weight, false);
  if (weight != Rule::Never || row.bias == Rule::Experts) {
    add(settled(row.bias, layer, config), true);
  }
}

void add_parts(const Row& row, uint32_t layer, const EncoderConfig& config,
               std::vector<EncoderTensor>& out) {
  const bool each = row.name.find('@') != std::string_view::npos;
  const uint32_t last = each ? config.facts.parts() : row.part;
  for (uint32_t part = row.part; part <= last; ++part) add_row(row, layer, part, config, out);
}

void add_dense(const EncoderConfig& config, std::vector<EncoderTensor>& out) {
  for (size_t i = 0; i < config.dense.size(); ++i) {
    const auto number = static_cast<uint32_t>(i);
    const uint64_t n_in = config.dense[i].in_features;
    const uint64_t n_out = config.dense[i].out_features;
    out.push_back({EncoderRole::Dense,
                   number,
                   0,
                   false,
                   {dense_tensor_name(i, "weight"), Shape{n_out, n_in}, true, false}});
    if (!config.dense[i].bias) continue;
    out.push_back({EncoderRole::Dense,
                   number,
                   0,
                   true,
                   {dense_tensor_name(i, "bias"), Shape{n_out}, false, false}});
  }
}

void add_bias(EncoderRole role, std::string_view name, uint64_t size,
              std::vector<EncoderTensor>& out) {
  out.push_back({role, 0, 0, true, {concat({name, ".bias"}), Shape{size}, false, false}});
}

void add_part(EncoderRole role, std::string_view name, const Shape& shape, bool bias,
              std::vector<EncoderTensor>& out) {
  const bool linear = shape.rank() == 2;
  out.push_back({role, 0, 0, false, {concat({name, ".weight"}), shape, linear, false}});
  if (bias) add_bias(role, name, shape[0], out);
}

void add_head(const EncoderConfig& config, std::vector<EncoderTensor>& out) {
  const HeadConfig& head = *config.head;
  const HeadConfig* of_tokens = config.token_head();
  const HeadLayout& layout = of_tokens != nullptr ? kTokenHeadLayout : config.architecture->head;
  uint64_t width = config.hidden_size;
  if (head.dense_size > 0) {
    add_part(EncoderRole::HeadDense, layout.dense, {head.dense_size, width}, head.dense_bias, out);
    width = head.dense_size;
  }
  if (head.norm) add_part(EncoderRole::HeadNorm, layout.norm, {width}, head.norm_bias, out);
  const uint64_t outputs = config.head_outputs();
  if (of_tokens == nullptr || !of_tokens->tied) {
    add_part(EncoderRole::Classifier, layout.classifier, {outputs, width}, head.classifier_bias,
             out);
  } else if (head.classifier_bias) {
    add_bias(EncoderRole::Classifier, layout.classifier, outputs, out);
  }
  if (of_tokens != nullptr && of_tokens->sparse.n_query_weights > 0) {
    const Shape shape = {of_tokens->sparse.n_query_weights};
    out.push_back({EncoderRole::QueryWeights, 0, 0, false, {std::string(kQueryWeights), shape}});
  }
}

void check_scale(const Model& model, const TensorIndex& index, const TensorEntry& weight,
                 io::Diagnostics& diagnostics) {
  const std::string name = scale_name(canonical_tensor_name(weight.name));
  const TensorEntry* found = index.find(name);
  if (found == nullptr) {
    diagnostics.warn(error_at(ErrorCode::NotFound, weight.index_offset, path_of(model, weight),
                              {weight.name, " holds integers, but the tensor ", name,
                               " with their scales is missing, so the model cannot be run"}));
    return;
  }
  const TensorEntry& scale = *found;
  const auto check_companion = [&](const TensorEntry& companion) {
    const uint64_t rows = weight.shape.rank() == 0 ? 1 : weight.shape[0];
    if (companion.shape == Shape{1} || companion.shape == Shape{rows}) return;
    diagnostics.error(error_at(
        ErrorCode::Mismatch, companion.index_offset, {path_of(model, companion), ".shape"},
        {companion.name, " is ", to_string(companion.shape), ", expected [1] or [", rows, "]"}));
  };
  check_companion(scale);
  if (!tensor::is_float(scale.dtype)) {
    diagnostics.error(error_at(ErrorCode::BadValue, scale.index_offset,
                               {path_of(model, scale), ".dtype"},
                               {scale.name, " is ", dtype_name(scale.dtype), ", expected f32"}));
  } else if (scale.dtype != DType::F32) {
    diagnostics.tolerate(
        error_at(ErrorCode::BadValue, scale.index_offset, {path_of(model, scale), ".dtype"},
                 {scale.name, " is ", dtype_name(scale.dtype), "; scales are stored as f32"}));
  }
  const TensorEntry* zero_point = index.find(zero_point_name(canonical_tensor_name(weight.name)));
  if (zero_point != nullptr) check_companion(*zero_point);
}

}  // namespace

std::vector<EncoderTensor> encoder_tensors(const EncoderConfig& config) {
  const std::span<const Row> rows = config.architecture->tensors;
  std::vector<EncoderTensor> out;
  for (size_t first = 0; first < rows.size();) {
    // Rows of layers follow one another.
    size_t last = first + 1;
    const bool layered = is_layered(rows[first]);
    while (last < rows.size() && is_layered(rows[last]) == layered) ++last;
    const uint32_t n_layers = layered ? config.weight_layers() : 1;
    for (uint32_t layer = 0; layer < n_layers; ++layer) {
      for (size_t i = first; i < last; ++i) add_parts(rows[i], layer, config, out);
    }
    first = last;
  }
  if (config.text_head()) {
    // Some heads use the pooler.
    const std::string dense = concat({config.architecture->head.dense, "."});
    std::erase_if(out, [&](const EncoderTensor& tensor) {
      return tensor.role == EncoderRole::Pooler && tensor.spec.name.starts_with(dense);
    });
  }
  if (config.head) add_head(config, out);
  add_dense(config, out);
  return out;
}

std::string layer_marker(const EncoderConfig& config, uint32_t layer) {
  const auto marks = [](const Row& row) { return is_layered(row) && row.weight == Rule::Always; };
  const auto row = std::ranges::find_if(config.architecture->tensors, marks);
  return with_number(row->name, '#', layer, ".weight");
}

std::string scale_name(std::string_view name) { return concat({name, ".scale"}); }

std::string zero_point_name(std::string_view name) { return concat({name, ".zero_point"}); }

void check_encoder_tensors(const Model& model, const EncoderConfig& config,
                           io::Diagnostics& diagnostics) {
  const TensorIndex index(model.tensors);
  for (const EncoderTensor& expected : encoder_tensors(config)) {
    const TensorSpec& spec = expected.spec;
    const TensorEntry* tensor = index.find(spec.name);
    if (check_tensor(model, tensor, spec, diagnostics) && !tensor::is_float(tensor->dtype)) {
      check_scale(model, index, *tensor, diagnostics);
    }
  }
}

}  // namespace ambry::model
