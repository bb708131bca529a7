// Every byte of a file, by what it belongs to: the parser's regions, the tensors, and what lies
// between them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "io/json/json.h"
#include "model/model.h"

namespace ambry::api {

enum class RegionKind : uint8_t { Section, Tensor, Padding, Unclaimed };

struct MapRegion {
  RegionKind kind;
  std::string_view name;  // of the model's; empty for what is neither section nor tensor
  uint64_t offset;
  uint64_t bytes;
};

// By offset, empty parts left out. Gaps shorter than 64 bytes, the largest alignment of any format,
// are padding.
[[nodiscard]] std::vector<MapRegion> file_map(const model::Model& model);

// [{kind, name, offset, bytes}, …]
[[nodiscard]] io::Json map_document(const std::vector<MapRegion>& map);

}  // namespace ambry::api
