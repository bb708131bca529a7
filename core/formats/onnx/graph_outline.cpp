#include "formats/onnx/graph_outline.h"

#include "formats/onnx/onnx_layout.h"
#include "formats/onnx/onnx_parse.h"
#include "formats/onnx/wire_cursor.h"

namespace ambry::formats::onnx {
namespace {

// Values up to this size are loaded: 4096 scales of a quantized matrix in f32.
constexpr uint64_t kShortBytes = 16'384;

// What is nested in a message of this field and has to be walked over, down to tensors.
constexpr uint32_t nested_field(uint32_t depth) {
  return depth == 0 ? model_field::kGraph : graph_field::kInitializer;
}
constexpr uint32_t kTensorDepth = 2;

Result<void> walk(WireCursor& cursor, uint64_t at, uint64_t end, uint32_t depth) {
  WireField field;
  while (at < end) {
    AMBRY_RETURN_IF_ERROR(cursor.next(at, end, field));
    if (field.wire != WireField::Wire::Bytes) continue;
    if (depth < kTensorDepth && field.number == nested_field(depth)) {
      AMBRY_RETURN_IF_ERROR(walk(cursor, field.begin, field.end, depth + 1));
    } else if (field.size() <= kShortBytes) {
      AMBRY_RETURN_IF_ERROR(cursor.content(field, ""));
    }
  }
  return {};
}

}  // namespace

// Modules without ONNX have another definition (api/files/onnx/without_onnx.h).
[[gnu::weak]] Result<void> load_outline(const io::Source& source) {
  const auto is_onnx = probe(source);
  if (!is_onnx || !*is_onnx) return {};
  WireCursor cursor(source);
  auto walked = walk(cursor, 0, source.size(), 0);
  if (!walked && walked.error().code == ErrorCode::NeedBytes) return walked;
  // The parser may ask for a little more than the walk does.
  auto model = read_model(source);
  if (!model && model.error().code == ErrorCode::NeedBytes) return model.take_error();
  return {};
}

}  // namespace ambry::formats::onnx
