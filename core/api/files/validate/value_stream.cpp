#include "api/files/validate/value_stream.h"

#include <utility>

#include "tensor/codec/blocks/blocks.h"

namespace ambry::api {

Result<ValueStream> ValueStream::create(const model::TensorEntry& tensor) {
  const bool foreign = tensor::block_of(tensor.dtype).elements != 0 && !is_plain(tensor.dtype);
  if (foreign && !tensor::can_decode_blocks(tensor.dtype)) {
    return error_at(ErrorCode::Unsupported, tensor.offset, tensor.name,
                    {"values of the type ", tensor::dtype_name(tensor.dtype),
                     " cannot be decoded here, so they were not checked"});
  }
  AMBRY_TRY(tensor::StreamDecoder decoder,
            tensor::StreamDecoder::create(tensor.dtype, tensor.shape, tensor.quantization,
                                          tensor.bytes, tensor.offset));
  return ValueStream(std::move(decoder));
}

}  // namespace ambry::api
