#include "formats/gguf/gguf_decoder.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/concat.h"
#include "base/shortest.h"
#include "formats/gguf/config.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "formats/gguf/names/state_space_names.h"
#include "formats/gguf/state_space_facts.h"
#include "model/decoder/decoder_tensors.h"
#include "model/file/tensor_index.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::gguf {
namespace {

using io::Json;
using model::Model;
using model::TensorEntry;

constexpr uint64_t kMaxFactors = 4096;
constexpr std::string_view kScalingType = "rope.scaling.type";

constexpr std::string_view kWeightEnding = ".weight";
constexpr std::string_view kScaleEnding = ".scale";
constexpr std::string_view kInputScaleEnding = ".input_scale";

// Any architecture may have it.
constexpr GgufName kRankLayer = {kRankTensor, "dense.0"};

bool is_factors(std::string_view name) {
  return name == kRopeFactors || name == kLongFactors || name == kShortFactors;
}

// Rows `first` to `first + n` of a tensor. GGUF stores them one after another, in whole blocks.
Result<TensorEntry> rows_of(const TensorEntry& tensor, uint64_t first, uint64_t n) {
  const uint64_t rows = tensor.shape.rank() == 0 ? 0 : tensor.shape[0];
  if (first > rows || n > rows - first) {
    return error_at(ErrorCode::Mismatch, tensor.index_offset, tensor.name,
                    {"rows ", first, " to ", first + n, " are needed, but there are ", rows});
  }
  TensorEntry part = tensor;
  const uint64_t row_bytes = rows == 0 ? 0 : tensor.bytes / rows;
  part.offset += first * row_bytes;
  part.bytes = n * row_bytes;
  part.shape = {n};
  for (size_t axis = 1; axis < tensor.shape.rank(); ++axis) {
    part.shape.push_back(tensor.shape[axis]);
  }
  return part;
}

// One of several matrices of a size.
Result<TensorEntry> matrix_of(const TensorEntry& stack, Part part) {
  if (stack.shape.rank() != 3) {
    return error_at(ErrorCode::Mismatch, stack.index_offset, stack.name,
                    {to_string(stack.shape), ", but three matrices are needed"});
  }
  AMBRY_TRY(TensorEntry matrix,
            rows_of(stack, static_cast<uint64_t>(part) - static_cast<uint64_t>(Part::First), 1));
  matrix.shape = {stack.shape[1], stack.shape[2]};
  return matrix;
}

class Reader {
 public:
  Reader(const io::Source& source, const Model& file, io::Diagnostics& diagnostics)
      : source_(source), file_(file), index_(file.tensors), diagnostics_(diagnostics) {}

  Result<Decoder> read(std::string_view arch);

 private:
  Result<void> read_architecture(std::string_view arch);
  Result<void> read_config();
  Result<void> read_facts();
  Result<void> read_factors();
  Result<void> read_rotated_share();
  Result<void> check_no_factors() const;
  Result<Json> scaling_beside_factors() const;
  Result<Json> factors_of(std::string_view name, double factor) const;
  Result<void> add_tensor(size_t stored);
  [[nodiscard]] const TensorEntry* scaled_by(std::string_view name) const;
  Result<float> factor_for(const TensorEntry& weight) const;
  Result<void> add_experts(size_t stored, const GgufName& row, const TensorName& name);
  Result<void> add_part(size_t stored, const GgufName& row, const TensorName& name);
  Result<TensorEntry> part_of(const TensorEntry& stored, Part part) const;
  [[nodiscard]] bool is_used(const GgufName& row, TensorName name) const;
  [[nodiscard]] bool is_own(std::string_view name) const;

  const io::Source& source_;
  const Model& file_;
  model::TensorIndex index_;
  io::Diagnostics& diagnostics_;
  Decoder decoder_;
  // What the first layer has, or all layers if they differ, and what is outside the layers.
  std::vector<model::DecoderTensor> known_;
};

Result<Decoder> Reader::read(std::string_view arch) {
  AMBRY_RETURN_IF_ERROR(read_architecture(arch));
  AMBRY_RETURN_IF_ERROR(read_config());
  AMBRY_RETURN_IF_ERROR(read_facts());
  for (size_t i = 0; i < file_.tensors.size(); ++i) {
    if (!is_factors(file_.tensors[i].name)) AMBRY_RETURN_IF_ERROR(add_tensor(i));
  }
  return std::move(decoder_);
}

Result<void> Reader::read_architecture(std::string_view arch) {
  const Json& metadata = file_.metadata;
  const auto stated = model::metadata_text(metadata, kArchitectureKey);
  if (!stated) {
    return model::metadata_error(metadata, kArchitectureKey, ErrorCode::NotFound,
                                 "the file does not say what kind of model it holds");
  }
  decoder_.architecture = find_gguf_architecture(*stated);
  if (decoder_.architecture == nullptr) {
    return model::metadata_error(metadata, kArchitectureKey, ErrorCode::Unsupported,
                                 {"\"", *stated, "\" is no language model that is known here (",
                                  comma_list(gguf_decoder_names()), ")"});
  }
  // Olmo 3 is an olmo2 with windows there.
  const Json* window = architecture_value(file_, "attention.sliding_window");
  if (*stated == "olmo2" && window != nullptr && window->is_uint() && window->uint() > 0) {
    decoder_.architecture = gguf_architecture_for("olmo3");
  }
  if (!arch.empty()) {
    const GgufArchitecture* wanted = gguf_architecture_for(arch);
    if (wanted == nullptr || wanted->gguf != *stated) {
      return make_error(ErrorCode::BadValue, "options.arch",
                        {"\"", arch, "\", but the file holds \"", *stated, "\""});
    }
    decoder_.architecture = wanted;
  }
  const Json* experts = architecture_value(file_, "expert_count");
  // Files without experts may state 0 of them.
  if (experts == nullptr || (experts->is_uint() && experts->uint() == 0)) return {};
  // Mixtral is a llama with experts there.
  if (*stated == "llama") decoder_.architecture = gguf_architecture_for("mixtral");
  const auto known = model::find_architecture(decoder_.architecture->other);
  const Json* shared = architecture_value(file_, kSharedWidth);
  const bool lacks_shared = shared == nullptr || !shared->is_uint() || shared->uint() == 0;
  if (*stated == kGraniteHybrid && lacks_shared) {
    return model::metadata_error(metadata, concat({*stated, ".", kSharedWidth}),
                                 ErrorCode::Unsupported,
                                 "experts without a part that all tokens take are not supported");
  }
  if (known && model::architecture_defaults(*known).experts) return {};
  return model::metadata_error(metadata, concat({*stated, ".expert_count"}), ErrorCode::Unsupported,
                               {"a ", *stated, " with experts is not supported"});
}

Result<void> Reader::read_config() {
  AMBRY_RETURN_IF_ERROR(check_layer_facts(file_));
  Json config = Json::object();
  for (const auto& [key, value] : file_.config.members()) config.append_member(key, value);
  config.set("architecture", decoder_.architecture->other);
  const TensorEntry* embedding = index_.find("token_embd.weight");
  if (!model::has_value(config, "n_vocab") && embedding != nullptr &&
      embedding->shape.rank() == 2) {
    config.set("n_vocab", embedding->shape[0]);
  }
  decoder_.config = std::move(config);
  return read_factors();
}

// The facts that need no tensors, with errors about the file's own keys.
Result<void> Reader::read_facts() {
  Model stated;
  stated.config = decoder_.config;
  auto facts = model::decoder_config(stated, diagnostics_);
  if (!facts) {
    Failure error = facts.take_error();
    error->path = path_of_fact(file_, error->path);
    return error;
  }
  decoder_.facts = std::move(*facts);
  model::DecoderConfig known = decoder_.facts;
  if (known.layer_kinds.empty()) {
    known.n_layers = 1;
    // One layer stands for all, with experts and without.
    known.experts.first_layer = 0;
    known.experts.shared = true;
  }
  known.experts.count = std::min(known.experts.count, 1U);
  known_ = model::decoder_tensors(known);
  return {};
}

// LongRope has a factor for each rotated pair. Those of llama 3 are the same at any length.
Result<void> Reader::read_factors() {
  const bool one = index_.find(kRopeFactors) != nullptr;
  const bool two = index_.find(kLongFactors) != nullptr || index_.find(kShortFactors) != nullptr;
  if (!one && !two) return check_no_factors();
  if (one && decoder_.architecture->gguf == "gemma4") return read_rotated_share();
  AMBRY_TRY(Json scaling, scaling_beside_factors());
  const Json* linear = scaling.find("factor");
  const bool scaled = model::metadata_text(scaling, "type") == "linear" && linear != nullptr;
  const double factor = scaled && linear->is_number() ? linear->number() : 1;
  scaling.set("type", kLongRope);
  AMBRY_TRY(Json long_factors, factors_of(one ? kRopeFactors : kLongFactors, factor));
  AMBRY_TRY(Json short_factors, factors_of(one ? kRopeFactors : kShortFactors, factor));
  scaling.set("long_factor", std::move(long_factors));
  scaling.set("short_factor", std::move(short_factors));
  const Json* attention = architecture_value(file_, "rope.scaling.attn_factor");
  if (attention != nullptr && attention->is_number()) {
    scaling.set("attention_factor", *attention);
  } else if (one) {
    scaling.set("attention_factor", 1.0);
  }
  decoder_.config.set("rope_scaling", std::move(scaling));
  return {};
}

// A factor of 1 for each pair that rotates, and then one so large that a pair stands still.
Result<void> Reader::read_rotated_share() {
  AMBRY_TRY(const Json factors, factors_of(kRopeFactors, 1));
  const std::vector<Json>& items = factors.items();
  const auto still = std::ranges::find_if(items, [](const Json& x) { return x.number() != 1; });
  const bool is_share =
      !items.empty() && still != items.begin() &&
      std::all_of(still, items.end(), [](const Json& x) { return x.number() >= kStandsStill; });
  if (!is_share) {
    return error_at(ErrorCode::Unsupported, index_.find(kRopeFactors)->index_offset, kRopeFactors,
                    "expected 1 for the first pairs and 1e30 for the others");
  }
  decoder_.config.set("global_rotary_factor", static_cast<double>(still - items.begin()) /
                                                  static_cast<double>(items.size()));
  return {};
}

Result<void> Reader::check_no_factors() const {
  const Json* type = architecture_value(file_, kScalingType);
  if (type == nullptr || !type->is_string() || type->string() != kLongRope) return {};
  return make_error(ErrorCode::NotFound, kLongFactors,
                    "longrope needs this tensor and rope_factors_short.weight");
}

// The rotation that is stated besides the factors. A linear scaling divides all frequencies alike.
Result<Json> Reader::scaling_beside_factors() const {
  const Json* stated = decoder_.config.find("rope_scaling");
  if (stated == nullptr || !stated->is_object()) {
    Json scaling = Json::object();
    const Json* length = architecture_value(file_, "rope.scaling.original_context_length");
    const bool by_length = index_.find(kRopeFactors) == nullptr;
    if (length != nullptr && by_length) scaling.set("original_max_position_embeddings", *length);
    return scaling;
  }
  const auto type = model::metadata_text(*stated, "type");
  if (type == "linear") return *stated;
  return model::metadata_error(
      file_.metadata, concat({decoder_.architecture->gguf, ".", kScalingType}),
      ErrorCode::Unsupported,
      {"\"", type.value_or(""), "\" together with a factor for each rotated pair"});
}

Result<Json> Reader::factors_of(std::string_view name, double factor) const {
  const TensorEntry* tensor = index_.find(name);
  if (tensor == nullptr || tensor->dtype != tensor::DType::F32 || tensor->shape.rank() != 1 ||
      tensor->shape[0] > kMaxFactors) {
    return error_at(ErrorCode::BadValue, tensor == nullptr ? kNoOffset : tensor->index_offset, name,
                    "expected a list of f32 factors");
  }
  AMBRY_TRY(const Bytes bytes, source_.view(tensor->offset, tensor->bytes, name));
  Json list = Json::array();
  for (size_t at = 0; at < bytes.size(); at += sizeof(float)) {
    const double value = shortest_double(load_le<float>(bytes.data() + at));
    list.append(factor == 1 ? value : value * factor);
  }
  return list;
}

Result<void> Reader::add_tensor(size_t stored) {
  const std::string_view whole = file_.tensors[stored].name;
  if (scaled_by(whole) != nullptr && !is_own(whole)) return {};
  const TensorName name = split_name(file_.tensors[stored].name);
  bool known = false;
  for (const GgufName& row : decoder_.architecture->names) {
    if (!is_used(row, name)) continue;
    known = true;
    AMBRY_RETURN_IF_ERROR(add_part(stored, row, name));
  }
  if (!known && is_used(kRankLayer, name)) {
    known = true;
    AMBRY_RETURN_IF_ERROR(add_part(stored, kRankLayer, name));
  }
  if (!known) decoder_.others.push_back(stored);
  return {};
}

// The weight that this tensor is a scale of. Converters write two beside NVFP4: one multiplies the
// weight, and the other was the scale of activations for products in four bits, which are not
// computed here.
const TensorEntry* Reader::scaled_by(std::string_view name) const {
  for (const std::string_view ending : {kInputScaleEnding, kScaleEnding}) {
    if (!name.ends_with(ending)) continue;
    return index_.find(concat({name.substr(0, name.size() - ending.size()), kWeightEnding}));
  }
  return nullptr;
}

Result<float> Reader::factor_for(const TensorEntry& weight) const {
  std::string_view base = weight.name;
  if (!base.ends_with(kWeightEnding)) return 1.0F;
  base.remove_suffix(kWeightEnding.size());
  const TensorEntry* scale = index_.find(concat({base, kScaleEnding}));
  if (scale == nullptr || is_own(scale->name)) return 1.0F;
  if (scale->dtype != tensor::DType::F32 || scale->shape.count() != 1U) {
    return error_at(ErrorCode::Unsupported, scale->index_offset, scale->name,
                    {"expected one f32 number for the whole of ", weight.name});
  }
  AMBRY_TRY(const Bytes bytes, source_.view(scale->offset, scale->bytes, scale->name));
  const auto factor = load_le<float>(bytes.data());
  if (std::isfinite(factor)) return factor;
  return error_at(ErrorCode::BadValue, scale->offset, scale->name, "not a finite number");
}

// Whether the row is of this tensor and decoders of this architecture compute with it: not all of
// them have every bias.
bool Reader::is_used(const GgufName& row, TensorName name) const {
  if (name.layer && decoder_.facts.layer_kinds.empty()) name.layer = 0;
  auto other = other_name_of(row, name);
  if (other && is_of_experts(row)) other = name_of_expert(*other, 0);
  return other && std::ranges::any_of(known_, [&](const model::DecoderTensor& tensor) {
           return model::decoder_tensor_key(tensor.spec.name) == model::decoder_tensor_key(*other);
         });
}

// Whether the model computes with a tensor of this name by itself: gemma4's experts have factors
// that are named as the scales of a weight.
bool Reader::is_own(std::string_view name) const {
  return std::ranges::any_of(decoder_.architecture->names, [&](const GgufName& row) {
    return row.whole && is_used(row, split_name(name));
  });
}

// The tensor has the matrices of a layer's experts, one after another. An expert's rows may be
// those of two matrices.
Result<void> Reader::add_experts(size_t stored, const GgufName& row, const TensorName& name) {
  const TensorEntry& whole = file_.tensors[stored];
  const uint32_t n_experts = decoder_.facts.experts.count;
  if (whole.shape.rank() != 3 || whole.shape[0] != n_experts) {
    return error_at(ErrorCode::Mismatch, whole.index_offset, whole.name,
                    {"shape is ", to_string(whole.shape), ", but the file states ", n_experts,
                     " experts in a layer"});
  }
  const std::string other = *other_name_of(row, name);
  for (uint32_t expert = 0; expert < n_experts; ++expert) {
    AMBRY_TRY(TensorEntry entry, rows_of(whole, expert, 1));
    AMBRY_TRY(entry.factor, factor_for(whole));
    entry.shape = {whole.shape[1], whole.shape[2]};
    if (row.part != Part::All) {
      const uint64_t half = whole.shape[1] / 2;
      AMBRY_TRY(entry, rows_of(entry, row.part == Part::First ? 0 : half, half));
    }
    entry.name = name_of_expert(other, expert);
    decoder_.tensors.push_back({stored, std::move(entry), false});
  }
  return {};
}

Result<void> Reader::add_part(size_t stored, const GgufName& row, const TensorName& name) {
  if (is_of_experts(row)) return add_experts(stored, row, name);
  AMBRY_TRY(TensorEntry entry, part_of(file_.tensors[stored], row.part));
  AMBRY_TRY(entry.factor, factor_for(file_.tensors[stored]));
  entry.name = *other_name_of(row, name);
  const uint64_t count = entry.shape.count().value_or(0);
  if (entry.shape == gguf_shape(row.gguf, decoder_.facts, {count})) entry.shape = {count};
  // Helium, which is a llama there, rotates as llama.cpp does.
  const auto usual = model::architecture_defaults(decoder_.facts.architecture).rope_style;
  const bool permuted = row.permuted && usual == model::RopeStyle::Half;
  decoder_.tensors.push_back({stored, std::move(entry), permuted});
  return {};
}

Result<TensorEntry> Reader::part_of(const TensorEntry& stored, Part part) const {
  if (part == Part::All || part == Part::Shared) return stored;
  const model::DecoderConfig& facts = decoder_.facts;
  const uint64_t query = uint64_t{facts.n_heads} * facts.head_dim;
  const uint64_t key = uint64_t{facts.n_kv_heads} * facts.head_dim;
  if (part >= Part::First) return matrix_of(stored, part);
  if (part == Part::Query) return rows_of(stored, 0, query);
  return rows_of(stored, part == Part::Key ? query : query + key, key);
}

}  // namespace

Result<Decoder> read_decoder(const io::Source& source, const Model& file, std::string_view arch,
                             io::Diagnostics& diagnostics) {
  return Reader(source, file, diagnostics).read(arch);
}

}  // namespace ambry::formats::gguf
