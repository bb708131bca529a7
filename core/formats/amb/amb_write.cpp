#include "formats/amb/amb_write.h"

#include <string>
#include <utility>

#include "base/checked.h"
#include "formats/amb/amb_layout.h"
#include "formats/amb/checksums.h"
#include "formats/amb/write_amb_tokenizer.h"
#include "io/byte_writer.h"
#include "io/limits.h"
#include "model/file/tensor_table.h"
#include "tensor/codec/codes/codec_layout.h"

namespace ambry::formats::amb {
namespace {

using model::TensorEntry;

// The text that was read, unless the value has changed since.
std::string text_of(const io::Json& value, const std::string& text) {
  if (!text.empty()) {
    const auto parsed = io::parse_json(text);
    if (parsed && parsed->dump() == value.dump()) return text;
  }
  return value.is_object() ? value.dump() : "{}";
}

Result<std::string> metadata_text(const model::Model& model, bool& has_checksums) {
  const io::Json* stated = model.metadata.find(kChecksumsKey);
  has_checksums = stated != nullptr || model.format != "amb";
  if (!has_checksums) {
    return model.metadata.members().empty() && model.metadata_text.empty()
               ? std::string()
               : text_of(model.metadata, model.metadata_text);
  }
  // The text is kept if its digits can be filled in where they are.
  std::string text = text_of(model.metadata, model.metadata_text);
  AMBRY_TRY(const io::Json parsed, io::parse_json(text));
  if (const auto fields = read_checksums(parsed, {})) {
    bool plain = true;
    for (const auto& field : *fields)
      plain = plain && text[static_cast<size_t>(field.field_offset) + 8] == '"';
    if (plain) return text;
  }
  io::Json metadata = model.metadata;
  metadata.set(kChecksumsKey, checksums_to_fill_in());
  return metadata.dump();
}

Result<uint64_t> payload_bytes(const TensorEntry& tensor, std::string_view path) {
  if (tensor::is_plain(tensor.dtype)) {
    const auto bytes = model::byte_size(tensor.shape, tensor.dtype);
    if (!bytes) return make_error(ErrorCode::Overflow, path, "the size passes 64 bits");
    return *bytes;
  }
  const tensor::Quantization how = tensor.quantization.value_or(tensor::Quantization());
  if (how.across_rows) {
    return make_error(ErrorCode::Unsupported, path,
                      "its blocks run across rows; the tensor must be quantized again");
  }
  AMBRY_TRY(const auto layout, tensor::payload_layout(tensor.dtype, tensor.shape, how));
  const uint64_t bytes = layout.min_bytes == layout.max_bytes ? layout.min_bytes : tensor.bytes;
  if (bytes < layout.min_bytes || bytes > layout.max_bytes) {
    return make_error(ErrorCode::Mismatch, path,
                      {bytes, " bytes, expected ", layout.min_bytes, " to ", layout.max_bytes});
  }
  return bytes;
}

Result<void> check_fields(const TensorEntry& tensor, std::string_view path) {
  if (tensor.name.empty() || tensor.name.size() > kMaxName) {
    return make_error(ErrorCode::LimitExceeded, path,
                      {"a name of ", tensor.name.size(), " bytes; AMB holds 1 to 65535"});
  }
  if (!dtype_code(tensor.dtype)) {
    return make_error(ErrorCode::Unsupported, path,
                      {"AMB cannot store ", dtype_name(tensor.dtype)});
  }
  for (const uint64_t extent : tensor.shape.extents()) {
    if (extent > 0 && extent <= UINT32_MAX) continue;
    return make_error(ErrorCode::Unsupported, path,
                      {"AMB cannot hold the shape ", to_string(tensor.shape)});
  }
  return {};
}

// Writes the record of a tensor, its bytes and the padding after them.
Result<void> put_tensor(TensorEntry& tensor, size_t index, model::FileLayout& layout) {
  const std::string path = concat({"tensors[", index, "]"});
  AMBRY_RETURN_IF_ERROR(check_fields(tensor, path));
  AMBRY_TRY(tensor.bytes, payload_bytes(tensor, path));
  const bool add_prefix = tensor.quantization && tensor.quantization->prefix_bytes == 0;
  const auto data_size = checked_add(tensor.bytes, add_prefix ? tensor::kQuantPrefixBytes : 0);
  const auto end = data_size ? checked_add(*data_size, layout.total_bytes) : std::nullopt;
  // Leaves room for the names and shapes of all following tensors.
  if (!end || *end >= uint64_t{1} << 62) {
    return make_error(ErrorCode::Overflow, path, "the file passes 64 bits");
  }
  io::ByteWriter writer;
  writer.put(static_cast<uint16_t>(tensor.name.size()));
  writer.put_text(tensor.name);
  writer.put(static_cast<uint8_t>(tensor.shape.rank()));
  for (const uint64_t extent : tensor.shape.extents()) writer.put(static_cast<uint32_t>(extent));
  writer.put(*dtype_code(tensor.dtype));
  writer.put(*data_size);
  if (add_prefix) writer.put_bytes(tensor::quant_prefix(tensor.dtype, *tensor.quantization));
  tensor.index_offset = layout.total_bytes;
  layout.add_bytes(writer.take());
  tensor.offset = layout.total_bytes;
  layout.add_tensor(index, tensor.bytes);
  layout.add_zeros((kTensorAlignment - layout.total_bytes % kTensorAlignment) % kTensorAlignment);
  return {};
}

Result<void> check_size(const char* path, size_t bytes, uint64_t limit) {
  if (bytes <= limit) return {};
  return make_error(ErrorCode::LimitExceeded, path, {bytes, " bytes, at most ", limit});
}

// Adds spaces to the config until the weights start at a multiple of 64
// (README.md#weights-alignment).
void fill_up(std::string& config, size_t others) {
  const auto missing = [&]() -> size_t {
    return (kWeightsAlignment - (others + config.size()) % kWeightsAlignment) % kWeightsAlignment;
  };
  if (missing() == 0) return;
  config.resize(config.find_last_not_of(" \t\r\n") + 1);
  config.append(missing(), ' ');
}

}  // namespace

Result<model::FileLayout> lay_out(model::Model& model) {
  AMBRY_RETURN_IF_ERROR(model::check_writable_table(model.tensors));
  bool has_checksums = false;
  AMBRY_TRY(const std::string metadata, metadata_text(model, has_checksums));
  AMBRY_TRY(const std::vector<uint8_t> tokenizer, tokenizer_bytes(model));
  std::string config = text_of(model.config, model.config_text);
  AMBRY_RETURN_IF_ERROR(check_size("metadata", metadata.size(), io::kMaxMetadataBytes));
  AMBRY_RETURN_IF_ERROR(
      check_size("config", config.size(), io::kMaxMetadataBytes - kWeightsAlignment));
  AMBRY_RETURN_IF_ERROR(check_size("tokenizer", tokenizer.size(), UINT32_MAX));
  if (!model.tensors.empty()) {
    fill_up(config, kHeaderBytes + metadata.size() + tokenizer.size());
  }

  io::ByteWriter writer;
  writer.put_text(kMagic);
  writer.put(kVersion);
  writer.put(has_checksums ? kFlagChecksums : uint16_t{0});
  for (const size_t size : {metadata.size(), config.size(), tokenizer.size()}) {
    writer.put(static_cast<uint32_t>(size));
  }
  writer.put(uint64_t{0});
  writer.put_text(metadata);
  Sections sections;
  sections.config = writer.position();
  writer.put_text(config);
  sections.tokenizer = writer.position();
  writer.put_bytes(tokenizer);
  sections.weights = writer.position();
  model::FileLayout layout;
  layout.add_bytes(writer.take());
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    AMBRY_RETURN_IF_ERROR(put_tensor(model.tensors[i], i, layout));
  }
  sections.end = layout.total_bytes;
  store_le(layout.pieces.front().bytes.data() + kWeightsSizeAt, sections.end - sections.weights);
  if (has_checksums) {
    AMBRY_TRY(const io::Json parsed, io::parse_json(metadata, kHeaderBytes, "metadata"));
    AMBRY_TRY(layout.checksums, read_checksums(parsed, sections));
  }
  model.file_bytes = layout.total_bytes;
  return layout;
}

}  // namespace ambry::formats::amb
