#include "infer/encoder/encoder_builder.h"

#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "infer/encoder/encoder.h"
#include "infer/encoder/encoder_weights.h"
#include "infer/encoder/weight_slot.h"
#include "model/tensor_index.h"

namespace ambry::infer {
namespace {

using tensor::Shape;

// The place of a finished weight: one of the first three is set.
struct Target {
  LinearWeight* matrix = nullptr;
  EmbeddingTable* table = nullptr;
  PaddedVector* vector = nullptr;
  bool always_f32 = false;  // a matrix that is never quantized
};

struct Destination {
  WeightSlot slot;
  Target target;
};

using Destinations =
    std::vector<std::unique_ptr<Destination>>;  // unique_ptr keeps the addresses stable

struct TensorUse {
  Destination* destination = nullptr;
  WeightPart part = WeightPart::Values;
};

// Goes through the parts of the encoder, finds the tensor of each and notes where its bytes go.
class Planner {
 public:
  Planner(const model::Model& model, const model::EncoderConfig& config, Destinations& destinations,
          std::vector<TensorUse>& uses)
      : model_(model),
        config_(config),
        destinations_(destinations),
        uses_(uses),
        by_name_(model.tensors) {}

  Result<void> encoder(EncoderWeights& weights) {
    AMBRY_RETURN_IF_ERROR(
        table("embeddings.word_embeddings.weight", config_.vocab_size, weights.word_embeddings));
    AMBRY_RETURN_IF_ERROR(table("embeddings.position_embeddings.weight", config_.max_positions,
                                weights.position_embeddings));
    AMBRY_RETURN_IF_ERROR(table("embeddings.token_type_embeddings.weight", config_.type_vocab_size,
                                weights.token_type_embeddings));
    AMBRY_RETURN_IF_ERROR(norm("embeddings.", "LayerNorm", weights.embedding_norm));
    // The file's layer count is not trusted: layers are counted by their tensors before any memory
    // is taken. The vector is then sized once, because destinations point into it.
    for (uint32_t i = 0; i < config_.num_layers; ++i) {
      const std::string first = prefix_of(i) + "attention.self.query.weight";
      if (!by_name_.find(first)) return not_found(first);
    }
    weights.layers.resize(config_.num_layers);
    for (uint32_t i = 0; i < config_.num_layers; ++i) {
      AMBRY_RETURN_IF_ERROR(layer(prefix_of(i), weights.layers[i]));
    }
    weights.dense.resize(config_.dense.size());
    for (size_t i = 0; i < weights.dense.size(); ++i) {
      AMBRY_RETURN_IF_ERROR(dense(i, weights.dense[i]));
    }
    return {};
  }

 private:
  static std::string prefix_of(uint32_t layer) { return concat({"encoder.layer.", layer, "."}); }

  static Failure not_found(const std::string& name) {
    return make_error(ErrorCode::NotFound, name, "the model has no such tensor");
  }

  Result<void> layer(const std::string& prefix, EncoderLayer& to) {
    const uint64_t hidden = config_.hidden_size;
    const uint64_t wide = config_.intermediate_size;
    AMBRY_RETURN_IF_ERROR(linear(prefix, "attention.self.query", hidden, hidden, to.query));
    AMBRY_RETURN_IF_ERROR(linear(prefix, "attention.self.key", hidden, hidden, to.key));
    AMBRY_RETURN_IF_ERROR(linear(prefix, "attention.self.value", hidden, hidden, to.value));
    AMBRY_RETURN_IF_ERROR(
        linear(prefix, "attention.output.dense", hidden, hidden, to.attention_output));
    AMBRY_RETURN_IF_ERROR(norm(prefix, "attention.output.LayerNorm", to.attention_norm));
    AMBRY_RETURN_IF_ERROR(linear(prefix, "intermediate.dense", wide, hidden, to.intermediate));
    AMBRY_RETURN_IF_ERROR(linear(prefix, "output.dense", hidden, wide, to.output));
    return norm(prefix, "output.LayerNorm", to.output_norm);
  }

  Result<void> linear(std::string_view prefix, std::string_view name, uint64_t out, uint64_t in,
                      Linear& to) {
    AMBRY_RETURN_IF_ERROR(
        matrix(concat({prefix, name, ".weight"}), out, in, {.matrix = &to.weight}));
    return vector(concat({prefix, name, ".bias"}), out, to.bias);
  }

  Result<void> matrix(const std::string& name, uint64_t out, uint64_t in, const Target& target) {
    const bool transposed = model_.linear_layout == model::LinearLayout::InOut;
    return bind(name, transposed ? Shape{in, out} : Shape{out, in}, transposed, target);
  }

  Result<void> dense(size_t i, DenseLayer& to) {
    const model::DenseConfig& layer = config_.dense[i];
    to.activation = layer.activation;
    AMBRY_RETURN_IF_ERROR(matrix(model::dense_tensor_name(i, "weight"), layer.out_features,
                                 layer.in_features,
                                 {.matrix = &to.linear.weight, .always_f32 = true}));
    const std::string bias = model::dense_tensor_name(i, "bias");
    if (layer.bias) return vector(bias, layer.out_features, to.linear.bias);
    AMBRY_TRY(to.linear.bias, zeros(layer.out_features));
    return {};
  }

  // Checkpoints converted from TensorFlow call the parameters gamma and beta.
  Result<void> norm(std::string_view prefix, std::string_view name, LayerNorm& to) {
    const bool old = !by_name_.find(concat({prefix, name, ".weight"})) &&
                     by_name_.find(concat({prefix, name, ".gamma"}));
    AMBRY_RETURN_IF_ERROR(
        vector(concat({prefix, name, old ? ".gamma" : ".weight"}), config_.hidden_size, to.weight));
    return vector(concat({prefix, name, old ? ".beta" : ".bias"}), config_.hidden_size, to.bias);
  }

  Result<void> vector(const std::string& name, uint64_t width, PaddedVector& to) {
    return bind(name, Shape{width}, false, {.vector = &to});
  }

  Result<void> table(const std::string& name, uint64_t rows, EmbeddingTable& to) {
    return bind(name, Shape{rows, config_.hidden_size}, false, {.table = &to});
  }

  // `shape` is the shape in the file. A vector counts as a matrix of one row.
  Result<void> bind(const std::string& name, const Shape& shape, bool transposed,
                    const Target& target) {
    const model::TensorEntry* found = by_name_.find(name);
    if (found == nullptr) return not_found(name);
    const model::TensorEntry& entry = *found;
    if (entry.shape != shape) return wrong_shape(entry, shape);
    const uint64_t first = shape.rank() == 1 ? 1 : shape[0];
    const uint64_t last = shape[shape.rank() - 1];
    destinations_.push_back(std::make_unique<Destination>(Destination{
        transposed ? WeightSlot(name, last, first, true) : WeightSlot(name, first, last, false),
        target}));
    Destination& destination = *destinations_.back();
    AMBRY_RETURN_IF_ERROR(use(entry, destination, WeightPart::Values));
    if (tensor::is_float(entry.dtype)) return {};
    if (target.vector != nullptr) {
      return make_error(ErrorCode::Unsupported, entry.name, "integers for biases and norms");
    }
    return companions(name, shape[0], destination);
  }

  // Integer weights need `<name>.scale` and may have `<name>.zero_point`.
  Result<void> companions(const std::string& name, uint64_t rows, Destination& destination) {
    const model::TensorEntry* scale = by_name_.find(name + ".scale");
    if (scale == nullptr) return not_found(name + ".scale");
    AMBRY_RETURN_IF_ERROR(companion(*scale, rows, destination, WeightPart::Scale));
    const model::TensorEntry* zero_point = by_name_.find(name + ".zero_point");
    if (zero_point == nullptr) return {};
    return companion(*zero_point, rows, destination, WeightPart::ZeroPoint);
  }

  Result<void> companion(const model::TensorEntry& entry, uint64_t rows, Destination& destination,
                         WeightPart part) {
    if (entry.shape != Shape{1} && entry.shape != Shape{rows}) {
      return wrong_shape(entry, Shape{rows});
    }
    return use(entry, destination, part);
  }

  Result<void> use(const model::TensorEntry& entry, Destination& destination, WeightPart part) {
    AMBRY_RETURN_IF_ERROR(destination.slot.expect(part, entry));
    const auto count = entry.shape.count();
    if (!count || checked_mul(*count, tensor::dtype_size(entry.dtype)) != entry.bytes) {
      return make_error(ErrorCode::Mismatch, entry.name, "size and shape do not agree");
    }
    const auto index = static_cast<size_t>(&entry - model_.tensors.data());
    assert(uses_[index].destination == nullptr);
    uses_[index] = {&destination, part};
    return {};
  }

  static Failure wrong_shape(const model::TensorEntry& entry, const Shape& expected) {
    return make_error(ErrorCode::Mismatch, entry.name,
                      {"shape is ", to_string(entry.shape), ", expected ", to_string(expected)});
  }

  const model::Model& model_;
  const model::EncoderConfig& config_;
  Destinations& destinations_;
  std::vector<TensorUse>& uses_;
  model::TensorIndex by_name_;
};

Result<Activation> activation_by_name(const std::string& name) {
  if (name == "gelu") return Activation::GeluErf;
  if (name == "gelu_new" || name == "gelu_tanh" || name == "gelu_pytorch_tanh") {
    return Activation::GeluTanh;
  }
  if (name == "relu") return Activation::Relu;
  return make_error(ErrorCode::Unsupported, "config.hidden_act", {"activation ", name});
}

}  // namespace

struct EncoderBuilder::State {
  WeightStorage storage;
  std::unique_ptr<EncoderWeights> weights = std::make_unique<EncoderWeights>();
  Destinations destinations;
  std::vector<TensorUse> uses;  // by tensor index

  // Moves a complete weight to its place and frees the stored bytes.
  Result<void> store(Destination& destination) {
    WeightSlot& slot = destination.slot;
    const Target& target = destination.target;
    if (target.matrix != nullptr) {
      AMBRY_TRY(*target.matrix, slot.take_matrix(target.always_f32 ? WeightStorage::F32 : storage));
    } else if (target.table != nullptr) {
      AMBRY_TRY(*target.table, slot.take_table(storage));
    } else {
      AMBRY_TRY(*target.vector, slot.take_vector());
    }
    return {};
  }
};

EncoderBuilder::EncoderBuilder(std::unique_ptr<State> state) : state_(std::move(state)) {}
EncoderBuilder::EncoderBuilder(EncoderBuilder&&) noexcept = default;
EncoderBuilder& EncoderBuilder::operator=(EncoderBuilder&&) noexcept = default;
EncoderBuilder::~EncoderBuilder() = default;

Result<EncoderBuilder> EncoderBuilder::plan(const model::Model& model,
                                            const model::EncoderConfig& config,
                                            WeightStorage storage) {
  if (config.hidden_size == 0 || config.num_heads == 0 ||
      config.hidden_size % config.num_heads != 0) {
    return make_error(
        ErrorCode::BadValue, "config.num_heads",
        {config.num_heads, " heads do not divide a hidden size of ", config.hidden_size});
  }
  auto state = std::make_unique<State>();
  state->storage = storage;
  state->uses.resize(model.tensors.size());
  EncoderWeights& weights = *state->weights;
  weights.hidden_size = config.hidden_size;
  weights.num_heads = config.num_heads;
  weights.intermediate_size = config.intermediate_size;
  weights.layer_norm_eps = static_cast<float>(config.layer_norm_eps);
  AMBRY_TRY(weights.activation, activation_by_name(config.hidden_act));
  AMBRY_RETURN_IF_ERROR(Planner(model, config, state->destinations, state->uses).encoder(weights));
  return EncoderBuilder(std::move(state));
}

bool EncoderBuilder::wants(size_t tensor_index) const {
  return tensor_index < state_->uses.size() && state_->uses[tensor_index].destination != nullptr;
}

Result<void> EncoderBuilder::accept(size_t tensor_index, AlignedBuffer bytes) {
  assert(wants(tensor_index));
  const TensorUse use = state_->uses[tensor_index];
  AMBRY_RETURN_IF_ERROR(use.destination->slot.give(use.part, std::move(bytes)));
  return use.destination->slot.complete() ? state_->store(*use.destination) : Result<void>();
}

Result<Encoder> EncoderBuilder::finish() && {
  for (const auto& destination : state_->destinations) {
    if (!destination->slot.complete()) {
      return make_error(ErrorCode::NotFound, destination->slot.name(), "its bytes were not given");
    }
  }
  return Encoder(std::move(state_->weights));
}

}  // namespace ambry::infer
