#include <array>

#include "model/encoder/architectures/architectures.h"
#include "model/encoder/architectures/table_rows.h"

namespace ambry::model {
namespace {

using namespace encoder_rows;  // NOLINT(google-build-using-namespace): tables read better

constexpr std::array kDistilbertTensors = {
    table(Role::WordEmbedding, "embeddings.word_embeddings", Vocab),
    table(Role::PositionEmbedding, "embeddings.position_embeddings", Positions),
    norm(Role::EmbeddingNorm, "embeddings.LayerNorm"),
    linear(Role::Query, "transformer.layer.#.attention.q_lin", Inner, Hidden, Rule::Always),
    linear(Role::Key, "transformer.layer.#.attention.k_lin", Inner, Hidden, Rule::Always),
    linear(Role::Value, "transformer.layer.#.attention.v_lin", Inner, Hidden, Rule::Always),
    linear(Role::AttentionOutput, "transformer.layer.#.attention.out_lin", Hidden, Inner,
           Rule::Always),
    norm(Role::AttentionNorm, "transformer.layer.#.sa_layer_norm"),
    linear(Role::Up, "transformer.layer.#.ffn.lin1", Ff, Hidden, Rule::Always),
    linear(Role::Down, "transformer.layer.#.ffn.lin2", Hidden, Ff, Rule::Always),
    norm(Role::OutputNorm, "transformer.layer.#.output_layer_norm")};

}  // namespace

constinit const EncoderArchitecture kDistilBert = {.name = "distilbert",
                                                   .facts = {.token_types = false},
                                                   .stated = {},
                                                   .tensors = kDistilbertTensors,
                                                   .head = {.classifier = "classifier",
                                                            .dense = "pre_classifier",
                                                            .activation = DenseActivation::Relu}};

}  // namespace ambry::model
