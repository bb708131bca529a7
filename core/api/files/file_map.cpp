#include "api/files/file_map.h"

#include <algorithm>
#include <array>

#include "base/order.h"

namespace ambry::api {
namespace {

constexpr uint64_t kLargestAlignment = 64;

void add_gap(std::vector<MapRegion>& map, uint64_t from, uint64_t to) {
  if (from >= to) return;
  const bool padding = to - from < kLargestAlignment;
  map.push_back({padding ? RegionKind::Padding : RegionKind::Unclaimed, {}, from, to - from});
}

}  // namespace

std::vector<MapRegion> file_map(const model::Model& model) {
  std::vector<MapRegion> claimed;
  claimed.reserve(model.regions.size() + model.tensors.size());
  for (const model::Region& region : model.regions) {
    if (region.bytes == 0) continue;
    claimed.push_back({RegionKind::Section, region.name, region.offset, region.bytes});
  }
  for (const model::TensorEntry& tensor : model.tensors) {
    if (tensor.bytes == 0) continue;
    claimed.push_back({RegionKind::Tensor, tensor.name, tensor.offset, tensor.bytes});
  }
  const auto order = sorted_order(claimed.size(), [&](uint32_t a, uint32_t b) {
    return claimed[a].offset < claimed[b].offset;
  });
  std::vector<MapRegion> map;
  uint64_t end = 0;
  for (const uint32_t i : order) {
    add_gap(map, end, claimed[i].offset);
    map.push_back(claimed[i]);
    end = std::max(end, claimed[i].offset + claimed[i].bytes);
  }
  add_gap(map, end, model.file_bytes);
  return map;
}

io::Json map_document(const std::vector<MapRegion>& map) {
  static constexpr std::array<const char*, 4> kKinds = {"section", "tensor", "padding",
                                                        "unclaimed"};
  io::Json document = io::Json::array();
  for (const MapRegion& region : map) {
    io::Json& row = document.append(io::Json::object());
    row.set("kind", kKinds[static_cast<size_t>(region.kind)]);
    row.set("name", region.name);
    row.set("offset", region.offset);
    row.set("bytes", region.bytes);
  }
  return document;
}

}  // namespace ambry::api
