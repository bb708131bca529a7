#include "formats/onnx/onnx_layout.h"
#include "formats/onnx/onnx_parse.h"
#include "io/protobuf/protobuf_reader.h"

namespace ambry::formats::onnx {

// A ModelProto begins with the version of the format (field 1), by which all writers begin. Then
// comes one of its other fields.
Result<bool> probe(const io::Source& source) {
  constexpr uint64_t kLeast = 4;
  constexpr uint8_t kMaxIrVersion = 64;
  if (source.size() < kLeast) return false;
  AMBRY_TRY(const Bytes head, source.view(0, kLeast, "model"));
  const uint8_t next = head[2];
  const auto is_bytes = [&](uint32_t field) {
    return next == (field << 3U | static_cast<uint32_t>(io::ProtobufField::Wire::Bytes));
  };
  return head[0] == (model_field::kIrVersion << 3U) && head[1] > 0 && head[1] <= kMaxIrVersion &&
         (is_bytes(model_field::kProducer) || is_bytes(model_field::kProducerVersion) ||
          is_bytes(model_field::kDomain) || is_bytes(6) || is_bytes(model_field::kGraph) ||
          is_bytes(model_field::kOpset) || next == model_field::kModelVersion << 3U);
}

}  // namespace ambry::formats::onnx
