#include "api/loading/tensor_receiver.h"

#include <utility>

#include "io/json/json.h"

namespace ambry::api {

Result<MutableBytes> TensorReceiver::window(uint64_t tensor) {
  const auto& tensors = described().tensors;
  if (tensor >= tensors.size()) {
    return make_error(ErrorCode::NotFound, "tensor", {"there is no tensor ", tensor});
  }
  tensor_ = static_cast<size_t>(tensor);
  bytes_ = AlignedBuffer();  // first, so that both never exist at once
  AMBRY_TRY(bytes_, AlignedBuffer::allocate(tensors[tensor_].bytes));
  return bytes_.bytes();
}

Result<void> TensorReceiver::put() {
  const size_t tensor = std::exchange(tensor_, kNone);
  if (tensor == kNone)
    return make_error(ErrorCode::BadValue, "tensor", "no window was opened for a tensor");
  return receive(tensor, std::move(bytes_));
}

std::string tensor_ranges_text(const model::Model& model, const std::vector<size_t>& tensors) {
  io::Json places = io::Json::array();
  for (const size_t tensor : tensors) {
    io::Json& place = places.append(io::Json::array());
    place.append(uint64_t{tensor});
    place.append(model.tensors[tensor].offset);
    place.append(model.tensors[tensor].bytes);
  }
  return places.dump();
}

}  // namespace ambry::api
