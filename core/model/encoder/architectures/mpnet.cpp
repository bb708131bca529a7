#include <array>

#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/table_rows.h"

namespace ambry::model {
namespace {

using namespace encoder_rows;  // NOLINT(google-build-using-namespace): tables read better

constexpr std::array kMpnetTensors = {
    table(Role::WordEmbedding, "embeddings.word_embeddings", Vocab),
    table(Role::PositionEmbedding, "embeddings.position_embeddings", Positions),
    norm(Role::EmbeddingNorm, "embeddings.LayerNorm"),
    table(Role::RelativeBias, "encoder.relative_attention_bias", Buckets, Heads),
    linear(Role::Query, "encoder.layer.#.attention.attn.q", Inner, Hidden, Rule::Always),
    linear(Role::Key, "encoder.layer.#.attention.attn.k", Inner, Hidden, Rule::Always),
    linear(Role::Value, "encoder.layer.#.attention.attn.v", Inner, Hidden, Rule::Always),
    linear(Role::AttentionOutput, "encoder.layer.#.attention.attn.o", Hidden, Inner, Rule::Always),
    norm(Role::AttentionNorm, "encoder.layer.#.attention.LayerNorm"),
    linear(Role::Up, "encoder.layer.#.intermediate.dense", Ff, Hidden, Rule::Always),
    linear(Role::Down, "encoder.layer.#.output.dense", Hidden, Ff, Rule::Always),
    norm(Role::OutputNorm, "encoder.layer.#.output.LayerNorm"),
    linear(Role::Pooler, "pooler.dense", Hidden, Hidden, Rule::Optional, Rule::Optional)};

constexpr std::array kMpnetFacts = {
    StatedFact("relative_attention_num_buckets", &EncoderFacts::relative_buckets, 4, kMaxBuckets)};

}  // namespace

// Positions have both a table and a bias of the scores. The library fixes the id before them.
constinit const EncoderArchitecture kMpnet = {
    .name = "mpnet",
    .facts = {.token_types = false,
              .positions = EncoderPositions::RelativeBuckets,
              .positions_after_pad = true,
              .pad_token_id = 1},
    .stated = kMpnetFacts,
    .tensors = kMpnetTensors,
    .head = {.classifier = "classifier.out_proj", .dense = "classifier.dense"},
    .fault = &EncoderFacts::distances_fault};

}  // namespace ambry::model
