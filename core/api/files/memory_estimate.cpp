#include "api/files/memory_estimate.h"

#include <algorithm>

#include "formats/registry.h"
#include "io/diagnostics.h"
#include "model/decoder/decoder_config.h"
#include "model/encoder/encoder_config.h"

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

uint64_t stored_weight(const TensorEntry& tensor, Runs runs) {
  // Encoders compute in f32 and keep only int8 weights as stored.
  const bool widens = runs == Runs::Encoder && tensor.dtype != DType::I8;
  return widens ? tensor.shape.count().value_or(0) * sizeof(float) : tensor.bytes;
}

uint64_t int8_weight(const TensorEntry& tensor, Runs runs) {
  const uint64_t count = tensor.shape.count().value_or(0);
  const bool matrix = tensor.shape.rank() == 2 && !model::is_dense_tensor(tensor.name);
  if (matrix && (tensor::is_float(tensor.dtype) || tensor.dtype == DType::I8)) {
    return count + tensor.shape[0] * kRowBytes;
  }
  return stored_weight(tensor, runs);
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

uint64_t encoder_work(const model::EncoderConfig& config) {
  // Hidden states, query, key, value and context of a batch.
  return kBatchTokens * config.hidden_size * 5 * sizeof(float);
}

uint64_t decoder_work(const model::DecoderConfig& config) {
  const uint64_t context = std::min<uint64_t>(config.max_seq_len, kDefaultContext);
  const uint64_t cache =
      context * 2 * config.n_layers * config.n_kv_heads * config.head_dim * sizeof(float);
  const uint64_t step = uint64_t{config.n_vocab} + 4 * uint64_t{config.n_embd} + config.n_ff;
  return cache + step * sizeof(float);
}

}  // namespace

std::optional<MemoryEstimate> memory_estimate(const model::Model& model) {
  const formats::Format* format = formats::find_format(model.format);
  const Runs runs = format == nullptr ? Runs::Nothing : format->runs;
  uint64_t work = 0;
  io::Diagnostics unheard;
  switch (runs) {
    case Runs::Nothing:
      return std::nullopt;
    case Runs::Encoder: {
      const auto config = model::encoder_config(model, unheard);
      if (!config || !model.tokenizer) return std::nullopt;
      work = encoder_work(*config);
      break;
    }
    case Runs::Decoder: {
      const auto config = model::decoder_config(model, unheard);
      if (!config || model.tensors.empty()) return std::nullopt;
      work = decoder_work(*config);
      break;
    }
    case Runs::Words:
    case Runs::Classifier:
    case Runs::TextClassifier:
      break;
  }
  const uint64_t rest = kBase + work + vocabulary_bytes(model);
  MemoryEstimate estimate{rest, rest};
  for (const TensorEntry& tensor : model.tensors) {
    estimate.as_stored += stored_weight(tensor, runs);
    estimate.int8 += int8_weight(tensor, runs);
  }
  return estimate;
}

}  // namespace ambry::api
