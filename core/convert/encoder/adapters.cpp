#include "convert/encoder/adapters.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/concat.h"

namespace ambry::convert {
namespace {

using formats::huggingface::AdapterConfig;
using model::TensorEntry;

constexpr std::string_view kOriginal = ".parametrizations.weight.original";
constexpr std::string_view kA = ".parametrizations.weight.0.lora_A";
constexpr std::string_view kB = ".parametrizations.weight.0.lora_B";

bool is_adapter(const TensorEntry& tensor) {
  return tensor.name.ends_with(kA) || tensor.name.ends_with(kB);
}

// The number of the task, or nothing without one.
Result<std::optional<size_t>> find_task(const AdapterConfig& adapters, const std::string& task) {
  if (task.empty()) return std::optional<size_t>();
  const auto found = std::ranges::find(adapters.tasks, task);
  if (found != adapters.tasks.end()) {
    return std::optional(static_cast<size_t>(found - adapters.tasks.begin()));
  }
  if (adapters.tasks.empty()) {
    return make_error(ErrorCode::NotFound, "options.task", "this model has no adapters for tasks");
  }
  return make_error(
      ErrorCode::NotFound, "options.task",
      {"there is no adapter for \"", task, "\"; there are ", comma_list(adapters.tasks)});
}

// rows += factor * left right, where `left` has the rows of the whole weight.
struct AddProduct {
  float factor;

  void operator()(const RowChange::Values& sides, uint64_t first_row, uint64_t n_cols,
                  std::span<float> rows) const {
    const auto cols = static_cast<size_t>(n_cols);
    const size_t rank = sides[1].size() / cols;
    for (size_t r = 0; r < rows.size() / cols; ++r) {
      const float* left = &sides[0][(static_cast<size_t>(first_row) + r) * rank];
      for (size_t k = 0; k < rank; ++k) {
        const float weight = factor * left[k];
        const float* right = &sides[1][k * cols];
        for (size_t c = 0; c < cols; ++c) rows[r * cols + c] += weight * right[c];
      }
    }
  }
};

// The part of one task of an adapter [tasks, rows, cols].
Result<Input> side(const SourceModel& source, const std::string& name, size_t task,
                   const tensor::Shape& shape) {
  const TensorEntry* found = find_tensor(source.model, name);
  if (found == nullptr) {
    return make_error(ErrorCode::NotFound, name, "the adapter of this weight is missing");
  }
  if (found->shape != shape || !tensor::is_float(found->dtype)) {
    return error_at(ErrorCode::Mismatch, found->index_offset, name,
                    {"shape is ", tensor::to_string(found->shape), ", expected floats of shape ",
                     tensor::to_string(shape)});
  }
  Input input = source.input(*found);
  AMBRY_TRY(input.tensor, row_range(*found, task, 1));
  return input;
}

// Embeddings store their sides the other way round.
Result<RowChange> change_of(const SourceModel& source, const TensorEntry& original,
                            const AdapterConfig& adapters, size_t task) {
  const std::string stem = original.name.substr(0, original.name.size() - kOriginal.size());
  const uint64_t n = adapters.tasks.size();
  const uint64_t rank = adapters.rank;
  if (original.shape.rank() != 2) {
    return error_at(ErrorCode::Mismatch, original.index_offset, original.name, "is no matrix");
  }
  const tensor::Shape left{n, original.shape[0], rank};
  const tensor::Shape right{n, rank, original.shape[1]};
  const bool table = stem.ends_with("_embeddings");
  RowChange change;
  AMBRY_TRY(Input first, side(source, concat({stem, table ? kA : kB}), task, left));
  AMBRY_TRY(Input second, side(source, concat({stem, table ? kB : kA}), task, right));
  change.companions = {std::move(first), std::move(second)};
  change.apply = AddProduct{static_cast<float>(adapters.alpha / static_cast<double>(rank))};
  return change;
}

// Leaves the files of the other tensors as they are.
void remove_adapters(SourceModel& source) {
  remove_tensors(source, is_adapter);
  for (TensorEntry& tensor : source.model.tensors) {
    if (!tensor.name.ends_with(kOriginal)) continue;
    tensor.name.resize(tensor.name.size() - kOriginal.size());
    tensor.name += ".weight";
  }
}

}  // namespace

Result<WeightChanges> take_adapters(const AdapterConfig& adapters, const std::string& task,
                                    SourceModel& source) {
  AMBRY_TRY(const std::optional<size_t> number, find_task(adapters, task));
  WeightChanges changes;
  if (adapters.tasks.empty()) return changes;
  for (const TensorEntry& tensor : source.model.tensors) {
    if (!number || !tensor.name.ends_with(kOriginal)) continue;
    AMBRY_TRY(RowChange change, change_of(source, tensor, adapters, *number));
    const std::string stem = tensor.name.substr(0, tensor.name.size() - kOriginal.size());
    changes.emplace(model::canonical_tensor_name(concat({stem, ".weight"})), std::move(change));
  }
  if (number && changes.empty()) {
    return make_error(ErrorCode::NotFound, "options.task", "the weights have no adapters");
  }
  remove_adapters(source);
  if (!number) {
    source.warnings.push_back(make_error(
        ErrorCode::Unsupported, "config.json.lora_adaptations",
        {"the adapters are left out; the option task merges one: ", comma_list(adapters.tasks)}));
  }
  return changes;
}

}  // namespace ambry::convert
