// What a pickle states about a storage, whose elements are elsewhere in the file.
#pragma once

#include <optional>
#include <string_view>

#include "formats/pytorch/pickle.h"
#include "tensor/dtype/dtype.h"

namespace ambry::formats::pytorch {

struct StorageFacts {
  tensor::DType dtype = tensor::DType::U8;
  std::string_view key;
  NodeId count = 0;  // number of elements; may not be an integer
};

// ("storage", type, key, device, count), and before PyTorch 1.6 a view, which is None since 0.4.
// Returns nothing for any other value.
[[nodiscard]] std::optional<StorageFacts> storage_facts(const Pickle& pickle, const Node& storage);

}  // namespace ambry::formats::pytorch
