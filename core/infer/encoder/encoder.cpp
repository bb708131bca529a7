#include "infer/encoder/encoder.h"

#include <cassert>

#include "infer/encoder/encoder_scratch_pool.h"
#include "infer/encoder/head/classification_head.h"
#include "infer/encoder/head/dense_pass.h"
#include "infer/encoder/weights/encoder_weights.h"

namespace ambry::infer {
namespace {

uint64_t bytes_of_linear(const Linear& linear) {
  return linear.weight.bytes() + linear.bias.values.size();
}

uint64_t bytes_of_norm(const LayerNorm& norm) {
  return norm.weight.values.size() + norm.bias.values.size();
}

// BadValue at the first id that is not below `limit`.
Result<void> check_ids(std::span<const uint32_t> ids, uint64_t limit, size_t sequence,
                       const char* field, const char* table) {
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < limit) continue;
    return make_error(ErrorCode::BadValue, {"sequences[", sequence, "].", field, "[", i, "]"},
                      {"id ", ids[i], " is outside the model's ", limit, " ", table});
  }
  return {};
}

}  // namespace

Encoder::Encoder(std::unique_ptr<EncoderWeights> weights, EncoderPass pass)
    : weights_(std::move(weights)),
      pass_(pass),
      scratch_pool_(std::make_unique<EncoderScratchPool>()) {}
Encoder::Encoder(Encoder&&) noexcept = default;
Encoder& Encoder::operator=(Encoder&&) noexcept = default;
Encoder::~Encoder() = default;

uint32_t Encoder::hidden_size() const { return weights_->hidden_size; }

uint32_t Encoder::embedding_size() const {
  if (weights_->dense.empty()) return hidden_size();
  return static_cast<uint32_t>(weights_->dense.back().linear.weight.f32.n());
}

uint32_t Encoder::max_positions() const { return weights_->max_tokens; }

uint64_t Encoder::token_types() const { return weights_->token_type_embeddings.rows; }

uint64_t Encoder::weight_bytes() const {
  uint64_t total = weights_->word_embeddings.bytes() + weights_->position_embeddings.bytes() +
                   weights_->token_type_embeddings.bytes() + weights_->relative_bias.bytes() +
                   weights_->relative_embeddings.bytes() + bytes_of_norm(weights_->relative_norm) +
                   bytes_of_norm(weights_->embedding_norm) +
                   bytes_of_linear(weights_->embedding_projection) +
                   bytes_of_norm(weights_->final_norm);
  for (const EncoderLayer& layer : weights_->layers) {
    for (const Linear* linear :
         {&layer.query, &layer.key, &layer.value, &layer.relative_key, &layer.relative_query,
          &layer.attention_output, &layer.gate, &layer.intermediate, &layer.output}) {
      total += bytes_of_linear(*linear);
    }
    for (const LayerNorm* norm : {&layer.query_norm, &layer.key_norm, &layer.attention_norm,
                                  &layer.repeated_norm, &layer.output_norm}) {
      total += bytes_of_norm(*norm);
    }
  }
  for (const auto* layers : {&weights_->dense, &weights_->token_dense}) {
    for (const DenseLayer& layer : *layers) total += bytes_of_linear(layer.linear);
  }
  if (weights_->head) total += weights_->head->bytes();
  return total;
}

Result<void> Encoder::check(std::span<const Sequence> batch) const {
  for (size_t i = 0; i < batch.size(); ++i) {
    const Sequence& sequence = batch[i];
    assert(sequence.type_ids.empty() || sequence.type_ids.size() == sequence.ids.size());
    if (sequence.ids.size() > max_positions()) {
      return make_error(
          ErrorCode::LimitExceeded, {"sequences[", i, "]"},
          {sequence.ids.size(), " tokens, but the model has ", max_positions(), " positions"});
    }
    AMBRY_RETURN_IF_ERROR(
        check_ids(sequence.ids, weights_->word_embeddings.rows, i, "ids", "word embeddings"));
    // A model without types does not read them, whatever its tokenizer says.
    const uint64_t types = weights_->token_type_embeddings.rows;
    if (types == 0) continue;
    AMBRY_RETURN_IF_ERROR(check_ids(sequence.type_ids, types, i, "type_ids", "token types"));
  }
  return {};
}

void Encoder::apply_dense(std::vector<float>& vectors) const {
  assert(vectors.size() % hidden_size() == 0);
  for (const DenseLayer& layer : weights_->dense) apply_dense_layer(layer, vectors);
}

std::vector<float> Encoder::classify(std::span<const float> hidden) const {
  assert(weights_->head);
  return infer::classify(*weights_->head, hidden, hidden_size(), weights_->layer_norm_eps);
}

Result<void> Encoder::run(std::span<const Sequence> batch, std::span<float> out) const {
  return run(batch, false, out);
}

Result<void> Encoder::run_first(std::span<const Sequence> batch, std::span<float> out) const {
  return run(batch, true, out);
}

Result<void> Encoder::run(std::span<const Sequence> batch, bool first_only,
                          std::span<float> out) const {
  AMBRY_RETURN_IF_ERROR(check(batch));
  [[maybe_unused]] size_t n_tokens = 0;
  for (const Sequence& sequence : batch) n_tokens += sequence.ids.size();
  assert(out.size() == n_tokens * hidden_size());
  const EncoderScratchPool::Loan scratch(*scratch_pool_);
  return pass_(*weights_, *scratch, batch, first_only, out);
}

}  // namespace ambry::infer
