#include <array>

#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/table_rows.h"

namespace ambry::model {
namespace {

using namespace encoder_rows;  // NOLINT(google-build-using-namespace): tables read better

constexpr Row both(Role role, std::string_view name, EncoderExtent rows, EncoderExtent cols) {
  return linear(role, name, rows, cols, Rule::Always);
}

// The first part of a layer is what narrows and widens: the matrix of queries is for what queries
// and keys are made of, and that of keys for what is added to the attention. The other parts are
// feed-forward layers.
constexpr std::array kMobileBertTensors = {
    table(Role::WordEmbedding, "embeddings.word_embeddings", Vocab),
    table(Role::PositionEmbedding, "embeddings.position_embeddings", Positions, Hidden),
    table(Role::TokenTypeEmbedding, "embeddings.token_type_embeddings", TokenTypes, Hidden),
    both(Role::EmbeddingProjection, "embeddings.embedding_transformation", Hidden, Trigrams),
    norm(Role::EmbeddingNorm, "embeddings.LayerNorm"),
    of_part(1, both(Role::Query, "encoder.layer.#.bottleneck.attention.dense", Narrow, Hidden)),
    of_part(1, norm(Role::QueryNorm, "encoder.layer.#.bottleneck.attention.LayerNorm", Narrow)),
    of_part(1, both(Role::Key, "encoder.layer.#.bottleneck.input.dense", Narrow, Hidden)),
    of_part(1, norm(Role::KeyNorm, "encoder.layer.#.bottleneck.input.LayerNorm", Narrow)),
    both(Role::Query, "encoder.layer.#.attention.self.query", Inner, Narrow),
    both(Role::Key, "encoder.layer.#.attention.self.key", Inner, Narrow),
    both(Role::Value, "encoder.layer.#.attention.self.value", Inner, Hidden),
    both(Role::AttentionOutput, "encoder.layer.#.attention.output.dense", Narrow, Inner),
    norm(Role::AttentionNorm, "encoder.layer.#.attention.output.LayerNorm", Narrow),
    of_part(2, both(Role::Up, "encoder.layer.#.ffn.@.intermediate.dense", Ff, Narrow)),
    of_part(2, both(Role::Down, "encoder.layer.#.ffn.@.output.dense", Narrow, Ff)),
    of_part(2, norm(Role::OutputNorm, "encoder.layer.#.ffn.@.output.LayerNorm", Narrow)),
    both(Role::Up, "encoder.layer.#.intermediate.dense", Ff, Narrow),
    both(Role::Down, "encoder.layer.#.output.dense", Narrow, Ff),
    norm(Role::OutputNorm, "encoder.layer.#.output.LayerNorm", Narrow),
    of_part(1, both(Role::Down, "encoder.layer.#.output.bottleneck.dense", Hidden, Narrow)),
    of_part(1, norm(Role::OutputNorm, "encoder.layer.#.output.bottleneck.LayerNorm")),
    linear(Role::Pooler, "pooler.dense", Hidden, Hidden, Rule::Optional, Rule::Optional)};

constexpr std::array kMobileBertFacts = {
    StatedFact("embedding_size", &EncoderFacts::embedding_size, 1, UINT32_MAX),
    StatedFact("intra_bottleneck_size", &EncoderFacts::narrow_size, 1, UINT32_MAX),
    StatedFact("num_feedforward_networks", &EncoderFacts::feed_forwards, 1, kMaxFeedForwards),
    StatedFact("head_dim", &EncoderFacts::head_dim, 1, kMaxHeadDim)};

}  // namespace

constinit const EncoderArchitecture kMobileBert = {.name = "mobilebert",
                                                   .facts = {.norm = EncoderNorm::Affine,
                                                             .embedding_size = 128,
                                                             .trigrams = true,
                                                             .head_dim = 32,
                                                             .narrow_size = 128,
                                                             .feed_forwards = 4},
                                                   .stated = kMobileBertFacts,
                                                   .tensors = kMobileBertTensors,
                                                   .head = {.classifier = "classifier",
                                                            .dense = "pooler.dense",
                                                            .dense_flag = "classifier_activation"}};

}  // namespace ambry::model
