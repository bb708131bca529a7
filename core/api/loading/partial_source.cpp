#include "api/loading/partial_source.h"

#include <utility>
#include <vector>

#include "io/json/json.h"

namespace ambry::api {

Result<void> join(PartialSource& source, std::string_view ends) {
  AMBRY_TRY(const io::Json list, io::parse_json(ends, 0, "ends"));
  std::vector<uint64_t> numbers;
  if (list.is_array()) {
    for (const io::Json& end : list.items()) numbers.push_back(end.is_uint() ? end.uint() : 0);
  }
  return source.set_part_ends(std::move(numbers));
}

}  // namespace ambry::api
