#include "tensor/codec/encode.h"

#include "tensor/codec/stream_encoder.h"

namespace ambry::tensor {

Result<Encoded> encode(DType dtype, const Shape& shape, std::span<const float> values,
                       const EncodeOptions& options) {
  AMBRY_TRY(StreamEncoder encoder,
            StreamEncoder::create(dtype, shape, options.block_size, options.scale_type));
  AMBRY_RETURN_IF_ERROR(encoder.measure(values));
  AMBRY_RETURN_IF_ERROR(encoder.settle(options.precisions));
  Encoded encoded;
  encoded.quantization = encoder.quantization();
  encoded.payload.reserve(static_cast<size_t>(encoder.total_bytes()));
  encoded.payload.assign(encoder.head().begin(), encoder.head().end());
  AMBRY_TRY(const Bytes codes, encoder.encode(values));
  encoded.payload.insert(encoded.payload.end(), codes.begin(), codes.end());
  return encoded;
}

}  // namespace ambry::tensor
