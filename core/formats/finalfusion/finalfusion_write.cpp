#include "formats/finalfusion/finalfusion_write.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "formats/finalfusion/finalfusion_layout.h"
#include "formats/finalfusion/write_vocabulary.h"
#include "io/byte_writer.h"
#include "io/toml/toml.h"
#include "model/file/tensor_table.h"

namespace ambry::formats::finalfusion {
namespace {

using tensor::DType;

// The tensors by their role in the file. nullptr for one that does not exist.
struct Parts {
  model::TensorEntry* storage = nullptr;
  model::TensorEntry* projection = nullptr;
  model::TensorEntry* centroids = nullptr;
  model::TensorEntry* quantized_norms = nullptr;
  model::TensorEntry* codes = nullptr;
  model::TensorEntry* norms = nullptr;
};

Failure mismatch(const Text& path, const Text& message) {
  return make_error(ErrorCode::Mismatch, path, message);
}

Result<Parts> find_parts(std::vector<model::TensorEntry>& tensors) {
  Parts parts;
  const std::pair<std::string_view, model::TensorEntry**> kNames[] = {
      {kStorage, &parts.storage},     {kProjection, &parts.projection},
      {kCentroids, &parts.centroids}, {kQuantizedNorms, &parts.quantized_norms},
      {kCodes, &parts.codes},         {kNorms, &parts.norms}};
  for (model::TensorEntry& tensor : tensors) {
    const auto* row =
        std::ranges::find_if(kNames, [&](const auto& name) { return name.first == tensor.name; });
    if (row == std::end(kNames) || *row->second != nullptr) {
      return make_error(ErrorCode::Unsupported, tensor.name,
                        "finalfusion has no place for this tensor");
    }
    const DType dtype = row->first == kCodes ? DType::U8 : DType::F32;
    if (tensor.dtype != dtype) {
      return make_error(
          ErrorCode::Unsupported, tensor.name,
          {"finalfusion cannot store ", dtype_name(tensor.dtype), ", only ", dtype_name(dtype)});
    }
    *row->second = &tensor;
  }
  const bool quantized = parts.codes != nullptr && parts.centroids != nullptr;
  const bool rest = parts.codes != nullptr || parts.centroids != nullptr ||
                    parts.projection != nullptr || parts.quantized_norms != nullptr;
  if ((parts.storage != nullptr) == rest || (rest && !quantized)) {
    return make_error(ErrorCode::NotFound, "storage",
                      "a file takes the tensor storage, or quantized.centroids and .codes");
  }
  return parts;
}

Result<void> expect_shape(const model::TensorEntry* tensor, const tensor::Shape& shape) {
  if (tensor == nullptr || tensor->shape == shape) return {};
  return mismatch(tensor->name, {to_string(tensor->shape), ", must be ", to_string(shape)});
}

bool fits_u32(const tensor::Shape& shape, size_t from) {
  const auto extents = shape.extents().subspan(from);
  return std::ranges::all_of(extents, [](uint64_t n) { return n > 0 && n <= UINT32_MAX; });
}

Result<void> check_shapes(const Parts& parts, const model::WordVocabulary& words) {
  const uint64_t rows = words.n_rows();
  AMBRY_RETURN_IF_ERROR(expect_shape(parts.norms, {words.n_words}));
  if (parts.storage != nullptr) {
    const tensor::Shape& shape = parts.storage->shape;
    if (shape.rank() != 2 || !fits_u32(shape, 1)) {
      return mismatch(kStorage, {to_string(shape), " is no matrix that fits"});
    }
    return expect_shape(parts.storage, {rows, shape[1]});
  }
  const tensor::Shape& centroids = parts.centroids->shape;
  const auto width = centroids.rank() == 3 && fits_u32(centroids, 0)
                         ? checked_mul(centroids[0], centroids[2])
                         : std::nullopt;
  if (!width || *width > UINT32_MAX) {
    return mismatch(kCentroids, {to_string(centroids), " does not fit"});
  }
  AMBRY_RETURN_IF_ERROR(expect_shape(parts.codes, {rows, centroids[0]}));
  AMBRY_RETURN_IF_ERROR(expect_shape(parts.quantized_norms, {rows}));
  return expect_shape(parts.projection, {*width, *width});
}

class FifuWriter {
 public:
  FifuWriter(model::Model& model, const Parts& parts) : model_(model), parts_(parts) {}

  Result<model::FileLayout> lay_out() {
    const std::string metadata = metadata_text();
    put_header(!metadata.empty());
    if (!metadata.empty()) {
      const uint64_t start = begin_chunk(kMetadata);
      head_.put_text(metadata);
      end_chunk(start, 0);
    }
    const uint64_t start = begin_chunk(vocabulary_id(model_.words->kind));
    AMBRY_RETURN_IF_ERROR(put_vocabulary(*model_.words, head_));
    end_chunk(start, 0);
    AMBRY_RETURN_IF_ERROR(parts_.storage != nullptr ? put_array() : put_quantized());
    if (parts_.norms != nullptr) AMBRY_RETURN_IF_ERROR(put_norms());
    model_.file_bytes = layout_.total_bytes;
    return std::move(layout_);
  }

 private:
  [[nodiscard]] std::string metadata_text() const {
    if (model_.format == "finalfusion") return model_.metadata_text;
    return io::to_toml(model_.metadata);
  }

  void put_header(bool with_metadata) {
    std::vector<uint32_t> ids;
    if (with_metadata) ids.push_back(kMetadata);
    ids.push_back(vocabulary_id(model_.words->kind));
    ids.push_back(parts_.storage != nullptr ? kNdArray : kQuantizedArray);
    if (parts_.norms != nullptr) ids.push_back(kNdNorms);
    head_.put_text(kMagic);
    head_.put(model_.words->any_bytes ? kToRunVersion : kVersion);
    head_.put(static_cast<uint32_t>(ids.size()));
    for (const uint32_t id : ids) head_.put(id);
  }

  // Returns where the chunk starts in the buffer.
  uint64_t begin_chunk(uint32_t id) {
    const uint64_t start = head_.position();
    head_.put(id);
    head_.put(uint64_t{0});
    return start;
  }
  void end_chunk(uint64_t start, uint64_t tensor_bytes) {
    head_.put_at(start + sizeof(uint32_t),
                 head_.position() - start - kChunkHeadBytes + tensor_bytes);
  }
  void put_padding() { head_.put_zeros(padding_after(layout_.total_bytes + head_.position())); }

  Result<void> put_array() {
    const tensor::Shape& shape = parts_.storage->shape;
    const uint64_t start = begin_chunk(kNdArray);
    head_.put(shape[0]);
    head_.put(static_cast<uint32_t>(shape[1]));
    head_.put(kTypeF32);
    put_padding();
    return put_tensors(start, {parts_.storage});
  }

  Result<void> put_quantized() {
    const tensor::Shape& centroids = parts_.centroids->shape;
    const uint64_t start = begin_chunk(kQuantizedArray);
    head_.put(uint32_t{parts_.projection != nullptr});
    head_.put(uint32_t{parts_.quantized_norms != nullptr});
    head_.put(static_cast<uint32_t>(centroids[0]));
    head_.put(static_cast<uint32_t>(centroids[0] * centroids[2]));
    head_.put(static_cast<uint32_t>(centroids[1]));
    head_.put(parts_.codes->shape[0]);
    head_.put(kTypeU8);
    head_.put(kTypeF32);
    put_padding();
    return put_tensors(start,
                       {parts_.projection, parts_.centroids, parts_.quantized_norms, parts_.codes});
  }

  Result<void> put_norms() {
    const uint64_t start = begin_chunk(kNdNorms);
    head_.put(parts_.norms->shape[0]);
    head_.put(kTypeF32);
    put_padding();
    return put_tensors(start, {parts_.norms});
  }

  // Ends the chunk that starts at `start` with those of these tensors that exist.
  Result<void> put_tensors(uint64_t start, std::initializer_list<model::TensorEntry*> tensors) {
    uint64_t position = layout_.total_bytes + head_.position();
    uint64_t bytes = 0;
    for (model::TensorEntry* tensor : tensors) {
      if (tensor == nullptr) continue;
      const auto size = model::byte_size(tensor->shape, tensor->dtype);
      const auto end = size ? checked_add(position, *size) : std::nullopt;
      if (!end) return make_error(ErrorCode::Overflow, tensor->name, "the size passes 64 bits");
      tensor->offset = position;
      tensor->bytes = *size;
      bytes += *size;
      position = *end;
    }
    end_chunk(start, bytes);
    layout_.add_bytes(head_.take());
    for (const model::TensorEntry* tensor : tensors) {
      if (tensor == nullptr) continue;
      layout_.add_tensor(static_cast<size_t>(tensor - model_.tensors.data()), tensor->bytes);
    }
    return {};
  }

  model::Model& model_;
  const Parts& parts_;
  io::ByteWriter head_;  // bytes that are not in the layout yet
  model::FileLayout layout_;
};

}  // namespace

Result<model::FileLayout> lay_out(model::Model& model) {
  if (!model.words) {
    return make_error(ErrorCode::NotFound, "vocabulary", "the model has no vocabulary of words");
  }
  AMBRY_TRY(const Parts parts, find_parts(model.tensors));
  AMBRY_RETURN_IF_ERROR(check_shapes(parts, *model.words));
  return FifuWriter(model, parts).lay_out();
}

}  // namespace ambry::formats::finalfusion
