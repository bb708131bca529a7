#include "convert/encoder/expert_weights.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace ambry::convert {
namespace {

using model::TensorEntry;

struct ExpertMatrix {
  std::string_view ending;
  std::string_view part;  // the ending of the tensor of one expert
  bool transposed;        // stored as [in, out]
};
constexpr std::array kMatrices = {ExpertMatrix{".experts.mlp.w1", ".fc1.weight", false},
                                  ExpertMatrix{".experts.mlp.w2", ".fc2.weight", true},
                                  ExpertMatrix{".experts.fc1.weight", ".fc1.weight", false},
                                  ExpertMatrix{".experts.fc2.weight", ".fc2.weight", false}};

const ExpertMatrix* matrix_of(const TensorEntry& tensor) {
  const auto fits = [&](const ExpertMatrix& known) { return tensor.name.ends_with(known.ending); };
  const auto* found = std::ranges::find_if(kMatrices, fits);
  return found == kMatrices.end() ? nullptr : found;
}

// The rows of one of `n` experts as a matrix.
Result<TensorEntry> rows_of(const TensorEntry& whole, uint64_t n, uint64_t expert) {
  const uint64_t rows = whole.shape[0] / n;
  AMBRY_TRY(TensorEntry part, row_range(whole, expert * rows, rows));
  if (part.shape.rank() == 3) part.shape = {part.shape[1], part.shape[2]};
  return part;
}

Result<void> split(const TensorEntry& whole, uint32_t file, const ExpertMatrix& matrix,
                   uint32_t experts, SourceModel& source) {
  const size_t rank = whole.shape.rank();
  const uint64_t n = rank == 3 ? whole.shape[0] : experts;
  if (rank < 2 || rank > 3 || n == 0 || n != experts || whole.shape[0] % n != 0) {
    return error_at(ErrorCode::Mismatch, whole.index_offset, whole.name,
                    {"shape is ", tensor::to_string(whole.shape), ", but the config states ",
                     experts, " experts"});
  }
  if (source.strides.contains(whole.name)) {
    return error_at(ErrorCode::Unsupported, whole.index_offset, whole.name,
                    "its elements are not stored row after row");
  }
  const std::string_view stem =
      std::string_view(whole.name).substr(0, whole.name.rfind(".experts.") + 9);
  for (uint64_t i = 0; i < n; ++i) {
    AMBRY_TRY(TensorEntry part, rows_of(whole, n, i));
    part.name = concat({stem, i, matrix.part});
    if (matrix.transposed) {
      const uint64_t columns = part.shape[1];
      part.shape = {columns, part.shape[0]};
      source.strides.emplace(part.name, std::vector<uint64_t>{1, columns});
    }
    source.model.tensors.push_back(std::move(part));
    if (!source.files.empty()) source.files.push_back(file);
  }
  return {};
}

}  // namespace

Result<void> split_experts(uint32_t experts, SourceModel& source) {
  if (experts == 0) return {};
  const size_t n_tensors = source.model.tensors.size();
  for (size_t i = 0; i < n_tensors; ++i) {
    const TensorEntry whole = source.model.tensors[i];
    const ExpertMatrix* matrix = matrix_of(whole);
    if (matrix == nullptr) continue;
    const uint32_t file = source.files.empty() ? 0 : source.files[i];
    AMBRY_RETURN_IF_ERROR(split(whole, file, *matrix, experts, source));
  }
  remove_tensors(source, [](const TensorEntry& tensor) { return matrix_of(tensor) != nullptr; });
  return {};
}

}  // namespace ambry::convert
