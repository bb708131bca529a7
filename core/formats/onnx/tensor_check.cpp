#include <string>

#include "base/checked.h"
#include "formats/onnx/check_parts.h"
#include "formats/onnx/external_data.h"
#include "formats/onnx/message_reader.h"
#include "formats/onnx/tensor_extent.h"

namespace ambry::formats::onnx {
namespace {

// How many texts the values have.
uint64_t count_texts(std::string_view values) {
  uint64_t count = 0;
  for (size_t at = 0; at < values.size(); ++count) {
    uint64_t size = 0;
    for (int shift = 0; at < values.size(); shift += 7) {
      const auto byte = static_cast<uint8_t>(values[at++]);
      size |= uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) break;
    }
    at += static_cast<size_t>(size);
  }
  return count;
}

// Whether typed values are `n_numbers`. Those that stay in the file are not read: varints have one
// to ten bytes.
bool has_numbers(const OnnxModel& model, const Tensor& tensor, uint64_t n_numbers) {
  namespace f = tensor_field;
  if (tensor.field == f::kFloats || tensor.field == f::kDoubles) {
    const uint64_t size = tensor.field == f::kFloats ? 4 : 8;
    return checked_mul(n_numbers, size) == tensor.data_bytes;
  }
  if (tensor.place == Tensor::Place::File) {
    return n_numbers <= tensor.data_bytes && tensor.data_bytes / 10 <= n_numbers;
  }
  const std::string_view values =
      std::string_view(model.values)
          .substr(static_cast<size_t>(tensor.data_offset), static_cast<size_t>(tensor.data_bytes));
  return n_numbers == (tensor.field == f::kStrings ? count_texts(values) : count_numbers(values));
}

void check_location(const OnnxModel& model, const Tensor& tensor, const std::string& path,
                    Problems& problems) {
  if (tensor.place != Tensor::Place::External || stays_inside(model.names[tensor.location])) return;
  problems.error(ErrorCode::BadValue, tensor.byte_offset, {path, ".external_data"},
                 {"\"", model.names[tensor.location],
                  "\" leads out of the folder of the model, or is no path on every system"});
}

}  // namespace

void check_tensor(const OnnxModel& model, const Tensor& tensor, const std::string& path,
                  Problems& problems) {
  check_location(model, tensor, path, problems);
  const auto words = [&] { return tensor_words(model, tensor); };
  const auto count = element_count(model, tensor);
  if (!count) {
    problems.error(ErrorCode::BadValue, tensor.byte_offset, {path, ".dims"},
                   {words(), ": an extent is negative, or the elements pass 64 bits"});
    return;
  }
  const bool is_external = tensor.place == Tensor::Place::External;
  if (tensor.field == kRawData && tensor.type == DataType::String) {
    problems.error(ErrorCode::BadValue, tensor.byte_offset, path, "texts cannot be raw data");
    return;
  }
  if (tensor.field == kRawData || is_external) {
    const auto bytes = raw_bytes(tensor.type, *count);
    const bool to_the_end = is_external && tensor.data_bytes == kToTheEnd;
    if (bytes == tensor.data_bytes || (bytes && to_the_end)) return;
    problems.error(ErrorCode::Mismatch, tensor.byte_offset, path,
                   {tensor.data_bytes, " bytes for ", words(), ", expected ",
                    bytes ? concat({*bytes}) : "fewer"});
    return;
  }
  if (tensor.field == 0) {
    if (*count == 0) return;
    problems.error(ErrorCode::Mismatch, tensor.byte_offset, path, {words(), " has no values"});
    return;
  }
  if (tensor.field != typed_field(tensor.type)) {
    problems.error(ErrorCode::BadValue, tensor.byte_offset, path,
                   {words(), " has its values in field ", uint64_t{tensor.field}, ", expected ",
                    uint64_t{typed_field(tensor.type)}});
    return;
  }
  const auto numbers = typed_numbers(tensor.type, *count);
  if (numbers && has_numbers(model, tensor, *numbers)) return;
  problems.error(ErrorCode::Mismatch, tensor.byte_offset, path,
                 {"the values of ", words(), " are not as many as its extents say"});
}

}  // namespace ambry::formats::onnx
