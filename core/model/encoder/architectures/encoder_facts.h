// The facts of a sentence encoder's forward pass, in which architectures differ. The pass knows
// facts only. An architecture has a value for each, and a model may state some of them
// (EncoderArchitecture::stated).
#pragma once

#include <cstdint>
#include <string>

#include "model/metadata/metadata_value.h"

namespace ambry::model {

// Far above any real encoder. Keeps a hostile value from growing the list of expected tensors.
inline constexpr uint32_t kMaxEncoderLayers = 256;
inline constexpr uint32_t kMaxExperts = 64;
inline constexpr uint32_t kMaxFeedForwards = 64;

// Affine: x · weight + bias, without any statistics.
enum class EncoderNorm : uint8_t { Layer, Rms, Affine };

// How attention or the embeddings know the place of a token.
enum class EncoderPositions : uint8_t {
  Learned,          // a table of embeddings
  Rope,             // queries and keys are rotated
  Alibi,            // a slope for each head times the distance, taken from the scores
  RelativeBuckets,  // a learned bias for each head and bucket of distances (T5, MPNet)
  Disentangled,     // products with embeddings of distances (DeBERTa)
  None,
};

struct EncoderFacts {
  EncoderNorm norm = EncoderNorm::Layer;
  bool norm_first = false;  // norms stand before attention and feed-forward layer, not after them
  bool embedding_norm = true;
  bool final_norm = false;     // after the last layer
  bool repeated_norm = false;  // after attention's norm: LN(h + attention's result), h as before it
  // Layer norms add a bias. So do query, key, value and output, and the feed-forward layer.
  bool norm_bias = true;
  bool attention_bias = true;
  bool mlp_bias = true;

  bool token_types = true;      // false: only where type_vocab_size is above 0
  uint32_t embedding_size = 0;  // width of the embedding tables; 0: hidden_size
  // The embeddings of the next token, of this one and of the one before are projected together, and
  // positions and types are added afterwards.
  bool trigrams = false;
  double embed_scale = 1;
  uint32_t layer_groups = 0;  // runs of layers that share weights; 0: each layer has its own
  bool gated = false;         // down(act(gate(x)) * up(x)) instead of down(act(up(x)))
  bool causal = false;        // a token sees none of those after it
  // A text ends with its first token of this id; 0: what follows such tokens counts, too.
  uint32_t end_token_id = 0;
  bool filled = false;  // texts are filled up to max_seq_length with pad_token_id, which is seen

  EncoderPositions positions = EncoderPositions::Learned;
  // Positions count from pad_token_id + 1, and tokens that are pad_token_id do not count
  // (fairseq's way). Else they count from 0.
  bool positions_after_pad = false;
  uint32_t pad_token_id = 0;
  double rope_theta = 10'000;
  double local_rope_theta = 0;     // of layers with a window; 0: rope_theta
  bool interleaved = false;        // neighbours are rotated; else numbers of two halves
  double rotary_fraction = 1;      // share of a head's dimensions that are rotated
  double rope_ntk_factor = 1;      // the base times this, and slower by this power of 2 / head_dim
  uint32_t relative_buckets = 32;  // of RelativeBuckets; of Disentangled, 0: one a distance
  uint32_t max_distance = 128;     // the distance at which the last bucket begins
  // Of Disentangled: products of queries with the distances' keys, and of keys with their queries.
  bool content_to_position = false;
  bool position_to_content = false;
  bool share_relative = false;  // a layer makes those keys and queries as it does those of tokens
  bool relative_norm = false;   // embeddings of distances are normalized

  uint32_t head_dim = 0;  // 0: hidden_size / num_heads
  // A matrix of query, key and value has those of one head after another; else all queries first.
  bool fused_by_head = false;
  uint32_t kv_heads = 0;      // heads of keys and values, each for a run of heads; 0: num_heads
  bool scale_scores = true;   // by 1/√head_dim
  uint32_t local_window = 0;  // tokens that local layers see, half to either side; 0: no windows
  uint32_t global_every = 1;  // every how many-th layer, from the first on, sees all tokens

  // Within a layer, states are as wide as this, but for what values are made of; 0: as outside.
  // Only then a layer has as many feed-forward layers, one after another.
  uint32_t narrow_size = 0;
  uint32_t feed_forwards = 0;
  // The feed-forward layer of each expert_every-th layer, from the second on, is a mixture: a token
  // goes through the experts_used ones that its router likes best. 0: there are none.
  uint32_t experts = 0;
  uint32_t experts_used = 0;
  uint32_t expert_every = 0;

  // Why a token cannot use so many experts, or nullptr.
  [[nodiscard]] const char* experts_fault() const;
  [[nodiscard]] bool has_experts(uint32_t layer) const {
    return expert_every > 0 && layer % expert_every == 1;
  }
  // What a layer has besides its own weights: the experts, or what narrows its input and widens its
  // result, and the feed-forward layers before the last one.
  [[nodiscard]] uint32_t parts() const { return experts > 0 ? experts : feed_forwards; }
  // Why buckets and distances do not go together, or nullptr.
  [[nodiscard]] const char* distances_fault() const;
  // Distances to either side that have embeddings of their own.
  [[nodiscard]] uint64_t relative_span() const {
    return relative_buckets > 0 ? relative_buckets : max_distance;
  }
  // What is summed to a score, which the scale takes into account.
  [[nodiscard]] uint32_t score_parts() const {
    return 1U + (content_to_position ? 1U : 0U) + (position_to_content ? 1U : 0U);
  }
  [[nodiscard]] bool is_local(uint32_t layer) const {
    return local_window > 0 && layer % global_every != 0;
  }

  friend bool operator==(const EncoderFacts&, const EncoderFacts&) = default;
};

// A fact that a model states: its key in Hugging Face's config.json, which EMBD keeps, and the
// bounds of its value.
class StatedFact {
 public:
  constexpr StatedFact(const char* key, uint32_t EncoderFacts::* member, uint32_t min, uint32_t max)
      : key_(key), number_(member), min_(min), max_(max) {}
  constexpr StatedFact(const char* key, double EncoderFacts::* member, double min, double max)
      : key_(key), real_(member), min_(min), max_(max) {}
  constexpr StatedFact(const char* key, bool EncoderFacts::* member) : key_(key), flag_(member) {}

  [[nodiscard]] const char* key() const { return key_; }
  // For read_values(): the variable of `facts`.
  [[nodiscard]] ValueTarget target(EncoderFacts& facts) const;
  // Whether the value is within the bounds.
  [[nodiscard]] bool fits(const EncoderFacts& facts) const;
  [[nodiscard]] std::string bounds() const;
  // As EMBD's metadata states it.
  [[nodiscard]] std::string text(const EncoderFacts& facts) const;

 private:
  const char* key_;
  uint32_t EncoderFacts::* number_ = nullptr;
  double EncoderFacts::* real_ = nullptr;
  bool EncoderFacts::* flag_ = nullptr;
  double min_ = 0;
  double max_ = 0;
};

}  // namespace ambry::model
