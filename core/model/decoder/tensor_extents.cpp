#include "model/decoder/tensor_extents.h"

namespace ambry::model {
namespace {

using Extent = DecoderExtent;
using Rule = DecoderRule;

}  // namespace

uint64_t extent_of(Extent extent, uint32_t layer, const DecoderConfig& config) {
  const uint64_t head_dim = layer == kNoLayer ? config.head_dim : config.head_dim_of(layer);
  switch (extent) {
    case Extent::Vocab:
      return config.n_vocab;
    case Extent::Embd:
      return config.n_embd;
    case Extent::HeadDim:
      return head_dim;
    case Extent::Heads:
      return config.n_heads * head_dim;
    case Extent::Queries:
      return config.n_heads * head_dim * (config.attn_gate ? 2 : 1);
    case Extent::KvHeads:
      return config.n_kv_heads_of(layer) * head_dim;
    case Extent::QkvHeads:
      return (config.n_heads + uint64_t{2} * config.n_kv_heads) * head_dim;
    case Extent::Ff:
      return config.n_ff_of(layer);
    case Extent::TwoFf:
      return uint64_t{2} * config.n_ff;
    case Extent::Experts:
      return config.experts.count;
    case Extent::ExpertFf:
      return config.experts.n_ff;
    case Extent::Positions:
      return config.max_seq_len;
    case Extent::ThreeEmbd:
      return uint64_t{3} * config.n_embd;
    case Extent::ConvTaps:
      return config.conv_taps;
    case Extent::SpaceInput:
      return config.state_space.input_width();
    case Extent::SpaceChannels:
      return config.state_space.channels();
    case Extent::SpaceWidth:
      return config.state_space.width();
    case Extent::SpaceHeads:
      return config.state_space.heads;
    case Extent::DeltaChannels:
      return config.delta.channels();
    case Extent::DeltaValues:
      return config.delta.values();
    case Extent::DeltaHeads:
      return config.delta.n_value_heads;
    case Extent::DeltaValueDim:
      return config.delta.value_dim;
    case Extent::PerLayer:
      return config.extras.n_embd_per_layer;
    case Extent::AllPerLayer:
      return uint64_t{config.extras.n_embd_per_layer} * config.n_layers;
    case Extent::VocabPerLayer:
      return config.extras.n_vocab_per_layer;
    case Extent::LaurelRank:
      return config.extras.laurel_rank;
    case Extent::Streams:
      return config.extras.n_streams;
    case Extent::StreamPairs:
      return uint64_t{config.extras.n_streams} * config.extras.n_streams;
    case Extent::One:
      break;
  }
  return 1;
}

bool is_required(Rule rule, uint32_t layer, const DecoderConfig& config) {
  switch (rule) {
    case Rule::Never:
    case Rule::Optional:
      return false;
    case Rule::Always:
      return true;
    case Rule::AttnBias:
      return config.attn_bias;
    case Rule::MlpBias:
      return config.mlp_bias;
    case Rule::ConvBias:
      return config.conv_bias;
    case Rule::StateNorm:
      return config.state_norm;
    case Rule::Sequential:
      return !config.parallel_residual;
    case Rule::Learned:
      return config.positions == DecoderPositions::Learned;
    case Rule::Untied:
      // Models that only make embeddings or rank are often stored without it.
      return !config.tie_word_embeddings && !config.embedding && !config.rank_head &&
             config.first_ranked_layer == 0;
    case Rule::OwnKey:
      return config.kv_layer(layer) == layer;
    case Rule::OwnValue:
      return config.kv_layer(layer) == layer && !config.keys_are_values(layer);
    case Rule::PerLayerInput:
      return config.extras.n_embd_per_layer > 0;
    case Rule::Laurel:
      return config.extras.laurel_rank > 0;
    case Rule::Streams:
      return config.extras.n_streams > 0;
  }
  return false;
}

}  // namespace ambry::model
