#include "api/words/file_ranges.h"

#include <utility>

#include "io/json/json.h"

namespace ambry::api {

std::string ranges_text(const std::vector<infer::FileRange>& ranges) {
  io::Json list = io::Json::array();
  for (const auto& [offset, size] : ranges) {
    io::Json range = io::Json::array();
    range.append(offset);
    range.append(size);
    list.append(std::move(range));
  }
  return list.dump();
}

}  // namespace ambry::api
