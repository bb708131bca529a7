#include "api/files/memory_estimate.h"

#include <algorithm>

#include "infer/cnn/ops/weights.h"
#include "infer/decoder/recurrent/state_shape.h"
#include "infer/decoder/weights/decoder_options.h"
#include "infer/decoder/weights/weight_plan.h"
#include "infer/encoder/encoder_builder.h"
#include "io/diagnostics.h"
#include "model/decoder/decoder_config.h"
#include "model/encoder/encoder_config.h"
#include "model/static_encoder/static_config.h"

namespace ambry::api {
namespace {

using formats::Runs;
using model::TensorEntry;
using tensor::DType;

// Code, stack, and the chunk that is streaming in.
constexpr uint64_t kBase = uint64_t{4} << 20;
// For each token besides its text: its end, and its slot in a hash table that is half full.
constexpr uint64_t kTokenBytes = 4 + 2 * 8;
// The tokens in a batch of the encoder (infer/encoder/batch_plan.h).
constexpr uint64_t kBatchTokens = 4096;
// A scale and a zero point for each row of int8.
constexpr uint64_t kRowBytes = 8;
// The context that a chat fills, if the model's is larger.
constexpr uint64_t kDefaultContext = 4096;

// Encoders compute in f32 and keep only int8 weights as stored.
uint64_t stored_weight(const TensorEntry& tensor) {
  if (tensor.dtype == DType::I8) return tensor.bytes;
  return tensor.shape.count().value_or(0) * sizeof(float);
}

uint64_t int8_weight(const TensorEntry& tensor) {
  const bool matrix = tensor.shape.rank() == 2 && !model::is_dense_tensor(tensor.name);
  if (matrix && (tensor::is_float(tensor.dtype) || tensor.dtype == DType::I8)) {
    return tensor.shape.count().value_or(0) + tensor.shape[0] * kRowBytes;
  }
  return stored_weight(tensor);
}

uint64_t vocabulary_bytes(const model::Model& model) {
  uint64_t bytes = 0;
  if (model.tokenizer) {
    const model::TokenizerData& data = *model.tokenizer;
    bytes += data.vocabulary.text_bytes() + data.merges.text_bytes() + data.payload.size() +
             kTokenBytes * (data.token_count() + data.merges.size());
  }
  if (model.words) {
    bytes += model.words->words.text_bytes() + model.words->ngrams.text_bytes() +
             kTokenBytes * (model.words->n_words + model.words->ngrams.size());
  }
  return bytes;
}

MemoryEstimate memory_as_stored(const model::Model& model) {
  MemoryEstimate estimate;
  for (const TensorEntry& tensor : model.tensors) estimate.as_stored += tensor.bytes;
  return estimate;
}

Result<MemoryEstimate> encoder_memory(const model::Model& model) {
  if (model::is_static(model)) {
    AMBRY_RETURN_IF_ERROR(model::static_config(model));
    return memory_as_stored(model);
  }
  AMBRY_TRY(const model::EncoderConfig config, model::encoder_config(model));
  AMBRY_TRY(const infer::EncoderBuilder plan,
            infer::EncoderBuilder::plan(model, config, infer::WeightStorage::AsStored));
  // Hidden states, query, key, value and context of a batch.
  const uint64_t work = kBatchTokens * config.hidden_size * 5 * sizeof(float);
  MemoryEstimate estimate{work, work};
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    if (!plan.wants(i)) continue;
    estimate.as_stored += stored_weight(model.tensors[i]);
    *estimate.int8 += int8_weight(model.tensors[i]);
  }
  return estimate;
}

uint64_t decoder_work(const model::DecoderConfig& config) {
  const uint64_t context = std::min<uint64_t>(config.max_seq_len, kDefaultContext);
  uint64_t kv_numbers = 0;
  for (uint32_t layer = 0; layer < config.n_layers; ++layer) {
    if (!config.keeps_keys(layer)) continue;
    kv_numbers += uint64_t{2} * config.n_kv_heads_of(layer) * config.head_dim_of(layer);
  }
  const uint64_t cache = context * kv_numbers * sizeof(float);
  const uint64_t step = uint64_t{config.n_vocab} + 4 * uint64_t{config.n_embd} + config.n_ff;
  return cache + infer::most_state_bytes(config) + step * sizeof(float);
}

Result<MemoryEstimate> decoder_memory(const model::Model& model) {
  io::Diagnostics ignored;
  AMBRY_TRY(const model::DecoderConfig config, model::decoder_config(model, ignored));
  AMBRY_TRY(const infer::WeightPlan plan,
            infer::plan_weights(model, config, infer::DecoderOptions().activations));
  return MemoryEstimate{plan.total_bytes + decoder_work(config), std::nullopt};
}

Result<MemoryEstimate> image_classifier_memory(const model::Model& model) {
  AMBRY_RETURN_IF_ERROR(infer::CnnWeightsBuilder::plan(model));
  return memory_as_stored(model);
}

Result<MemoryEstimate> memory_without_vocabulary(const model::Model& model, Runs runs) {
  switch (runs) {
    case Runs::Encoder:
      return encoder_memory(model);
    case Runs::Decoder:
      return decoder_memory(model);
    case Runs::ImageClassifier:
      return image_classifier_memory(model);
    default:
      return memory_as_stored(model);
  }
}

}  // namespace

Result<MemoryEstimate> memory_estimate(const model::Model& model, Runs runs) {
  AMBRY_TRY(MemoryEstimate estimate, memory_without_vocabulary(model, runs));
  const uint64_t rest = kBase + vocabulary_bytes(model);
  estimate.as_stored += rest;
  if (estimate.int8) *estimate.int8 += rest;
  return estimate;
}

MemoryEstimate memory_of_vectors(uint64_t bytes) { return {kBase + bytes, std::nullopt}; }

}  // namespace ambry::api
