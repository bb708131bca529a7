// ggml's blocks: any bytes decode, floats encode or are refused, and what encodes decodes to finite
// numbers and has finite scales.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tensor/codec/blocks/blocks.h"
#include "tensor/codec/blocks/encode_blocks.h"
#include "tensor/dtype/dtype_table.h"

namespace {

using namespace ambry;          // NOLINT(google-build-using-namespace)
using namespace ambry::tensor;  // NOLINT(google-build-using-namespace)

constexpr auto kOfGgml =
    dtypes_where<[](const DTypeRow& row) { return row.gguf && row.kind == ElementKind::Stored; }>();
constexpr auto kWritten = dtypes_where<[](const DTypeRow& row) { return row.encoded; }>();

void decode_any(DType dtype, Bytes bytes) {
  const Block block = block_of(dtype);
  const size_t n = bytes.size() / block.bytes;
  std::vector<float> values(n * block.elements);
  if (!decode_blocks(dtype, bytes.first(n * block.bytes), values)) std::abort();
  [[maybe_unused]] const auto checked = check_block_scales(dtype, bytes.first(n * block.bytes));
}

// One block, with importance from the floats after it where there are as many.
void encode_any(DType dtype, Bytes bytes) {
  const Block block = block_of(dtype);
  std::vector<float> floats(bytes.size() / sizeof(float));
  if (floats.size() < block.elements) return;
  std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
  const auto values = std::span(floats).first(block.elements);
  std::vector<float> importance;
  if (floats.size() >= size_t{2} * block.elements) {
    for (const float value : std::span(floats).subspan(block.elements, block.elements)) {
      importance.push_back(std::isfinite(value) ? std::abs(value) : 0);
    }
  }
  std::vector<uint8_t> stored(block.bytes);
  if (!encode_blocks(dtype, values, stored, importance)) return;
  std::vector<float> decoded(block.elements);
  if (!decode_blocks(dtype, stored, decoded) || !check_block_scales(dtype, stored)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const Bytes bytes(data + 2, size - 2);
  decode_any(kOfGgml[data[0] % kOfGgml.size()], bytes);
  encode_any(kWritten[data[1] % kWritten.size()], bytes);
  return 0;
}
