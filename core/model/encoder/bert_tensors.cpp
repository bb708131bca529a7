#include "model/encoder/bert_tensors.h"

#include "model/tensor_index.h"

namespace ambry::model {
namespace {

using tensor::DType;
using tensor::Shape;

void add_linear(std::vector<TensorSpec>& specs, const std::string& name, uint64_t out,
                uint64_t in) {
  specs.push_back({name + ".weight", Shape{out, in}, true, false});
  specs.push_back({name + ".bias", Shape{out}, false, false});
}

void add_norm(std::vector<TensorSpec>& specs, const std::string& name, uint64_t width) {
  specs.push_back({name + ".weight", Shape{width}, false, false});
  specs.push_back({name + ".bias", Shape{width}, false, false});
}

void add_layer(std::vector<TensorSpec>& specs, const EncoderConfig& config, uint32_t layer) {
  const std::string prefix = concat({"encoder.layer.", layer});
  const uint64_t hidden = config.hidden_size;
  const auto linear = [&](const char* name, uint64_t out, uint64_t in) {
    add_linear(specs, prefix + name, out, in);
  };
  linear(".attention.self.query", hidden, hidden);
  linear(".attention.self.key", hidden, hidden);
  linear(".attention.self.value", hidden, hidden);
  linear(".attention.output.dense", hidden, hidden);
  add_norm(specs, prefix + ".attention.output.LayerNorm", hidden);
  linear(".intermediate.dense", config.intermediate_size, hidden);
  linear(".output.dense", hidden, config.intermediate_size);
  add_norm(specs, prefix + ".output.LayerNorm", hidden);
}

void add_dense(std::vector<TensorSpec>& specs, const EncoderConfig& config) {
  for (size_t i = 0; i < config.dense.size(); ++i) {
    const uint64_t in = config.dense[i].in_features;
    const uint64_t out = config.dense[i].out_features;
    specs.push_back({dense_tensor_name(i, "weight"), Shape{out, in}, true, false});
    if (!config.dense[i].bias) continue;
    specs.push_back({dense_tensor_name(i, "bias"), Shape{out}, false, false});
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

std::vector<TensorSpec> bert_tensors(const EncoderConfig& config) {
  const uint64_t hidden = config.hidden_size;
  std::vector<TensorSpec> specs;
  const auto add_table = [&](const char* name, uint64_t rows) {
    specs.push_back({concat({"embeddings.", name, ".weight"}), Shape{rows, hidden}, false, false});
  };
  add_table("word_embeddings", config.vocab_size);
  add_table("position_embeddings", config.max_positions);
  add_table("token_type_embeddings", config.type_vocab_size);
  add_norm(specs, "embeddings.LayerNorm", hidden);
  for (uint32_t layer = 0; layer < config.num_layers; ++layer) add_layer(specs, config, layer);
  const size_t n_required = specs.size();
  add_linear(specs, "pooler.dense", hidden, hidden);
  for (size_t i = n_required; i < specs.size(); ++i) specs[i].optional = true;
  add_dense(specs, config);
  return specs;
}

std::string scale_name(std::string_view name) { return concat({name, ".scale"}); }

std::string zero_point_name(std::string_view name) { return concat({name, ".zero_point"}); }

void check_bert_tensors(const Model& model, const EncoderConfig& config,
                        io::Diagnostics& diagnostics) {
  const TensorIndex index(model.tensors);
  for (const TensorSpec& spec : bert_tensors(config)) {
    const TensorEntry* tensor = index.find(spec.name);
    if (check_tensor(model, tensor, spec, diagnostics) && !tensor::is_float(tensor->dtype)) {
      check_scale(model, index, *tensor, diagnostics);
    }
  }
}

}  // namespace ambry::model
