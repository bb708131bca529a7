#include "convert/words/row_access.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tensor/word_norm.h"

namespace ambry::convert {
namespace {

// Decodes a row without its projection and norm. Returns the group whose code is too large, if any.
std::optional<uint32_t> look_up(const Codebook& book, Bytes codes, std::span<float> out) {
  const float* centroids = book.centroids.data();
  float* to = out.data();
  for (uint32_t g = 0; g < book.n_groups; ++g) {
    if (codes[g] >= book.n_centroids) return g;
    const uint32_t width = g + 1 == book.n_groups ? book.last_group : book.group;
    std::copy_n(centroids + size_t{codes[g]} * width, width, to);
    centroids += size_t{book.n_centroids} * width;
    to += width;
  }
  return std::nullopt;
}

void project(const std::vector<float>& projection, std::span<float> row) {
  const std::vector<float> before(row.begin(), row.end());
  for (size_t i = 0; i < row.size(); ++i) {
    row[i] = tensor::word_dot(std::span(projection).subspan(i * row.size(), row.size()), before);
  }
}

}  // namespace

uint64_t RowStore::row_bytes() const {
  return codebook ? codebook->n_groups : dims * sizeof(float);
}

Result<void> RowStore::decode(Bytes stored, uint64_t first, std::span<float> out) const {
  const auto width = static_cast<size_t>(dims);
  const auto n_rows = out.size() / width;
  const auto fail = [&](size_t row, uint64_t at, const char* message) {
    return error_at(ErrorCode::BadValue, offset + first * row_bytes() + at,
                    {"rows[", first + row, "]"}, message);
  };
  if (!codebook) {
    std::memcpy(out.data(), stored.data(), stored.size());
  } else {
    const size_t codes = codebook->n_groups;
    for (size_t row = 0; row < n_rows; ++row) {
      const std::span<float> values = out.subspan(row * width, width);
      if (const auto bad = look_up(*codebook, stored.subspan(row * codes, codes), values)) {
        return fail(row, row * codes + *bad, "the code has no centroid");
      }
      if (!codebook->projection.empty()) project(codebook->projection, values);
      if (codebook->norms.empty()) continue;
      const float norm = codebook->norms[static_cast<size_t>(first) + row];
      for (float& value : values) value *= norm;
    }
  }
  const auto bad = std::ranges::find_if(out, [](float value) { return !std::isfinite(value); });
  if (bad == out.end()) return {};
  const auto position = static_cast<size_t>(bad - out.begin());
  const size_t at = codebook ? position / width * codebook->n_groups : position * sizeof(float);
  return fail(position / width, at, "the value is not finite");
}

}  // namespace ambry::convert
