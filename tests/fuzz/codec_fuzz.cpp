// Payloads of quantized tensors: any bytes decode to exactly the tensor's elements or to an error,
// the same in one chunk as in many, and what encodes decodes.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tensor/codec/encode.h"
#include "tensor/codec/stream_decoder.h"

namespace {

using namespace ambry;          // NOLINT(google-build-using-namespace)
using namespace ambry::tensor;  // NOLINT(google-build-using-namespace)

constexpr auto kTypes = dtypes_by_number<&DTypeRow::amb>();

std::vector<float> decode(const StreamDecoder& fresh, Bytes payload, size_t step, bool& failed) {
  StreamDecoder decoder = fresh;
  std::vector<float> all;
  std::vector<float> out(step);
  for (size_t at = 0; at < payload.size() && !failed; at += step) {
    Bytes chunk = payload.subspan(at, std::min(step, payload.size() - at));
    size_t got = 1;
    while (!failed && (!chunk.empty() || got > 0)) {
      auto result = decoder.decode(chunk, out);
      failed = !result;
      got = result ? *result : 0;
      all.insert(all.end(), out.begin(), out.begin() + static_cast<std::ptrdiff_t>(got));
    }
  }
  failed = failed || !decoder.finish();
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 8) return 0;
  const DType dtype = kTypes[data[0] % std::size(kTypes)];
  const Shape shape{uint64_t{data[1]} + 1, uint64_t{data[2]} + 1};
  const Quantization how{load_le<uint16_t>(data + 3), data[5] % 2 == 0 ? DType::F16 : DType::F32,
                         static_cast<uint8_t>(data[5] % 4 < 2 ? 4 : 0), data[6] % 2 != 0};
  const Bytes payload(data + 8, size - 8);
  const auto decoder = StreamDecoder::create(dtype, shape, how, payload.size());
  if (!decoder) return 0;
  bool failed = false;
  const std::vector<float> whole = decode(*decoder, payload, payload.size(), failed);
  bool failed_too = false;
  const std::vector<float> parts = decode(*decoder, payload, size_t{data[7]} + 1, failed_too);
  if (failed != failed_too) std::abort();
  if (failed) return 0;
  if (whole.size() != *shape.count() || parts.size() != whole.size()) std::abort();
  if (std::memcmp(whole.data(), parts.data(), whole.size() * sizeof(float)) != 0) std::abort();

  if (is_plain(dtype) || dtype == DType::Adaptive) return 0;
  const auto encoded = encode(dtype, shape, whole, {.block_size = how.block_size});
  if (!encoded) return 0;
  const auto again =
      StreamDecoder::create(dtype, shape, encoded->quantization, encoded->payload.size());
  if (!again || decode(*again, encoded->payload, size, failed).size() != whole.size()) std::abort();
  return failed ? std::abort(), 0 : 0;
}
