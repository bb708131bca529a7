#include "api/words/word_parts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "api/loading/parse_to_run.h"
#include "formats/finalfusion/finalfusion_layout.h"

namespace ambry::api {
namespace {

namespace layout = formats::finalfusion;

void fill(const AlignedBuffer& bytes, std::vector<float>& values) {
  const std::span<const float> floats = bytes.as<float>();
  values.assign(floats.begin(), floats.end());
}

const model::TensorEntry* find(const model::Model& model, std::string_view name) {
  const auto found = std::ranges::find(model.tensors, name, &model::TensorEntry::name);
  return found == model.tensors.end() ? nullptr : &*found;
}

// Leave the facts of the vocabulary in the model, for file_info().
model::WordVocabulary take_vocabulary(model::Model& model) {
  model::WordVocabulary whole = std::move(*model.words);
  model::WordVocabulary facts;
  facts.kind = whole.kind;
  facts.n_words = whole.n_words;
  facts.min_n = whole.min_n;
  facts.max_n = whole.max_n;
  facts.n_buckets = whole.n_buckets;
  model.words = std::move(facts);
  return whole;
}

}  // namespace

Result<model::Model> parse_words(const io::Source& source) {
  return parse_to_run(source, formats::word_formats());
}

bool holds_rows(const model::TensorEntry& tensor) {
  return tensor.name == layout::kStorage || tensor.name == layout::kCodes;
}

infer::WordParts begin_parts(model::Model& model) {
  const auto rows = std::ranges::find_if(model.tensors, holds_rows);
  assert(rows != model.tensors.end());
  const bool dense = rows->name == layout::kStorage;
  const uint64_t row_bytes = rows->shape[1] * (dense ? sizeof(float) : 1);
  infer::WordParts parts{.words = take_vocabulary(model),
                         .dim = static_cast<size_t>(rows->shape[1]),
                         .rows = {rows->offset, rows->shape[0], row_bytes},
                         .quantizer = std::nullopt,
                         .row_norms = {},
                         .norms = {}};
  if (dense) return parts;
  const tensor::Shape& centroids = find(model, layout::kCentroids)->shape;
  parts.dim = static_cast<size_t>(centroids[0] * centroids[2]);
  parts.quantizer = kernels::ProductQuantizer{
      {parts.dim, static_cast<size_t>(centroids[0]), static_cast<size_t>(centroids[1])}, {}, {}};
  return parts;
}

Result<void> accept(const model::TensorEntry& tensor, AlignedBuffer& bytes,
                    infer::WordParts& parts) {
  if (tensor.name == layout::kNorms) {
    fill(bytes, parts.norms);
  } else if (tensor.name == layout::kQuantizedNorms) {
    fill(bytes, parts.row_norms);
  } else if (tensor.name == layout::kProjection) {
    fill(bytes, parts.quantizer->projection);
  } else if (tensor.name == layout::kCentroids) {
    fill(bytes, parts.quantizer->centroids);
  } else {
    assert(holds_rows(tensor));
    if (parts.quantizer) {
      AMBRY_RETURN_IF_ERROR(
          check_codes(bytes.bytes(), tensor.offset, parts.quantizer->shape.n_centroids));
    }
    parts.rows.set_all(std::move(bytes));
  }
  return {};
}

Result<void> check_codes(Bytes codes, uint64_t byte_offset, size_t n_centroids) {
  if (n_centroids >= kernels::kMaxCentroids) return {};
  const auto bad = std::ranges::find_if(codes, [&](uint8_t code) { return code >= n_centroids; });
  if (bad == codes.end()) return {};
  return error_at(ErrorCode::BadValue, byte_offset + static_cast<uint64_t>(bad - codes.begin()),
                  layout::kCodes,
                  {"the code is ", *bad, ", but there are ", n_centroids, " centroids"});
}

}  // namespace ambry::api
