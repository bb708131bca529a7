#include "convert/encoder/dense_weights.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace ambry::convert {
namespace {

using model::DenseConfig;
using model::TensorEntry;

struct WeightsForm {
  std::string_view file;
  std::string_view format;
};
// The first that is there is read, as in sentence-transformers.
constexpr std::array kForms = {WeightsForm{"model.safetensors", "safetensors"},
                               WeightsForm{"pytorch_model.bin", "pytorch"}};

std::string_view format_of(std::string_view file_name) {
  const auto* form = std::ranges::find_if(
      kForms, [&](const WeightsForm& known) { return file_name.ends_with(known.file); });
  return form->format;
}

Result<uint32_t> find_file(const SourceFiles& sources, const std::string& folder) {
  for (const WeightsForm& form : kForms) {
    const auto found =
        std::ranges::find(sources.files(), concat({folder, form.file}), &SourceFiles::File::name);
    if (found != sources.files().end()) {
      return static_cast<uint32_t>(found - sources.files().begin());
    }
  }
  return make_error(ErrorCode::NotFound, {folder, kForms[0].file},
                    {"the weights of this Dense module are missing; add ", folder, kForms[0].file,
                     " or ", folder, kForms[1].file});
}

// Reads the file of one module.
class DenseFile {
 public:
  DenseFile(const SourceFiles& sources, uint32_t number) : sources_(sources), number_(number) {}

  Result<void> add_to(SourceModel& source, size_t layer, const DenseConfig& config);

 private:
  [[nodiscard]] const std::string& name() const { return sources_.files()[number_].name; }
  [[nodiscard]] Failure fail(ErrorCode code, const TensorEntry& tensor, const Text& message) const {
    return error_at(code, tensor.index_offset, {name(), ": ", tensor.name}, message);
  }
  Result<void> add(std::string_view part, const tensor::Shape& shape, size_t layer,
                   SourceModel& source);
  Result<void> check_rest(const DenseConfig& config) const;

  const SourceFiles& sources_;
  uint32_t number_;
  SourceModel read_;
};

Result<void> DenseFile::add_to(SourceModel& source, size_t layer, const DenseConfig& config) {
  auto read = read_file(*sources_.files()[number_].source, format_of(name()));
  if (!read) return in_source_file(read.take_error(), sources_, number_);
  read_ = std::move(*read);
  for (Error& warning : read_.warnings) {
    source.warnings.push_back(in_source_file(Failure(std::move(warning)), sources_, number_));
  }
  AMBRY_RETURN_IF_ERROR(check_rest(config));
  AMBRY_RETURN_IF_ERROR(add("weight", {config.out_features, config.in_features}, layer, source));
  if (!config.bias) return {};
  return add("bias", {config.out_features}, layer, source);
}

Result<void> DenseFile::check_rest(const DenseConfig& config) const {
  for (const TensorEntry& tensor : read_.model.tensors) {
    if (tensor.name == "linear.weight" || (config.bias && tensor.name == "linear.bias")) continue;
    return fail(ErrorCode::Unsupported, tensor,
                tensor.name == "linear.bias" ? "config.json says that the module has no bias"
                                             : "this tensor does not belong to a Dense module");
  }
  return {};
}

Result<void> DenseFile::add(std::string_view part, const tensor::Shape& shape, size_t layer,
                            SourceModel& source) {
  const std::string stored = concat({"linear.", part});
  const TensorEntry* found = find_tensor(read_.model, stored);
  if (found == nullptr) {
    return make_error(ErrorCode::NotFound, {name(), ": ", stored},
                      {"the tensor ", stored, " ", to_string(shape), " is missing"});
  }
  if (found->shape != shape) {
    return fail(
        ErrorCode::Mismatch, *found,
        {"shape is ", to_string(found->shape), ", but config.json says ", to_string(shape)});
  }
  TensorEntry tensor = *found;
  tensor.name = model::dense_tensor_name(layer, part);
  if (const auto strides = read_.strides.find(stored); strides != read_.strides.end()) {
    source.strides.emplace(tensor.name, strides->second);
  }
  source.model.tensors.push_back(std::move(tensor));
  source.files.push_back(number_);
  return {};
}

}  // namespace

Result<std::vector<uint32_t>> find_dense_files(const SourceFiles& sources,
                                               const std::vector<std::string>& folders) {
  std::vector<uint32_t> numbers;
  for (const std::string& folder : folders) {
    AMBRY_TRY(const uint32_t number, find_file(sources, folder));
    numbers.push_back(number);
  }
  return numbers;
}

Result<void> add_dense_weights(const SourceFiles& sources, const std::vector<uint32_t>& numbers,
                               const std::vector<DenseConfig>& modules, SourceModel& source) {
  if (numbers.empty()) return {};
  source.files.resize(source.model.tensors.size());  // the main file, unless there are shards
  for (size_t i = 0; i < numbers.size(); ++i) {
    AMBRY_RETURN_IF_ERROR(DenseFile(sources, numbers[i]).add_to(source, i, modules[i]));
  }
  return {};
}

}  // namespace ambry::convert
