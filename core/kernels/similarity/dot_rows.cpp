#include "kernels/similarity/dot_rows.h"

#include "simd/isa.h"

namespace ambry::kernels {

void dot_rows(const float* rows, std::span<const float> query, std::span<float> scores) {
  dot_rows<simd::Best>(rows, query, scores);
}

}  // namespace ambry::kernels
