#include "api/number_stream.h"

#include <algorithm>
#include <utility>

namespace ambry::api {

Result<NumberStream> NumberStream::create(const model::TensorEntry& tensor) {
  if (tensor::can_decode_blocks(tensor.dtype)) {
    return NumberStream(Blocks{tensor.dtype, tensor::block_of(tensor.dtype), {}});
  }
  const bool amb = tensor.dtype >= tensor::DType::Int8 && tensor.dtype <= tensor::DType::Adaptive;
  if (!tensor::is_plain(tensor.dtype) && !amb) {
    return error_at(ErrorCode::Unsupported, tensor.offset, tensor.name,
                    {"numbers of the type ", tensor::dtype_name(tensor.dtype),
                     " are not decoded here, so they were not looked at"});
  }
  AMBRY_TRY(tensor::StreamDecoder decoder,
            tensor::StreamDecoder::create(tensor.dtype, tensor.shape, tensor.quantization,
                                          tensor.bytes, tensor.offset));
  return NumberStream(std::move(decoder));
}

Result<size_t> NumberStream::decode(Bytes& bytes) {
  if (auto* stream = std::get_if<tensor::StreamDecoder>(&decoder_)) {
    return stream->decode(bytes, numbers_);
  }
  return decode_whole_blocks(std::get<Blocks>(decoder_), bytes);
}

Result<size_t> NumberStream::decode_whole_blocks(Blocks& blocks, Bytes& bytes) {
  const size_t block_bytes = blocks.block.bytes;
  if (!blocks.cut.empty() || bytes.size() < block_bytes) {
    const size_t n = std::min(block_bytes - blocks.cut.size(), bytes.size());
    blocks.cut.insert(blocks.cut.end(), bytes.begin(),
                      bytes.begin() + static_cast<std::ptrdiff_t>(n));
    bytes = bytes.subspan(n);
    if (blocks.cut.size() < block_bytes) return size_t{0};
    const std::span<float> out = std::span(numbers_).first(blocks.block.elements);
    AMBRY_CHECK(tensor::decode_blocks(blocks.dtype, blocks.cut, out));
    blocks.cut.clear();
    return out.size();
  }
  const size_t n = std::min(bytes.size() / block_bytes, kRun / blocks.block.elements);
  const std::span<float> out = std::span(numbers_).first(n * blocks.block.elements);
  AMBRY_CHECK(tensor::decode_blocks(blocks.dtype, bytes.first(n * block_bytes), out));
  bytes = bytes.subspan(n * block_bytes);
  return out.size();
}

}  // namespace ambry::api
