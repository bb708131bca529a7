#include "model/decoder/decoder_activations.h"

#include <algorithm>
#include <cstring>

#include "io/byte_reader.h"
#include "io/source.h"

namespace ambry::model {
namespace {

// All lists, in the order in which they are saved.
template <class Activations>
auto lists_of(Activations& activations) {
  std::vector<decltype(&activations.output)> lists;
  for (auto& layer : activations.layers) {
    lists.insert(lists.end(), {&layer.attention, &layer.context, &layer.mlp, &layer.mlp_hidden});
    for (auto& expert : layer.experts) {
      lists.insert(lists.end(), {&expert.mlp, &expert.mlp_hidden});
    }
  }
  lists.insert(lists.end(), {&activations.output, &activations.tokens, &activations.positions});
  return lists;
}

void append(std::vector<uint8_t>& bytes, const void* data, size_t size) {
  const auto* const first = static_cast<const uint8_t*>(data);
  bytes.insert(bytes.end(), first, first + size);
}

void append_count(std::vector<uint8_t>& bytes, size_t count) {
  const auto number = static_cast<uint32_t>(count);
  append(bytes, &number, sizeof(number));
}

}  // namespace

std::vector<uint8_t> DecoderActivations::saved() const {
  std::vector<uint8_t> bytes;
  append_count(bytes, layers.size());
  append_count(bytes, layers.empty() ? 0 : layers.front().experts.size());
  for (const std::vector<float>* list : lists_of(*this)) {
    append_count(bytes, list->size());
    append(bytes, list->data(), list->size() * sizeof(float));
  }
  return bytes;
}

Result<DecoderActivations> DecoderActivations::restored(Bytes bytes) {
  const io::MemorySource source(bytes);
  io::ByteReader reader(source);
  DecoderActivations made;
  AMBRY_TRY(const uint32_t n_layers, reader.read<uint32_t>("layers"));
  AMBRY_RETURN_IF_ERROR(reader.check_count(n_layers, 4 * sizeof(uint32_t), "layers", 0));
  const uint64_t experts_at = reader.position();
  AMBRY_TRY(const uint32_t n_experts, reader.read<uint32_t>("experts"));
  AMBRY_RETURN_IF_ERROR(reader.check_count(n_experts, 2 * sizeof(uint32_t) * std::max(n_layers, 1U),
                                           "experts", experts_at));
  made.layers.resize(n_layers);
  for (Layer& layer : made.layers) layer.experts.resize(n_experts);
  for (std::vector<float>* list : lists_of(made)) {
    const uint64_t at = reader.position();
    AMBRY_TRY(const uint32_t count, reader.read<uint32_t>("count"));
    AMBRY_RETURN_IF_ERROR(reader.check_count(count, sizeof(float), "count", at));
    AMBRY_TRY(const Bytes floats, reader.read_bytes(count * sizeof(float), "values"));
    list->resize(count);
    if (count > 0) std::memcpy(list->data(), floats.data(), floats.size());
  }
  AMBRY_RETURN_IF_ERROR(reader.expect_end());
  return made;
}

std::span<const float> DecoderActivations::input_of(DecoderRole role, uint32_t layer,
                                                    uint32_t expert) const {
  if (role == DecoderRole::TokenEmbedding) return tokens;
  if (role == DecoderRole::PositionEmbedding) return positions;
  if (role == DecoderRole::Output) return output;
  if (layer >= layers.size()) return {};
  const Layer& of = layers[layer];
  if (is_expert_role(role)) {
    if (expert >= of.experts.size()) return {};
    const Expert& own = of.experts[expert];
    return role == DecoderRole::ExpertDown ? own.mlp_hidden : own.mlp;
  }
  switch (role) {
    case DecoderRole::Query:
    case DecoderRole::Key:
    case DecoderRole::Value:
    case DecoderRole::QueryKeyValue:
    case DecoderRole::MixerInput:
    case DecoderRole::MixerGate:
    case DecoderRole::MixerBeta:
    case DecoderRole::MixerStep:
      return of.attention;
    case DecoderRole::AttentionOutput:
    case DecoderRole::MixerOutput:
      return of.context;
    case DecoderRole::Router:
    case DecoderRole::Gate:
    case DecoderRole::Up:
    case DecoderRole::GateUp:
      return of.mlp;
    case DecoderRole::Down:
      return of.mlp_hidden;
    default:
      return {};
  }
}

}  // namespace ambry::model
