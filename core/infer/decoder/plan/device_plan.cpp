#include "infer/decoder/plan/device_plan.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "infer/decoder/plan/device_matrix.h"
#include "infer/decoder/steps/with_activation.h"

namespace ambry::infer {
namespace {

using model::DecoderPositions;
using model::DecoderRole;

Failure unsupported(const Text& path, const Text& what) {
  return make_error(ErrorCode::Unsupported, path, {"a device cannot compute ", what.str()});
}

// What steps cannot compute, of the whole model and of a layer.
Result<void> check(const model::DecoderConfig& config) {
  for (uint32_t layer = 0; layer < config.n_layers; ++layer) {
    const std::string path = concat({"layers[", layer, "]"});
    const model::LayerKind kind = config.kind_of(layer);
    if (kind != model::LayerKind::Attention) {
      return unsupported(path, {"layers of kind ", model::layer_type_name(kind)});
    }
    if (config.experts.in_layer(layer)) return unsupported(path, "experts");
  }
  if (config.extras != model::DecoderExtras()) {
    return unsupported("config", "layers that share keys or have embeddings of their own");
  }
  if (config.bidirectional) return unsupported("config", "tokens that see later ones");
  if (config.first_ranked_layer > 0) return unsupported("config", "layers that rank");
  if (config.rope_scaling.kind == model::RopeScaling::Kind::Dynamic) {
    return unsupported("config.rope_scaling", "a rotation that depends on the length");
  }
  return {};
}

class PlanWriter {
 public:
  explicit PlanWriter(const Decoder& decoder)
      : decoder_(decoder),
        config_(decoder.config()),
        weights_(decoder.weights()),
        tensors_(decoder.plan().tensors) {}

  Result<std::vector<double>> write() {
    AMBRY_RETURN_IF_ERROR(check(config_));
    embed();
    for (uint32_t layer = 0; layer < config_.n_layers; ++layer) {
      begin_part();
      attend(layer);
      begin_part();
      feed_forward(layer);
    }
    begin_part();
    normalize(kPickedRows, weights_.final_norm);
    begin_part();
    output();
    if (error_) return std::move(*error_);
    return all();
  }

 private:
  using Numbers = std::initializer_list<double>;

  // Adds a step to the last part: its kernel, its buffers, its numbers.
  [[gnu::noinline]] void step(Numbers numbers) {
    parts_[part_at_] += 1;
    parts_.push_back(static_cast<double>(numbers.size()));
    append(parts_, {numbers.begin(), numbers.size()});
  }
  [[gnu::noinline]] void begin_part() {
    ++n_parts_;
    part_at_ = parts_.size();
    parts_.push_back(0);
  }

  // The number of a vector; -1 for none.
  [[gnu::noinline]] double vector(const std::vector<float>& values) {
    if (values.empty()) return -1;
    vectors_.push_back(static_cast<double>(reinterpret_cast<uintptr_t>(values.data())));
    vectors_.push_back(static_cast<double>(values.size()));
    return static_cast<double>(n_vectors_++);
  }

  [[nodiscard]] const PlannedTensor* find(DecoderRole role, uint32_t layer) const {
    const auto found = std::ranges::find_if(tensors_, [&](const PlannedTensor& tensor) {
      return tensor.role == role && tensor.layer == layer && tensor.is_matrix();
    });
    return found == tensors_.end() ? nullptr : &*found;
  }

  // The number of a matrix, which is there.
  [[gnu::noinline]] double matrix(DecoderRole role, uint32_t layer) {
    const PlannedTensor* const tensor = find(role, layer);
    auto form = device_matrix(*tensor);
    if (!form) {
      if (!error_) error_ = form.take_error();
      return -1;
    }
    append(matrices_, *form);
    return static_cast<double>(n_matrices_++);
  }

  [[gnu::noinline]] void multiply(DecoderRole role, uint32_t layer, const LinearWeights& linear,
                                  double from, double to, double scale = 1) {
    step({kMultiply, from, to, matrix(role, layer), vector(linear.bias), scale});
  }

  [[gnu::noinline]] void normalize(double from, const NormWeights& norm, double to = kNormedRows) {
    const double width = config_.n_embd;
    if (norm.weight.empty()) return step({kCopy, from, to, width});
    step({kNorm, from, to, vector(norm.weight), vector(norm.bias), width, 1});
  }

  void embed() {
    begin_part();
    step({kEmbed, kHiddenRows, matrix(DecoderRole::TokenEmbedding, model::kNoLayer),
          config_.embed_scale, 0});
    if (config_.positions != DecoderPositions::Learned) return;
    step({kEmbed, kHiddenRows, matrix(DecoderRole::PositionEmbedding, model::kNoLayer), 1, 1});
  }

  [[nodiscard]] double query_width() const { return double{1} * config_.n_heads * head_dim(); }
  [[nodiscard]] double kv_width() const { return double{1} * config_.n_kv_heads * head_dim(); }
  [[nodiscard]] double head_dim() const { return config_.head_dim; }

  void attend(uint32_t layer) {
    const DecoderLayer& of = weights_.layers[layer];
    normalize(kHiddenRows, of.attention_norm);
    project(layer);
    if (!config_.norm_after_rope) normalize_heads(of);
    if (config_.is_rotated(layer)) rotate(layer);
    if (config_.norm_after_rope) normalize_heads(of);
    if (config_.attn_temperature_scale != 0) {
      step({kTemper, kQueryRows, query_width(), config_.attn_temperature_scale,
            static_cast<double>(config_.attn_temperature_length)});
    }
    step({kKeep, kKeyRows, kValueRows, double{1} * layer, kv_width()});
    const double scale =
        config_.attn_scale > 0 ? config_.attn_scale : 1 / std::sqrt(double{1} * config_.head_dim);
    step({kAttend, kQueryRows, kContextRows, double{1} * layer, double{1} * config_.n_heads,
          double{1} * config_.n_kv_heads, head_dim(), scale, config_.attn_softcap,
          double{1} * config_.window_of(layer), vector(decoder_.slopes())});
    if (config_.attn_gate) {
      step({kGate, kGateRows, kContextRows, kContextRows, kSigmoid, query_width(), query_width(),
            query_width(), 0});
    }
    multiply(DecoderRole::AttentionOutput, layer, of.attention_output, kContextRows, kOutRows,
             scale_of(of.post_attention_norm, config_.attn_out_scale));
    finish(of.post_attention_norm);
    if (config_.parallel_residual) {
      step({kCopy, kOutRows, kAttendedRows, double{1} * config_.n_embd});
    } else {
      add(kOutRows);
    }
  }

  void project(uint32_t layer) {
    const DecoderLayer& of = weights_.layers[layer];
    if (find(DecoderRole::QueryKeyValue, layer) == nullptr) {
      if (config_.attn_gate) {
        multiply(DecoderRole::Query, layer, of.query, kNormedRows, kFusedRows);
        take(kQueryRows, 2 * head_dim(), 0, head_dim(), config_.n_heads);
        take(kGateRows, 2 * head_dim(), head_dim(), head_dim(), config_.n_heads);
      } else {
        multiply(DecoderRole::Query, layer, of.query, kNormedRows, kQueryRows);
      }
      multiply(DecoderRole::Key, layer, of.key, kNormedRows, kKeyRows);
      return multiply(DecoderRole::Value, layer, of.value, kNormedRows, kValueRows);
    }
    multiply(DecoderRole::QueryKeyValue, layer, of.query_key_value, kNormedRows, kFusedRows);
    const double groups = config_.qkv_per_head ? config_.n_kv_heads : 1;
    const double query = query_width() / groups;
    const double key = kv_width() / groups;
    take(kQueryRows, query + 2 * key, 0, query, groups);
    take(kKeyRows, query + 2 * key, query, key, groups);
    take(kValueRows, query + 2 * key, query + key, key, groups);
  }

  [[gnu::noinline]] void take(double to, double stride, double offset, double width,
                              double per_row) {
    step({kTake, kFusedRows, to, stride, offset, width, per_row});
  }

  void normalize_heads(const DecoderLayer& of) {
    const auto normalize = [&](double name, const NormWeights& norm, double width) {
      if (norm.weight.empty()) return;
      const auto own = static_cast<double>(norm.weight.size());
      step({kNorm, name, name, vector(norm.weight), vector(norm.bias), own, width / own});
    };
    normalize(kQueryRows, of.query_norm, query_width());
    normalize(kKeyRows, of.key_norm, kv_width());
  }

  void rotate(uint32_t layer) {
    const double local = config_.rope_local_freq_base > 0 && config_.is_local(layer) ? 1 : 0;
    const double interleaved = config_.rope_style == model::RopeStyle::Interleaved ? 1 : 0;
    step({kRotate, kQueryRows, query_width(), head_dim(), interleaved, local});
    step({kRotate, kKeyRows, kv_width(), head_dim(), interleaved, local});
  }

  // The scale of a product, which also scales what it adds where no norm follows.
  [[nodiscard]] double scale_of(const NormWeights& norm, double scale) const {
    return norm.weight.empty() ? scale * config_.residual_scale : scale;
  }

  [[gnu::noinline]] void finish(const NormWeights& norm) {
    if (norm.weight.empty()) return;
    normalize(kOutRows, norm, kOutRows);
    if (config_.residual_scale == 1) return;
    step({kScale, kOutRows, double{1} * config_.n_embd, config_.residual_scale});
  }

  [[gnu::noinline]] void add(double from) {
    step({kAdd, from, kHiddenRows, double{1} * config_.n_embd});
  }

  void feed_forward(uint32_t layer) {
    const DecoderLayer& of = weights_.layers[layer];
    const bool shares_norm = config_.parallel_residual && of.mlp_norm.weight.empty();
    normalize(kHiddenRows, shares_norm ? of.attention_norm : of.mlp_norm);
    widen(layer);
    multiply(DecoderRole::Down, layer, of.down, kWideRows, kOutRows,
             scale_of(of.post_mlp_norm, config_.mlp_out_scale));
    finish(of.post_mlp_norm);
    if (config_.parallel_residual) add(kAttendedRows);
    add(kOutRows);
  }

  void widen(uint32_t layer) {
    const DecoderLayer& of = weights_.layers[layer];
    const double n_ff = config_.n_ff;
    const auto kind = static_cast<double>(config_.activation);
    if (find(DecoderRole::GateUp, layer) != nullptr) {
      multiply(DecoderRole::GateUp, layer, of.gate_up, kNormedRows, kFusedRows);
      return step({kGate, kFusedRows, kFusedRows, kWideRows, kind, n_ff, 2 * n_ff, 2 * n_ff, n_ff});
    }
    if (find(DecoderRole::Gate, layer) != nullptr) {
      multiply(DecoderRole::Gate, layer, of.gate, kNormedRows, kWideRows, config_.mlp_gate_scale);
      multiply(DecoderRole::Up, layer, of.up, kNormedRows, kUpRows);
      return step({kGate, kWideRows, kUpRows, kWideRows, kind, n_ff, n_ff, n_ff, 0});
    }
    multiply(DecoderRole::Up, layer, of.up, kNormedRows, kWideRows);
    if (config_.xielu.empty()) return step({kActivate, kWideRows, kind, n_ff, 0, 0, 0, 0});
    const model::XieluParameters& learned = config_.xielu[layer];
    step({kActivate, kWideRows, kind, n_ff, softplus(learned.alpha_p),
          learned.beta + softplus(learned.alpha_n), learned.beta, learned.eps});
  }

  void output() {
    if (!decoder_.makes_logits()) return;
    multiply(config_.tie_word_embeddings ? DecoderRole::TokenEmbedding : DecoderRole::Output,
             model::kNoLayer, weights_.output, kNormedRows, kLogitsRows, config_.logit_scale);
    if (config_.final_softcap == 0) return;
    step({kCap, kLogitsRows, double{1} * config_.n_vocab, config_.final_softcap});
  }

  [[nodiscard]] std::vector<double> all() const {
    const double width = config_.n_embd;
    const double n_ff = config_.n_ff;
    const double query = query_width();
    const double key = kv_width();
    const double fused = std::max({query + 2 * key, 2 * query, 2 * n_ff});
    std::vector<double> numbers = {config_.norm == model::DecoderNorm::Rms ? 0.0 : 1.0,
                                   config_.norm_eps, double{1} * config_.n_layers, key,
                                   static_cast<double>(decoder_.context()),
                                   // Floats of a row of each buffer, in the order of DeviceBuffer.
                                   width, width, width, width, width, query, query, query, key, key,
                                   n_ff, n_ff, fused, double{1} * config_.n_vocab};
    numbers.push_back(static_cast<double>(n_vectors_));
    append(numbers, vectors_);
    numbers.push_back(static_cast<double>(n_matrices_));
    append(numbers, matrices_);
    numbers.push_back(static_cast<double>(n_parts_));
    append(numbers, parts_);
    return numbers;
  }

  // Here once, and not at every call: that is half a kilobyte each.
  [[gnu::noinline]] static void append(std::vector<double>& to, std::span<const double> from) {
    for (const double number : from) to.push_back(number);
  }

  // In the place of one of model::DecoderActivation.
  static constexpr double kSigmoid = 6;

  const Decoder& decoder_;
  const model::DecoderConfig& config_;
  const DecoderWeights& weights_;
  const std::vector<PlannedTensor>& tensors_;
  std::vector<double> parts_;
  std::vector<double> vectors_;
  std::vector<double> matrices_;
  size_t part_at_ = 0;
  size_t n_parts_ = 0;
  size_t n_vectors_ = 0;
  size_t n_matrices_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<std::vector<double>> device_plan(const Decoder& decoder) {
  return PlanWriter(decoder).write();
}

}  // namespace ambry::infer
