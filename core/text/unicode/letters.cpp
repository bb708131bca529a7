#include "text/unicode/letters.h"

#include <algorithm>
#include <cassert>
#include <memory>

#include "base/lazy.h"
#include "text/unicode/tables/table_reader.h"

namespace ambry::text {

const Letters& Letters::instance() {
  static constinit Lazy<Letters> table;
  return table.get([] { return std::unique_ptr<Letters>(new Letters()); });
}

const Categories& Categories::instance() {
  static constinit Lazy<Categories> table;
  return table.get([] { return std::unique_ptr<Categories>(new Categories()); });
}

RunTable::RunTable(const uint8_t* runs) {
  constexpr char32_t kCodePointLimit = 0x110000;
  uint32_t left = 0;
  uint8_t value = 0;
  for (char32_t begin = 0; begin < kCodePointLimit; begin += kPageSize) {
    Page page;
    for (uint8_t& entry : page) {
      if (left == 0) {
        const uint32_t run = read_varint(runs);
        left = run / 8;
        value = run % 8;
      }
      --left;
      entry = value;
    }
    // Searches from the back, because most pages equal the one before.
    const auto known = std::find(pages_.rbegin(), pages_.rend(), page);
    const auto index = pages_.rend() - known - 1;
    page_of_.push_back(
        static_cast<uint8_t>(index < 0 ? static_cast<std::ptrdiff_t>(pages_.size()) : index));
    if (index < 0) pages_.push_back(page);
  }
  assert(pages_.size() <= 256);
}

}  // namespace ambry::text
