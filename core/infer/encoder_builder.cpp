#include "infer/encoder_builder.h"

#include <cassert>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "infer/encoder.h"
#include "infer/encoder_weights.h"
#include "infer/weight_slot.h"

namespace ambry::infer {
namespace {

using kernels::PackedMatrix;
using tensor::Shape;

struct Destination {
  WeightSlot slot;
  std::variant<PackedMatrix*, EmbeddingTable*, Vector*> target;
};

struct TensorUse {
  Destination* destination = nullptr;
  WeightPart part = WeightPart::Values;
};

// Walks the parts of the encoder, finds the tensor of each and notes where its bytes are to go.
class Planner {
 public:
  Planner(const model::Model& model, const model::EncoderConfig& config,
          std::deque<Destination>& destinations, std::vector<TensorUse>& uses)
      : model_(model), config_(config), destinations_(destinations), uses_(uses) {
    for (size_t i = 0; i < model.tensors.size(); ++i) {
      by_name_.emplace(model::canonical_tensor_name(model.tensors[i].name), i);
    }
  }

  Result<void> encoder(EncoderWeights& weights) {
    const uint64_t hidden = config_.hidden_size;
    AMBRY_CHECK(
        table("embeddings.word_embeddings.weight", config_.vocab_size, weights.word_embeddings));
    AMBRY_CHECK(table("embeddings.position_embeddings.weight", config_.max_positions,
                      weights.position_embeddings));
    AMBRY_CHECK(table("embeddings.token_type_embeddings.weight", config_.type_vocab_size,
                      weights.token_type_embeddings));
    AMBRY_CHECK(norm("embeddings.LayerNorm", hidden, weights.embedding_norm));
    // The layers are added as their tensors are found: the number in the file is not trusted. What
    // they are bound to must not move, so a first pass counts them.
    for (uint32_t i = 0; i < config_.num_layers; ++i) {
      const std::string first = prefix_of(i) + "attention.self.query.weight";
      if (!by_name_.contains(first)) return not_found(first);
    }
    weights.layers.resize(config_.num_layers);
    for (uint32_t i = 0; i < config_.num_layers; ++i) {
      AMBRY_CHECK(layer(prefix_of(i), weights.layers[i]));
    }
    return {};
  }

 private:
  static std::string prefix_of(uint32_t layer) {
    return "encoder.layer." + std::to_string(layer) + ".";
  }

  static Error not_found(const std::string& name) {
    return make_error(ErrorCode::NotFound, name, "the model has no such tensor");
  }

  Result<void> layer(const std::string& prefix, EncoderLayer& to) {
    const uint64_t hidden = config_.hidden_size;
    const uint64_t wide = config_.intermediate_size;
    AMBRY_CHECK(linear(prefix + "attention.self.query", hidden, hidden, to.query));
    AMBRY_CHECK(linear(prefix + "attention.self.key", hidden, hidden, to.key));
    AMBRY_CHECK(linear(prefix + "attention.self.value", hidden, hidden, to.value));
    AMBRY_CHECK(linear(prefix + "attention.output.dense", hidden, hidden, to.attention_output));
    AMBRY_CHECK(norm(prefix + "attention.output.LayerNorm", hidden, to.attention_norm));
    AMBRY_CHECK(linear(prefix + "intermediate.dense", wide, hidden, to.intermediate));
    AMBRY_CHECK(linear(prefix + "output.dense", hidden, wide, to.output));
    return norm(prefix + "output.LayerNorm", hidden, to.output_norm);
  }

  Result<void> linear(const std::string& name, uint64_t out, uint64_t in, Linear& to) {
    const bool transposed = model_.linear_layout == model::LinearLayout::InOut;
    const Shape stored = transposed ? Shape{in, out} : Shape{out, in};
    AMBRY_CHECK(bind(name + ".weight", stored, WeightSlot(name + ".weight", out, in, transposed),
                     &to.weight));
    return vector(name + ".bias", out, to.bias);
  }

  // Checkpoints converted from TensorFlow call the parameters gamma and beta.
  Result<void> norm(const std::string& name, uint64_t width, LayerNorm& to) {
    const bool old = !by_name_.contains(name + ".weight") && by_name_.contains(name + ".gamma");
    AMBRY_CHECK(vector(name + (old ? ".gamma" : ".weight"), width, to.weight));
    return vector(name + (old ? ".beta" : ".bias"), width, to.bias);
  }

  Result<void> vector(const std::string& name, uint64_t width, Vector& to) {
    return bind(name, Shape{width}, WeightSlot(name, 1, width, false), &to);
  }

  Result<void> table(const std::string& name, uint64_t rows, EmbeddingTable& to) {
    const uint64_t width = config_.hidden_size;
    return bind(name, Shape{rows, width}, WeightSlot(name, rows, width, false), &to);
  }

  Result<void> bind(const std::string& name, const Shape& shape, WeightSlot slot,
                    std::variant<PackedMatrix*, EmbeddingTable*, Vector*> target) {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return not_found(name);
    const model::TensorEntry& entry = model_.tensors[found->second];
    if (entry.shape != shape) return wrong_shape(entry, shape);
    Destination& destination = destinations_.emplace_back(Destination{std::move(slot), target});
    AMBRY_CHECK(use(found->second, destination, WeightPart::Values));
    if (tensor::is_float(entry.dtype)) return {};
    if (std::holds_alternative<Vector*>(target)) {
      return make_error(ErrorCode::Unsupported, entry.name, "integers for biases and norms");
    }
    return companions(name, shape[0], destination);
  }

  // `<name>.scale`, which integers need, and `<name>.zero_point`, which they may have.
  Result<void> companions(const std::string& name, uint64_t rows, Destination& destination) {
    const auto scale = by_name_.find(name + ".scale");
    if (scale == by_name_.end()) return not_found(name + ".scale");
    AMBRY_CHECK(companion(scale->second, rows, destination, WeightPart::Scale));
    const auto zero_point = by_name_.find(name + ".zero_point");
    if (zero_point == by_name_.end()) return {};
    return companion(zero_point->second, rows, destination, WeightPart::ZeroPoint);
  }

  Result<void> companion(size_t index, uint64_t rows, Destination& destination, WeightPart part) {
    const model::TensorEntry& entry = model_.tensors[index];
    if (entry.shape != Shape{1} && entry.shape != Shape{rows}) {
      return wrong_shape(entry, Shape{rows});
    }
    return use(index, destination, part);
  }

  Result<void> use(size_t index, Destination& destination, WeightPart part) {
    const model::TensorEntry& entry = model_.tensors[index];
    AMBRY_CHECK(destination.slot.expect(part, entry));
    const auto count = entry.shape.count();
    if (!count || checked_mul(*count, tensor::dtype_size(entry.dtype)) != entry.bytes) {
      return make_error(ErrorCode::Mismatch, entry.name, "size and shape do not agree");
    }
    assert(uses_[index].destination == nullptr);
    uses_[index] = {&destination, part};
    return {};
  }

  static Error wrong_shape(const model::TensorEntry& entry, const Shape& expected) {
    return make_error(ErrorCode::Mismatch, entry.name,
                      "shape is " + to_string(entry.shape) + ", expected " + to_string(expected));
  }

  const model::Model& model_;
  const model::EncoderConfig& config_;
  std::deque<Destination>& destinations_;
  std::vector<TensorUse>& uses_;
  std::unordered_map<std::string_view, size_t> by_name_;
};

Result<Activation> activation_by_name(const std::string& name) {
  if (name == "gelu") return Activation::GeluErf;
  if (name == "gelu_new" || name == "gelu_tanh" || name == "gelu_pytorch_tanh") {
    return Activation::GeluTanh;
  }
  if (name == "relu") return Activation::Relu;
  return make_error(ErrorCode::Unsupported, "config.hidden_act", "activation " + name);
}

}  // namespace

struct EncoderBuilder::State {
  WeightStorage storage;
  std::unique_ptr<EncoderWeights> weights = std::make_unique<EncoderWeights>();
  std::deque<Destination> destinations;  // addresses stay
  std::vector<TensorUse> uses;           // by tensor index

  // Brings a complete weight into its place and frees what it came in.
  Result<void> store(Destination& destination) {
    WeightSlot& slot = destination.slot;
    if (auto* matrix = std::get_if<PackedMatrix*>(&destination.target)) {
      AMBRY_TRY(**matrix, slot.take_matrix(storage));
    } else if (auto* table = std::get_if<EmbeddingTable*>(&destination.target)) {
      AMBRY_TRY(**table, slot.take_table(storage));
    } else if (auto* vector = std::get_if<Vector*>(&destination.target)) {
      AMBRY_TRY(**vector, slot.take_vector());
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
    return make_error(ErrorCode::BadValue, "config.num_heads",
                      std::to_string(config.num_heads) + " heads do not divide a hidden size of " +
                          std::to_string(config.hidden_size));
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
  AMBRY_CHECK(Planner(model, config, state->destinations, state->uses).encoder(weights));
  return EncoderBuilder(std::move(state));
}

bool EncoderBuilder::wants(size_t tensor_index) const {
  return tensor_index < state_->uses.size() && state_->uses[tensor_index].destination != nullptr;
}

Result<void> EncoderBuilder::accept(size_t tensor_index, AlignedBuffer bytes) {
  assert(wants(tensor_index));
  const TensorUse use = state_->uses[tensor_index];
  AMBRY_CHECK(use.destination->slot.give(use.part, std::move(bytes)));
  return use.destination->slot.complete() ? state_->store(*use.destination) : Result<void>();
}

Result<Encoder> EncoderBuilder::finish() && {
  for (const Destination& destination : state_->destinations) {
    if (!destination.slot.complete()) {
      return make_error(ErrorCode::NotFound, destination.slot.name(), "its bytes were not given");
    }
  }
  return Encoder(std::move(state_->weights));
}

}  // namespace ambry::infer
