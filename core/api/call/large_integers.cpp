#include "api/call/large_integers.h"

#include <string>
#include <utility>
#include <vector>

namespace ambry::api {

using io::Json;

namespace {

constexpr uint64_t kMostExact = (uint64_t{1} << 53) - 1;

bool is_large(const Json& value) {
  if (value.is_uint()) return value.uint() > kMostExact;
  return value.kind() == Json::Kind::Int && value.integer() < -static_cast<int64_t>(kMostExact);
}

// Json has at most 64 levels, so the recursion ends early.
void collect(const Json& value, std::vector<Json>& path, Json& found) {
  if (value.is_array()) {
    for (const Json& item : value.items()) {
      const auto index = static_cast<uint64_t>(&item - value.items().data());
      path.emplace_back(index);
      collect(item, path, found);
      path.pop_back();
    }
  } else if (value.is_object()) {
    for (const auto& [key, member] : value.members()) {
      path.emplace_back(key);
      collect(member, path, found);
      path.pop_back();
    }
  } else if (is_large(value)) {
    Json place = Json::array();
    for (const Json& step : path) place.append(step);
    Json row = Json::array();
    row.append(std::move(place));
    row.append(value.dump());
    found.append(std::move(row));
  }
}

}  // namespace

Json large_integers(const Json& value) {
  Json found = Json::array();
  std::vector<Json> path;
  collect(value, path, found);
  return found;
}

}  // namespace ambry::api
