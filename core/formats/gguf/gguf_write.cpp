#include "formats/gguf/gguf_write.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/checked.h"
#include "base/utf8.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "formats/gguf/metadata/write_metadata.h"
#include "io/byte_writer.h"
#include "model/file/tensor_table.h"

namespace ambry::formats::gguf {
namespace {

using model::TensorEntry;

Result<uint64_t> alignment_of(const model::Model& model) {
  const io::Json* stated = model.metadata.find(kAlignmentKey);
  if (stated == nullptr) return uint64_t{kDefaultAlignment};
  const bool fits = stated->is_uint() && stated->uint() <= UINT32_MAX && stated->uint() % 8 == 0 &&
                    std::has_single_bit(stated->uint());
  if (fits) return stated->uint();
  return make_error(ErrorCode::BadValue, {"metadata.", kAlignmentKey},
                    {stated->dump(), " is not a power of two from 8 on"});
}

Result<const TensorType*> check_tensor(const TensorEntry& tensor, std::string_view path) {
  if (tensor.name.empty() || tensor.name.size() > kMaxNameBytes || find_invalid_utf8(tensor.name)) {
    return make_error(ErrorCode::LimitExceeded, path,
                      {"the name \"", tensor.name, "\"; GGUF holds names of 1 to 64 bytes"});
  }
  const auto* type = std::ranges::find(kTensorTypes, tensor.dtype, &TensorType::dtype);
  if (type == kTensorTypes.end()) {
    return make_error(
        ErrorCode::Unsupported, path,
        {"GGUF cannot store ", dtype_name(tensor.dtype), ", which \"", tensor.name, "\" is of"});
  }
  const size_t rank = tensor.shape.rank();
  const uint64_t row = rank == 0 ? 1 : tensor.shape[rank - 1];
  if (rank > kMaxRank || row % tensor::block_of(tensor.dtype).elements != 0) {
    return make_error(ErrorCode::Unsupported, path,
                      {"GGUF cannot hold the shape ", to_string(tensor.shape), " of \"",
                       tensor.name, "\" as ", dtype_name(tensor.dtype)});
  }
  return type;
}

// Writes the tensor's info. Its data starts at `end`, which moves behind the data and its padding.
Result<void> put_info(TensorEntry& tensor, std::string_view path, uint64_t alignment, uint64_t& end,
                      io::ByteWriter& writer) {
  AMBRY_TRY(const TensorType* type, check_tensor(tensor, path));
  const auto size = model::byte_size(tensor.shape, tensor.dtype);
  const auto after = size ? checked_add(end, *size) : std::nullopt;
  const auto padded = after ? checked_align_up(*after, alignment) : std::nullopt;
  if (!padded || *padded >= uint64_t{1} << 62) {
    return make_error(ErrorCode::Overflow, path, "the file passes 64 bits");
  }
  tensor.index_offset = writer.position();
  tensor.bytes = *size;
  tensor.offset = end;  // still relative to the start of the data
  writer.put(static_cast<uint64_t>(tensor.name.size()));
  writer.put_text(tensor.name);
  writer.put(static_cast<uint32_t>(tensor.shape.rank()));
  for (size_t axis = tensor.shape.rank(); axis-- > 0;) writer.put(tensor.shape[axis]);
  writer.put(type->number);
  writer.put(end);
  end = *padded;
  return {};
}

}  // namespace

Result<model::FileLayout> lay_out(model::Model& model) {
  AMBRY_RETURN_IF_ERROR(model::check_writable_table(model.tensors));
  AMBRY_TRY(const uint64_t alignment, alignment_of(model));
  io::ByteWriter writer;
  writer.put_text(kMagic);
  writer.put(kNewestVersion);
  writer.put(static_cast<uint64_t>(model.tensors.size()));
  AMBRY_RETURN_IF_ERROR(put_metadata(model, writer));
  uint64_t data_bytes = 0;
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    AMBRY_RETURN_IF_ERROR(
        put_info(model.tensors[i], concat({"tensors[", i, "]"}), alignment, data_bytes, writer));
  }
  if (!model.tensors.empty()) writer.align(alignment);
  const uint64_t data_at = writer.position();
  model::FileLayout layout;
  layout.add_bytes(writer.take());
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    TensorEntry& tensor = model.tensors[i];
    tensor.offset += data_at;
    layout.add_zeros(tensor.offset - layout.total_bytes);
    layout.add_tensor(i, tensor.bytes);
  }
  layout.add_zeros(data_at + data_bytes - layout.total_bytes);
  model.file_bytes = layout.total_bytes;
  return layout;
}

}  // namespace ambry::formats::gguf
