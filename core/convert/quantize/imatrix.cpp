#include "convert/quantize/imatrix.h"

#include <array>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/gguf/gguf_parse.h"
#include "formats/gguf/names/tensor_names.h"
#include "io/byte_reader.h"
#include "io/source.h"
#include "model/file/tensor_index.h"

namespace ambry::convert {
namespace {

using model::DecoderActivations;
using Layer = DecoderActivations::Layer;

constexpr uint32_t kMaxLayers = 4096;
constexpr uint32_t kMaxName = 1024;
constexpr std::string_view kSums = ".in_sum2";
constexpr std::string_view kCounts = ".counts";

// The input of a matrix; several have the same one.
struct MatrixInput {
  std::string_view name;
  std::vector<float> Layer::* input;
};
constexpr auto kMatrixInputs = std::to_array<MatrixInput>({
    {"blk.#.attn_q", &Layer::attention},
    {"blk.#.attn_k", &Layer::attention},
    {"blk.#.attn_v", &Layer::attention},
    {"blk.#.attn_qkv", &Layer::attention},
    {"blk.#.attn_output", &Layer::context},
    {"blk.#.ffn_gate", &Layer::mlp},
    {"blk.#.ffn_up", &Layer::mlp},
    {"blk.#.ffn_down", &Layer::mlp_hidden},
});

class Collector {
 public:
  // Divides the sums by `count`. Other names than those of a decoder's matrices are left out.
  Result<void> add(std::string_view name, std::vector<float> sums, float count, uint64_t offset) {
    if (!(count > 0)) return {};
    for (float& sum : sums) {
      sum /= count;
      if (std::isfinite(sum) && sum >= 0) continue;
      return error_at(ErrorCode::BadValue, offset, name, "not a mean of squares");
    }
    const formats::gguf::TensorName parts = formats::gguf::split_name(name);
    if (parts.pattern == "output") {
      made_.output = std::move(sums);
      found_ = true;
      return {};
    }
    for (const auto& [matrix, input] : kMatrixInputs) {
      if (parts.pattern != matrix || !parts.layer || *parts.layer >= kMaxLayers) continue;
      if (made_.layers.size() <= *parts.layer) made_.layers.resize(*parts.layer + size_t{1});
      made_.layers[*parts.layer].*input = std::move(sums);
      found_ = true;
      break;
    }
    return {};
  }
  Result<DecoderActivations> finish() {
    made_.partial = true;
    if (found_) return std::move(made_);
    return make_error(ErrorCode::BadValue, "options.calibration",
                      "the file has no matrix of a language model");
  }

 private:
  DecoderActivations made_;
  bool found_ = false;
};

Result<std::vector<float>> floats_at(const io::Source& source, const model::TensorEntry& tensor) {
  if (tensor.dtype != tensor::DType::F32) {
    return error_at(ErrorCode::BadValue, tensor.index_offset, tensor.name, "not f32");
  }
  AMBRY_TRY(const Bytes bytes, source.view(tensor.offset, tensor.bytes, tensor.name));
  std::vector<float> values(bytes.size() / sizeof(float));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = load_le<float>(bytes.data() + i * sizeof(float));
  }
  return values;
}

Result<DecoderActivations> read_gguf(const io::Source& source) {
  io::Diagnostics found;
  AMBRY_TRY(const model::Model file, formats::gguf::parse_file(source, found));
  if (!found.errors.empty()) return std::move(found.errors.front());
  const model::TensorIndex index(file.tensors);
  Collector collector;
  for (const model::TensorEntry& tensor : file.tensors) {
    std::string_view name = tensor.name;
    if (!name.ends_with(kSums)) continue;
    name.remove_suffix(kSums.size());
    const model::TensorEntry* counts = index.find(std::string(name).append(kCounts));
    if (counts == nullptr) {
      return error_at(ErrorCode::NotFound, tensor.index_offset, tensor.name,
                      {"there is no ", name, kCounts, " beside it"});
    }
    AMBRY_TRY(const std::vector<float> count, floats_at(source, *counts));
    if (count.size() != 1) continue;  // of experts
    AMBRY_TRY(std::vector<float> sums, floats_at(source, tensor));
    AMBRY_RETURN_IF_ERROR(collector.add(name, std::move(sums), count[0], tensor.offset));
  }
  return collector.finish();
}

// A count of entries; of each its name, how many runs its sums are of, and the sums.
Result<DecoderActivations> read_older(const io::Source& source) {
  io::ByteReader reader(source);
  AMBRY_TRY(const uint32_t n_entries, reader.read<uint32_t>("entries"));
  AMBRY_RETURN_IF_ERROR(reader.check_count(n_entries, 3 * sizeof(uint32_t), "entries", 0));
  Collector collector;
  for (uint32_t i = 0; i < n_entries; ++i) {
    const uint64_t at = reader.position();
    AMBRY_TRY(const uint32_t length, reader.read<uint32_t>("name"));
    if (length > kMaxName) {
      return error_at(
          ErrorCode::LimitExceeded, at, "name",
          {length, " bytes, at most ", kMaxName, "; is this a text or a file of llama-imatrix?"});
    }
    AMBRY_TRY(const Bytes name, reader.read_bytes(length, "name"));
    const std::string text(name.begin(), name.end());
    AMBRY_TRY(const uint32_t n_runs, reader.read<uint32_t>("runs"));
    const uint64_t count_at = reader.position();
    AMBRY_TRY(const uint32_t n_values, reader.read<uint32_t>("values"));
    AMBRY_RETURN_IF_ERROR(reader.check_count(n_values, sizeof(float), "values", count_at));
    AMBRY_TRY(const Bytes bytes, reader.read_bytes(uint64_t{n_values} * sizeof(float), "values"));
    std::vector<float> sums(n_values);
    for (size_t k = 0; k < sums.size(); ++k) {
      sums[k] = load_le<float>(bytes.data() + k * sizeof(float));
    }
    AMBRY_RETURN_IF_ERROR(collector.add(text, std::move(sums), static_cast<float>(n_runs), at));
  }
  return collector.finish();
}

}  // namespace

Result<DecoderActivations> read_imatrix(Bytes file) {
  constexpr std::string_view kGguf = "GGUF";
  const bool gguf =
      file.size() >= kGguf.size() && std::equal(kGguf.begin(), kGguf.end(), file.begin());
  const io::MemorySource source(file);
  return gguf ? read_gguf(source) : read_older(source);
}

}  // namespace ambry::convert
