#include "infer/decoder/weights/weight_plan.h"

#include <algorithm>
#include <utility>

#include "tensor/codec/blocks/blocks.h"
#include "tensor/codec/repack.h"
#include "tensor/codec/stored_values.h"

namespace ambry::infer {
namespace {

using model::DecoderRole;
using tensor::DType;

bool is_runnable(DType dtype) {
  return tensor::StoredValues::can_read(dtype) || tensor::payload_type(dtype).has_value() ||
         kernels::PackedSuperBlocks::supports(dtype, kernels::kSuperBlock);
}

// The rows of the embedding, which may include padding.
uint32_t embedding_rows(const model::Model& model, const model::DecoderConfig& config) {
  const model::TensorIndex index = model::decoder_tensor_index(model.tensors);
  const model::TensorEntry* embedding =
      find_decoder_tensor(index, config.architecture, DecoderRole::TokenEmbedding, model::kNoLayer);
  if (embedding == nullptr || embedding->shape.rank() != 2) return config.n_vocab;
  const uint64_t rows = embedding->shape[0];
  return rows > UINT32_MAX ? config.n_vocab : std::max(config.n_vocab, static_cast<uint32_t>(rows));
}

// One more than the highest id that the tokenizer knows.
uint32_t token_limit(const model::Model& model, uint32_t n_vocab) {
  if (!model.tokenizer || model.tokenizer->token_count() == 0) return n_vocab;
  const model::TokenizerData& tokenizer = *model.tokenizer;
  uint64_t limit = tokenizer.token_count();
  for (const uint32_t id : tokenizer.ids) limit = std::max(limit, uint64_t{id} + 1);
  for (const model::AddedToken& added : tokenizer.added_tokens) {
    limit = std::max(limit, uint64_t{added.id} + 1);
  }
  return static_cast<uint32_t>(std::min<uint64_t>(limit, n_vocab));
}

uint64_t resident_bytes(const PlannedTensor& tensor, kernels::ActivationPrecision precision) {
  if (!tensor.is_matrix()) return tensor.n_values() * sizeof(float);
  if (tensor.role == DecoderRole::Dense || tensor.role == DecoderRole::Router)
    precision = kernels::ActivationPrecision::F32;
  return kernels::WeightMatrix::bytes_of(tensor.dtype, tensor.quantization, tensor.rows,
                                         tensor.cols, tensor.transposed, tensor.stored_bytes,
                                         precision);
}

Result<PlannedTensor> plan_tensor(const model::Model& model, const model::DecoderTensor& wanted,
                                  const model::TensorEntry& entry,
                                  kernels::ActivationPrecision precision) {
  if (!is_runnable(entry.dtype)) {
    return make_error(ErrorCode::Unsupported, entry.name,
                      {"a decoder cannot run ", tensor::dtype_name(entry.dtype)});
  }
  PlannedTensor planned;
  planned.tensor = static_cast<size_t>(&entry - model.tensors.data());
  planned.name = entry.name;
  planned.role = wanted.role;
  planned.layer = wanted.layer;
  planned.expert = wanted.expert;
  planned.bias = wanted.bias;
  planned.stored_as = entry.dtype;
  planned.dtype = entry.dtype;
  planned.quantization = entry.quantization;
  planned.factor = entry.factor;
  planned.rows = wanted.spec.shape[0];
  planned.cols = wanted.spec.shape.rank() == 2 ? wanted.spec.shape[1] : 0;
  planned.transposed = wanted.spec.linear && model.linear_layout == model::LinearLayout::InOut;
  planned.stored_bytes = entry.bytes;
  if (const auto payload = tensor::payload_type(entry.dtype); payload && planned.is_matrix()) {
    planned.dtype = *payload;
    planned.quantization = tensor::kRepackedWhole;
  }
  planned.resident_bytes = resident_bytes(planned, precision);
  return planned;
}

// Whether no layer computes with the tensor: files may have keys of layers that use those of
// another, and values of layers that use their keys.
bool is_unused(const model::DecoderTensor& tensor, const model::DecoderConfig& config) {
  const bool is_key = tensor.role == DecoderRole::Key || tensor.role == DecoderRole::KeyNorm;
  const bool is_value = tensor.role == DecoderRole::Value;
  if (!is_key && !is_value) return false;
  return config.kv_layer(tensor.layer) != tensor.layer ||
         (is_value && config.keys_are_values(tensor.layer));
}

size_t part_of(const PlannedTensor& tensor, const model::DecoderConfig& config) {
  switch (tensor.role) {
    case DecoderRole::TokenEmbedding:
    case DecoderRole::PerLayerEmbedding:
    case DecoderRole::PerLayerModelProjection:
    case DecoderRole::StreamProjection:
    case DecoderRole::PositionEmbedding:
    case DecoderRole::Dense:
      return kEmbeddingPart;
    case DecoderRole::Output:
      return output_part(config.n_layers);
    case DecoderRole::StreamUnembedding:
      return mlp_part(config.n_layers - 1);
    case DecoderRole::ExpertGate:
    case DecoderRole::ExpertUp:
    case DecoderRole::ExpertDown:
      return expert_part(config, tensor.layer, tensor.expert);
    case DecoderRole::Router:
    case DecoderRole::Gate:
    case DecoderRole::Up:
    case DecoderRole::GateUp:
    case DecoderRole::Down:
    case DecoderRole::PerLayerGate:
    case DecoderRole::PerLayerProjection:
    case DecoderRole::StreamCorrect:
      return mlp_part(tensor.layer);
    default:
      return attention_part(tensor.layer);
  }
}

void share_out(WeightPlan& plan) {
  const uint32_t n_layers = plan.config.n_layers;
  plan.parts.resize(first_expert_part(plan.config) + size_t{n_layers} * plan.config.experts.count);
  uint64_t vector_bytes = 0;
  for (size_t i = 0; i < plan.tensors.size(); ++i) {
    const PlannedTensor& tensor = plan.tensors[i];
    plan.total_bytes += tensor.resident_bytes;
    if (!tensor.is_matrix()) {
      vector_bytes += tensor.resident_bytes;
      continue;
    }
    plan.parts[part_of(tensor, plan.config)].push_back(i);
    const bool is_output =
        plan.config.tie_word_embeddings && tensor.role == DecoderRole::TokenEmbedding;
    if (is_output) plan.parts[output_part(n_layers)].push_back(i);
    // Both parts of a layer ask how its streams mix.
    if (tensor.role == DecoderRole::StreamRouter) plan.parts[mlp_part(tensor.layer)].push_back(i);
  }
  uint64_t largest = 0;
  for (const std::vector<size_t>& part : plan.parts) {
    uint64_t size = 0;
    for (const size_t i : part) size += plan.tensors[i].resident_bytes;
    largest = std::max(largest, size);
  }
  plan.least_bytes = vector_bytes + largest;
}

}  // namespace

std::string part_name(size_t part, const model::DecoderConfig& config) {
  if (part == kEmbeddingPart) return "embeddings";
  if (part == output_part(config.n_layers)) return "output";
  const auto layer = static_cast<uint32_t>((part - 1) / 2);
  const model::LayerKind kind = config.kind_of(layer);
  std::string_view name = kind == model::LayerKind::Attention ? "attention" : layer_type_name(kind);
  if (part == mlp_part(layer)) name = "mlp";
  return concat({"layers[", layer, "].", name});
}

Result<WeightPlan> plan_weights(const model::Model& model, const model::DecoderConfig& config,
                                kernels::ActivationPrecision precision) {
  WeightPlan plan;
  plan.config = config;
  plan.n_vocab = config.n_vocab;
  plan.n_tokens = token_limit(model, config.n_vocab);
  plan.config.n_vocab = embedding_rows(model, config);
  io::Diagnostics diagnostics;
  check_decoder_tensors(model, plan.config, diagnostics);
  if (!diagnostics.errors.empty()) return std::move(diagnostics.errors.front());
  const model::TensorIndex index = model::decoder_tensor_index(model.tensors);
  for (const model::DecoderTensor& wanted : decoder_tensors(plan.config)) {
    if (config.tie_word_embeddings && wanted.role == DecoderRole::Output && !wanted.bias) continue;
    if (config.positions != model::DecoderPositions::Learned &&
        wanted.role == DecoderRole::PositionEmbedding) {
      continue;
    }
    if (is_unused(wanted, config)) continue;
    const model::TensorEntry* entry = find_decoder_tensor(index, wanted);
    if (entry == nullptr) continue;
    AMBRY_TRY(PlannedTensor planned, plan_tensor(model, wanted, *entry, precision));
    plan.tensors.push_back(std::move(planned));
  }
  const auto makes_logits = [](const PlannedTensor& tensor) {
    return tensor.role == DecoderRole::Output && !tensor.bias;
  };
  plan.has_output = config.tie_word_embeddings || std::ranges::any_of(plan.tensors, makes_logits);
  share_out(plan);
  return plan;
}

}  // namespace ambry::infer
