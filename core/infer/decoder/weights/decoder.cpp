#include "infer/decoder/weights/decoder.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "base/bytes.h"
#include "kernels/attention/relative_positions.h"
#include "kernels/recurrent/depthwise_convolution.h"
#include "tensor/codec/repack.h"
#include "tensor/codec/stream_decoder.h"

namespace ambry::infer {
namespace {

using kernels::WeightMatrix;
using model::DecoderRole;

bool is_norm(DecoderRole role) {
  using enum DecoderRole;
  return role == AttentionNorm || role == QueryNorm || role == KeyNorm ||
         role == PostAttentionNorm || role == MlpNorm || role == PostMlpNorm || role == FinalNorm;
}

// Shorter sums are fast anyway, and have too few products for rounding errors to average out.
constexpr uint64_t kMinInt8Columns = 256;

// An error in what is added to the residual stream stays there. When all activations had 8 bits,
// these two matrices caused half of the error in the logits of a llama of 12 layers.
kernels::ActivationPrecision precision_for(const PlannedTensor& tensor,
                                           kernels::ActivationPrecision precision) {
  if (tensor.role == DecoderRole::Dense || tensor.role == DecoderRole::Router) {
    return kernels::ActivationPrecision::F32;
  }
  const bool joins_stream =
      tensor.role == DecoderRole::AttentionOutput || tensor.role == DecoderRole::MixerOutput ||
      tensor.role == DecoderRole::Down || tensor.role == DecoderRole::ExpertDown;
  const bool needs_int14 = joins_stream || tensor.cols < kMinInt8Columns;
  return precision == kernels::ActivationPrecision::Int8 && needs_int14
             ? kernels::ActivationPrecision::Int14
             : precision;
}

Error with_name(Error error, const std::string& name) {
  error.path = error.path.empty() ? name : concat({name, ".", error.path});
  return error;
}

// Reads a norm, bias or convolution, of any type that a matrix may have.
Result<std::vector<float>> read_vector(const PlannedTensor& tensor, const AlignedBuffer& bytes) {
  const bool is_vector = tensor.cols == 0;
  const tensor::Shape shape =
      is_vector ? tensor::Shape{tensor.rows} : tensor::Shape{tensor.rows, tensor.cols};
  AMBRY_TRY(auto decoder, tensor::StreamDecoder::create(tensor.stored_as, shape,
                                                        tensor.quantization, bytes.size()));
  std::vector<float> values(static_cast<size_t>(tensor.n_values()));
  Bytes left = bytes.bytes();
  for (size_t done = 0; done < values.size() && !left.empty();) {
    AMBRY_TRY(const size_t n, decoder.decode(left, std::span(values).subspan(done)));
    done += n;
  }
  AMBRY_RETURN_IF_ERROR(decoder.finish());
  return values;
}

// LayerNorms without a bias get one of zeros.
void complete_norms(DecoderWeights& weights, const model::DecoderConfig& config) {
  if (config.norm != model::DecoderNorm::Layer) return;
  const std::vector<float> zeros(config.n_embd);
  weights.final_norm.bias = zeros;
  for (DecoderLayer& layer : weights.layers) {
    layer.attention_norm.bias = zeros;
    layer.mlp_norm.bias = zeros;
  }
}

void complete_extras(DecoderWeights& weights, const model::DecoderConfig& config) {
  const size_t n_further = std::max(config.extras.n_streams, 1U) - 1;
  weights.extra.stream_projections.resize(n_further);
  weights.extra.stream_unembeddings.resize(n_further);
  if (!config.extras.value_norm) return;
  weights.ones.assign(std::max(config.head_dim, config.extras.global_head_dim), 1.0F);
}

std::vector<float> slopes_of(const model::DecoderConfig& config) {
  if (config.positions != model::DecoderPositions::Alibi) return {};
  std::vector<float> slopes = kernels::alibi_slopes(config.n_heads);
  if (config.architecture == model::DecoderArchitecture::Falcon) {
    // Falcon divides scores and slopes by the root of the head's size; others divide only the
    // scores.
    for (float& slope : slopes) slope /= std::sqrt(static_cast<float>(config.head_dim));
  }
  return slopes;
}

}  // namespace

Decoder::Decoder(WeightPlan plan, const DecoderOptions& options)
    : plan_(std::move(plan)),
      options_(options),
      budget_(options.resident == 0 ? UINT64_MAX : options.resident) {
  resident_.resize(plan_.tensors.size());
  identity_.tensors.resize(plan_.tensors.size());
  slopes_ = slopes_of(plan_.config);
  for (size_t i = 0; i < plan_.tensors.size(); ++i) {
    const size_t tensor = plan_.tensors[i].tensor;
    if (planned_.size() <= tensor) planned_.resize(tensor + 1, SIZE_MAX);
    planned_[tensor] = i;
  }
  last_use_.resize(plan_.parts.size() - n_cycle());
  weights_.layers.resize(plan_.config.n_layers);
  for (DecoderLayer& layer : weights_.layers) layer.experts.resize(plan_.config.experts.count);
  weights_.dense.resize(model::decoder_dense_layers(plan_.config).size() +
                        plan_.config.n_layer_heads());
  complete_norms(weights_, plan_.config);
  complete_extras(weights_, plan_.config);
}

std::vector<size_t> Decoder::missing_tensors(size_t part) const {
  std::vector<size_t> missing;
  for (const size_t i : plan_.parts[part]) {
    if (!resident_[i]) missing.push_back(plan_.tensors[i].tensor);
  }
  return missing;
}

bool Decoder::is_ready(size_t part) const {
  return std::ranges::all_of(plan_.parts[part], [&](size_t i) { return resident_[i]; });
}

std::optional<size_t> Decoder::next_missing(size_t part) const {
  const size_t from = place_in_cycle(part);
  if (part >= n_cycle()) {
    const auto layer = static_cast<uint32_t>((part - n_cycle()) / plan_.config.experts.count);
    for (const uint32_t expert : expected_) {
      const size_t next = expert_part(plan_.config, layer, expert);
      if (next > part && !is_ready(next)) return next;
    }
  }
  for (size_t ahead = 1; ahead < n_cycle(); ++ahead) {
    const size_t next = (from + ahead) % n_cycle();
    if (!is_ready(next)) return next;
  }
  return std::nullopt;
}

void Decoder::drop(size_t planned) {
  const PlannedTensor& tensor = plan_.tensors[planned];
  WeightMatrix& matrix = matrix_of(weights_, tensor.role, tensor.layer, tensor.expert);
  resident_bytes_ -= matrix.bytes();
  resident_[planned] = false;
  matrix = WeightMatrix();
}

void Decoder::begin_device() {
  for (const std::vector<size_t>& part : plan_.parts) {
    for (const size_t i : part) {
      if (resident_[i]) drop(i);
    }
  }
  on_device_ = true;
}

void Decoder::end_device() {
  on_device_ = false;
  budget_ = UINT64_MAX;
}

// Passes use the parts in a cycle, so the part used last is needed last. No other choice reads less
// (Belady, "A study of replacement algorithms for a virtual-storage computer", 1966).
void Decoder::make_room(size_t part) {
  const std::vector<size_t>& needed = plan_.parts[part];
  const uint64_t missing = lacking_bytes(part);
  drop_experts(part, missing);
  const size_t from = place_in_cycle(part);
  // The router has been used when an expert is needed, and is needed last.
  for (size_t back = part == from ? 1 : 0; back < n_cycle(); ++back) {
    for (const size_t i : plan_.parts[(from + n_cycle() - back) % n_cycle()]) {
      if (resident_bytes_ + missing <= budget_) return;
      // A tied embedding also belongs to the output part.
      if (resident_[i] && std::ranges::find(needed, i) == needed.end()) drop(i);
    }
  }
}

// Where the pass is when it needs this part: an expert is needed with its layer.
size_t Decoder::place_in_cycle(size_t part) const {
  if (part < n_cycle()) return part;
  return mlp_part(static_cast<uint32_t>((part - n_cycle()) / plan_.config.experts.count));
}

uint64_t Decoder::lacking_bytes(size_t part) const {
  uint64_t lacking = 0;
  for (const size_t i : plan_.parts[part]) {
    lacking += resident_[i] ? 0 : plan_.tensors[i].resident_bytes;
  }
  return lacking;
}

void Decoder::note_use(uint32_t layer, uint32_t expert) const {
  last_use_[expert_part(plan_.config, layer, expert) - n_cycle()] = ++uses_;
}

void Decoder::drop_experts(size_t part, uint64_t missing) {
  while (resident_bytes_ + missing > budget_) {
    size_t oldest = part;
    for (size_t i = n_cycle(); i < n_parts(); ++i) {
      const bool held = std::ranges::any_of(plan_.parts[i], [&](size_t t) { return resident_[t]; });
      if (i == part || !held) continue;
      if (oldest == part || last_use_[i - n_cycle()] < last_use_[oldest - n_cycle()]) oldest = i;
    }
    if (oldest == part) return;
    for (const size_t i : plan_.parts[oldest]) {
      if (resident_[i]) drop(i);
    }
  }
}

Result<void> Decoder::put_tensor(size_t tensor_index, AlignedBuffer bytes) {
  assert(tensor_index < planned_.size());
  const size_t planned = planned_[tensor_index];
  assert(planned < plan_.tensors.size() && !resident_[planned]);
  const PlannedTensor* const found = &plan_.tensors[planned];
  if (bytes.size() != found->stored_bytes) {
    return make_error(ErrorCode::Mismatch, found->name,
                      {bytes.size(), " bytes given, ", found->stored_bytes, " expected"});
  }
  if (resident_bytes_ + found->resident_bytes > budget_) {
    return make_error(ErrorCode::LimitExceeded, found->name,
                      {"no room for ", found->resident_bytes, " bytes beside ", resident_bytes_,
                       " of the ", budget_, " that may be in memory"});
  }
  uint32_t& sample = identity_.tensors[planned];
  if (sample == 0) sample = tensor_sample(bytes.bytes());
  auto put = found->is_matrix() ? put_matrix(*found, std::move(bytes)) : put_vector(*found, bytes);
  if (!put) return with_name(std::move(put).error(), found->name);
  resident_[planned] = true;
  return {};
}

Result<void> Decoder::put_matrix(const PlannedTensor& tensor, AlignedBuffer bytes) {
  if (tensor.stored_as != tensor.dtype) {
    AMBRY_TRY(bytes, tensor::repack_whole(tensor.stored_as, std::move(bytes)));
  }
  WeightMatrix& matrix = matrix_of(weights_, tensor.role, tensor.layer, tensor.expert);
  AMBRY_TRY(matrix, WeightMatrix::create(tensor.dtype, tensor.quantization, tensor.rows,
                                         tensor.cols, tensor.transposed, std::move(bytes),
                                         precision_for(tensor, options_.activations)));
  matrix.set_factor(tensor.factor);
  assert(matrix.bytes() == tensor.resident_bytes);
  resident_bytes_ += matrix.bytes();
  product_floats_ =
      std::max({product_floats_, matrix.scratch_floats(1), matrix.scratch_floats(kPassRows)});
  return {};
}

Result<void> Decoder::put_vector(const PlannedTensor& tensor, const AlignedBuffer& bytes) {
  AMBRY_TRY(std::vector<float> values, read_vector(tensor, bytes));
  if (is_norm(tensor.role) && !tensor.bias) {
    for (float& x : values) x += static_cast<float>(plan_.config.norm_offset);
  }
  if (tensor.role == DecoderRole::StateDecay && plan_.config.decay_is_log) {
    for (float& x : values) x = -std::exp(x);
  }
  std::vector<float>& to = vector_of(weights_, tensor.role, tensor.layer, tensor.bias);
  if (tensor.cols > 0) {
    to.resize(values.size());
    kernels::by_tap(values, static_cast<size_t>(tensor.rows), to.data());
  } else {
    to = std::move(values);
  }
  resident_bytes_ += tensor.resident_bytes;
  return {};
}

// Reading weights takes most of the time of one row. Quantized weights are small, and products with
// them take nearly as long for each row (tests/bench/decoder/batch-bench.mjs).
double Decoder::further_row_cost() const {
  constexpr double kPlain = 0.3;
  constexpr double kQuantized = 0.9;
  if (is_streamed()) return 0;
  uint64_t plain = 0;
  uint64_t all = 0;
  for (const PlannedTensor& tensor : plan_.tensors) {
    if (!tensor.is_matrix()) continue;
    all += tensor.resident_bytes;
    plain += tensor::is_plain(tensor.dtype) ? tensor.resident_bytes : 0;
  }
  return 2 * plain > all ? kPlain : kQuantized;
}

// The share of so many bytes of experts that a token takes.
uint64_t Decoder::taken_share(uint64_t bytes) const {
  const model::ExpertConfig& experts = plan_.config.experts;
  return experts.count == 0 ? 0 : bytes / experts.count * experts.used;
}

// When all but a fraction of n parts used in a cycle fit in memory, n / (n - 1) times that fraction
// is read.
uint64_t Decoder::streamed_bytes() const {
  if (!is_streamed()) return 0;
  uint64_t experts = 0;
  for (const PlannedTensor& tensor : plan_.tensors) {
    experts += tensor.expert == model::kNoExpert ? 0 : tensor.resident_bytes;
  }
  const uint64_t others = plan_.total_bytes - experts;
  if (others > budget_) {
    const uint64_t lacking = others - budget_;
    return lacking + lacking / (n_cycle() - 1) + taken_share(experts);
  }
  return taken_share(plan_.total_bytes - budget_);
}

}  // namespace ambry::infer
