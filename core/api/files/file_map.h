// A map of all bytes of a file: the parser's regions, the tensors, and the gaps between them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "io/json/json.h"
#include "model/file/model.h"

namespace ambry::api {

enum class RegionKind : uint8_t { Section, Tensor, Padding, Unclaimed };

struct MapRegion {
  RegionKind kind;
  std::string_view name;  // borrowed from the model; empty for gaps
  uint64_t offset;
  uint64_t bytes;
};

// Ordered by offset, without empty parts. A gap shorter than 64 bytes, the largest alignment of any
// format, is padding.
[[nodiscard]] std::vector<MapRegion> file_map(const model::Model& model);

// [{kind, name, offset, bytes}, …]
[[nodiscard]] io::Json map_document(const std::vector<MapRegion>& map);

}  // namespace ambry::api
