#include "text/unicode/marks.h"

#include <memory>

#include "base/lazy.h"
#include "text/unicode/letters.h"
#include "text/unicode/tables/mark_tables.h"

namespace ambry::text {

bool is_combining_mark(char32_t c) {
  static constinit Lazy<RunTable> table;
  return table.get([] { return std::make_unique<RunTable>(mark_data::kRuns); }).at(c) != 0;
}

}  // namespace ambry::text
