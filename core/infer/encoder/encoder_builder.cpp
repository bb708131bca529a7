#include "infer/encoder/encoder_builder.h"

#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "infer/encoder/encoder.h"
#include "infer/encoder/encoder_passes.h"
#include "infer/encoder/weight_slot.h"
#include "infer/encoder/weights/encoder_places.h"
#include "infer/encoder/weights/encoder_weights.h"
#include "model/encoder/encoder_tensors.h"
#include "model/file/tensor_index.h"

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

// Goes through the tensors of the encoder, finds each and notes where its bytes go.
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
    // The file's layer count is not trusted: layers are counted by their tensors before any memory
    // is taken. The vector is then sized once, because destinations point into it.
    for (uint32_t i = 0; i < config_.weight_layers(); ++i) {
      const std::string marker = model::layer_marker(config_, i);
      if (!by_name_.find(marker)) return not_found(marker);
    }
    weights.weight_layers = config_.weight_layers();
    weights.layers.resize(size_t{weights.weight_layers} * (1 + config_.facts.parts()));
    weights.dense.resize(config_.dense.size());
    for (size_t i = 0; i < weights.dense.size(); ++i) {
      weights.dense[i].activation = config_.dense[i].activation;
    }
    if (config_.head) prepare(*config_.head, weights.head.emplace());
    const std::vector<model::EncoderTensor> tensors = model::encoder_tensors(config_);
    for (size_t i = 0; i < tensors.size(); ++i) {
      const bool has_bias = i + 1 < tensors.size() && tensors[i + 1].bias &&
                            tensors[i + 1].role == tensors[i].role &&
                            tensors[i + 1].part == tensors[i].part;
      AMBRY_RETURN_IF_ERROR(add(tensors[i], has_bias, weights));
    }
    // The addresses of the layers stay.
    if (config_.late_interaction() != nullptr && config_.late->with_sentences)
      weights.dense.swap(weights.token_dense);
    return {};
  }

 private:
  static void prepare(const model::HeadConfig& config, Head& head) {
    head.pooling = config.pooling;
    if (config.dense_size > 0) head.dense.emplace().activation = config.activation;
    if (config.norm) head.norm.emplace();
    head.sparse = config.sparse;
  }

  static Failure not_found(const std::string& name) {
    return make_error(ErrorCode::NotFound, name, "the model has no such tensor");
  }

  // `has_bias` says whether a bias follows this weight.
  Result<void> add(const model::EncoderTensor& tensor, bool has_bias, EncoderWeights& weights) {
    const model::TensorSpec& spec = tensor.spec;
    const EncoderPlace place = encoder_place(tensor, weights);
    if (place.table != nullptr) {
      const bool exact = model::keeps_floats(tensor.role);
      return bind(spec.name, spec.shape, false, {.table = place.table, .always_f32 = exact});
    }
    if (place.norm != nullptr) {
      PaddedVector& to = tensor.bias ? place.norm->bias : place.norm->weight;
      AMBRY_RETURN_IF_ERROR(
          bind(norm_name(spec.name, tensor.bias), spec.shape, false, {.vector = &to}));
      return has_bias || tensor.bias ? Result<void>() : no_bias(spec, place.norm->bias);
    }
    if (place.vector != nullptr) {
      return bind(spec.name, spec.shape, false, {.vector = place.vector});
    }
    if (place.linear == nullptr) return {};
    if (tensor.bias) return bind(spec.name, spec.shape, false, {.vector = &place.linear->bias});
    note_form(tensor.role, weights);
    const bool exact = model::keeps_floats(tensor.role);
    AMBRY_RETURN_IF_ERROR(matrix(spec, {.matrix = &place.linear->weight, .always_f32 = exact}));
    return has_bias ? Result<void>() : no_bias(spec, place.linear->bias);
  }

  static Result<void> no_bias(const model::TensorSpec& spec, PaddedVector& to) {
    AMBRY_TRY(to, zeros(spec.shape[0]));
    return {};
  }

  // Whether matrices are stored together.
  static void note_form(model::EncoderRole role, EncoderWeights& weights) {
    if (role == model::EncoderRole::QueryKeyValue) weights.fused_attention = true;
    if (role == model::EncoderRole::GateUp) weights.gate_order = GateOrder::GateUp;
    if (role == model::EncoderRole::UpGate) weights.gate_order = GateOrder::UpGate;
  }

  Result<void> matrix(const model::TensorSpec& spec, const Target& target) {
    const bool transposed = model_.linear_layout == model::LinearLayout::InOut;
    return bind(spec.name, model::stored_shape(spec, model_.linear_layout), transposed, target);
  }

  // Checkpoints converted from TensorFlow call the parameters of norms gamma and beta.
  [[nodiscard]] std::string norm_name(const std::string& name, bool bias) const {
    if (by_name_.find(name)) return name;
    const std::string_view stem = std::string_view(name).substr(0, name.rfind('.'));
    std::string old = concat({stem, bias ? ".beta" : ".gamma"});
    return by_name_.find(old) ? old : name;
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

Result<Activation> activation_by_name(const std::string& name, bool gated) {
  if (name == "gelu") return Activation::GeluErf;
  if (name == "gelu_new" || name == "gelu_tanh" || name == "gelu_pytorch_tanh") {
    return Activation::GeluTanh;
  }
  if (name == "relu") return Activation::Relu;
  if (name == "silu" && gated) return Activation::Silu;
  if (name == "quick_gelu" && !gated) return Activation::QuickGelu;
  return make_error(ErrorCode::Unsupported, "config.hidden_act", {"activation ", name});
}

Result<void> check_heads(const model::EncoderConfig& config) {
  const bool some = config.hidden_size > 0 && config.num_heads > 0;
  const bool divides = some && config.hidden_size % config.num_heads == 0;
  if (some && (divides || config.facts.head_dim > 0) && config.kv_heads_divide()) return {};
  return make_error(
      ErrorCode::BadValue, "config.num_heads",
      {config.num_heads, " heads do not divide a hidden size of ", config.hidden_size});
}

Result<void> set_facts(const model::EncoderConfig& config, EncoderWeights& weights) {
  weights.hidden_size = config.hidden_size;
  weights.num_heads = config.num_heads;
  weights.head_dim = config.head_dim();
  weights.intermediate_size = config.intermediate_size;
  weights.num_layers = config.num_layers;
  weights.max_tokens = config.max_tokens();
  weights.layer_norm_eps = static_cast<float>(config.layer_norm_eps);
  weights.facts = config.facts;
  AMBRY_TRY(weights.activation, activation_by_name(config.hidden_act, config.facts.gated));
  return {};
}

// Whether BERT's forward pass runs these weights.
bool is_plain(const EncoderWeights& weights) {
  const model::EncoderFacts& facts = weights.facts;
  const bool norms = facts.norm == model::EncoderNorm::Layer && !facts.norm_first &&
                     facts.embedding_norm && !facts.final_norm && !facts.repeated_norm;
  const bool attention = !facts.causal && facts.positions == model::EncoderPositions::Learned &&
                         facts.scale_scores && facts.local_window == 0 &&
                         weights.inner_size() == weights.hidden_size && !weights.fused_attention;
  return norms && attention && !facts.gated && facts.embed_scale == 1 &&
         weights.activation < Activation::Silu;
}

}  // namespace

struct EncoderBuilder::State {
  WeightStorage storage;
  EncoderPass pass;
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
      AMBRY_TRY(*target.table, slot.take_table(target.always_f32 ? WeightStorage::F32 : storage));
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
  AMBRY_RETURN_IF_ERROR(check_heads(config));
  auto state = std::make_unique<State>();
  state->storage = storage;
  state->uses.resize(model.tensors.size());
  EncoderWeights& weights = *state->weights;
  AMBRY_RETURN_IF_ERROR(set_facts(config, weights));
  AMBRY_RETURN_IF_ERROR(Planner(model, config, state->destinations, state->uses).encoder(weights));
  state->pass = is_plain(weights) ? plain_pass : general_encoder_pass();
  if (state->pass == nullptr) {
    return make_error(ErrorCode::Unsupported, "metadata.architecture",
                      {"this module does not run \"", config.architecture->name, "\""});
  }
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
  return Encoder(std::move(state_->weights), state_->pass);
}

}  // namespace ambry::infer
