#include "formats/safetensors/safetensors_write.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/checked.h"
#include "base/utf8.h"
#include "formats/safetensors/safetensors_layout.h"
#include "io/byte_writer.h"
#include "io/limits.h"
#include "model/file/tensor_table.h"

namespace ambry::formats::safetensors {
namespace {

Result<std::string> metadata_text(const io::Json& metadata) {
  if (metadata.members().size() > io::kMaxMetadataEntries) {
    return make_error(ErrorCode::LimitExceeded, kMetadataKey, "too many entries");
  }
  for (const auto& [key, value] : metadata.members()) {
    if (value.is_string()) continue;
    return make_error(ErrorCode::Unsupported, {kMetadataKey, ".", key},
                      {"safetensors holds texts here, not ", value.dump()});
  }
  return metadata.dump();
}

Result<void> check_name(const std::string& name, std::string_view path) {
  if (name.empty() || name == kMetadataKey || find_invalid_utf8(name)) {
    return make_error(ErrorCode::BadValue, path,
                      {"a tensor cannot have the name \"", name, "\" in safetensors"});
  }
  return {};
}

// Writes the tensor's entry in the header. Its data starts at `end`, which moves behind the data.
Result<std::string> describe(model::TensorEntry& tensor, uint64_t& end, std::string_view path) {
  AMBRY_RETURN_IF_ERROR(check_name(tensor.name, path));
  const auto* type = std::ranges::find(kDTypes, tensor.dtype, &NamedDType::dtype);
  if (type == kDTypes.end()) {
    return make_error(ErrorCode::Unsupported, path,
                      {"safetensors cannot store ", dtype_name(tensor.dtype), ", which \"",
                       tensor.name, "\" is of"});
  }
  const auto size = model::byte_size(tensor.shape, tensor.dtype);
  const auto after = size ? checked_add(end, *size) : std::nullopt;
  if (!after || *after >= uint64_t{1} << 62) {
    return make_error(ErrorCode::Overflow, path, "the file passes 64 bits");
  }
  tensor.bytes = *size;
  tensor.offset = end;  // still relative to the end of the header
  std::string shape;
  for (const uint64_t extent : tensor.shape.extents()) {
    if (!shape.empty()) shape += ',';
    shape += std::to_string(extent);
  }
  std::string text =
      concat({io::Json(tensor.name).dump(), ":{\"dtype\":\"", type->name, "\",\"shape\":[", shape,
              "],\"data_offsets\":[", end, ",", *after, "]}"});
  end = *after;
  return text;
}

Result<std::string> header_text(model::Model& model, uint64_t& data_bytes) {
  std::string header = "{";
  if (!model.metadata.members().empty()) {
    AMBRY_TRY(const std::string metadata, metadata_text(model.metadata));
    header += concat({"\"", kMetadataKey, "\":", metadata});
  }
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    model::TensorEntry& tensor = model.tensors[i];
    AMBRY_TRY(const std::string text, describe(tensor, data_bytes, concat({"tensors[", i, "]"})));
    if (header.size() > 1) header += ',';
    header += text;
  }
  header += '}';
  header.append((kDataAlignment - header.size() % kDataAlignment) % kDataAlignment, ' ');
  if (header.size() > kMaxHeaderBytes) {
    return make_error(ErrorCode::LimitExceeded, "header",
                      {"a header of ", header.size(), " bytes, at most 100 MB"});
  }
  return header;
}

}  // namespace

Result<model::FileLayout> lay_out(model::Model& model) {
  AMBRY_RETURN_IF_ERROR(model::check_writable_table(model.tensors));
  uint64_t data_bytes = 0;
  AMBRY_TRY(const std::string header, header_text(model, data_bytes));
  io::ByteWriter writer;
  writer.put(static_cast<uint64_t>(header.size()));
  writer.put_text(header);
  const uint64_t data_at = writer.position();
  model::FileLayout layout;
  layout.add_bytes(writer.take());
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    model::TensorEntry& tensor = model.tensors[i];
    tensor.offset += data_at;
    layout.add_tensor(i, tensor.bytes);
  }
  model.file_bytes = layout.total_bytes;
  return layout;
}

}  // namespace ambry::formats::safetensors
