// What a search finds.
#pragma once

#include <cstdint>

namespace ambry::search {

struct Hit {
  uint32_t row = 0;  // of a MultiVectorIndex: the document
  // The dot product with the query; for unit vectors the cosine similarity. Of a MultiVectorIndex:
  // MaxSim.
  float score = 0;
  // The score plus the row's bias. Rows are ordered by it.
  float rank = 0;

  friend bool operator==(const Hit&, const Hit&) = default;
};

}  // namespace ambry::search
