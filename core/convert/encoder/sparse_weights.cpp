#include "convert/encoder/sparse_weights.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "formats/huggingface/config/heads/sparse_head_settings.h"
#include "model/encoder/token_head.h"
#include "model/file/new_tensor.h"

namespace ambry::convert {
namespace {

using formats::huggingface::Directory;
using formats::huggingface::kOwnWordsFile;
using formats::huggingface::kTokenVectorsFile;
using model::TensorEntry;
using tensor::Shape;

constexpr std::string_view kQueryFile = "model.safetensors";

std::optional<uint32_t> number_of(const SourceFiles& sources, std::string_view name) {
  const auto found = std::ranges::find(sources.files(), name, &SourceFiles::File::name);
  if (found == sources.files().end()) return std::nullopt;
  return static_cast<uint32_t>(found - sources.files().begin());
}

// A tensor of such a file, the name that it gets, and its shape. Without a shape it is a list.
struct Wanted {
  std::string_view stored;
  std::string name;
  std::optional<Shape> shape;
};

// Reads one file, which has the wanted tensors and no others.
class SideWeights {
 public:
  SideWeights(const SourceFiles& sources, uint32_t number) : sources_(sources), number_(number) {}

  Result<void> add_to(SourceModel& source, std::string_view format,
                      std::span<const Wanted> wanted) {
    auto read = read_file(*sources_.files()[number_].source, format);
    if (!read) return in_source_file(read.take_error(), sources_, number_);
    read_ = std::move(*read);
    for (const TensorEntry& tensor : read_.model.tensors) {
      if (std::ranges::find(wanted, tensor.name, &Wanted::stored) != wanted.end()) continue;
      return fail(ErrorCode::Unsupported, tensor, "this tensor does not belong to the file");
    }
    for (const Wanted& each : wanted) AMBRY_RETURN_IF_ERROR(add(each, source));
    return {};
  }

 private:
  [[nodiscard]] const std::string& name() const { return sources_.files()[number_].name; }
  [[nodiscard]] Failure fail(ErrorCode code, const TensorEntry& tensor, const Text& message) const {
    return error_at(code, tensor.index_offset, {name(), ": ", tensor.name}, message);
  }

  Result<void> add(const Wanted& wanted, SourceModel& source) {
    const TensorEntry* found = find_tensor(read_.model, wanted.stored);
    if (found == nullptr) {
      return make_error(ErrorCode::NotFound, {name(), ": ", wanted.stored},
                        {"the tensor ", wanted.stored, " is missing"});
    }
    if (wanted.shape ? found->shape != *wanted.shape : found->shape.rank() != 1) {
      return fail(ErrorCode::Mismatch, *found,
                  {"shape is ", to_string(found->shape), ", expected ",
                   wanted.shape ? to_string(*wanted.shape) : "a list"});
    }
    TensorEntry tensor = *found;
    tensor.name = wanted.name;
    if (const auto strides = read_.strides.find(wanted.stored); strides != read_.strides.end()) {
      source.strides.emplace(tensor.name, strides->second);
    }
    source.model.tensors.push_back(std::move(tensor));
    source.files.push_back(number_);
    return {};
  }

  const SourceFiles& sources_;
  uint32_t number_;
  SourceModel read_;
};

}  // namespace

bool has_file(const SourceFiles& sources, std::string_view name) {
  return number_of(sources, name).has_value();
}

Result<SparseFiles> find_sparse_files(const SourceFiles& sources, const Directory& directory) {
  SparseFiles files;
  const model::HeadConfig* head = directory.config.token_head();
  if (head != nullptr && head->sparse.own_words)
    files.own_words = number_of(sources, kOwnWordsFile);
  if (directory.config.gives_all()) files.token_vectors = number_of(sources, kTokenVectorsFile);
  if (!directory.queries.folder) return files;
  const std::string name = concat({*directory.queries.folder, kQueryFile});
  files.queries = number_of(sources, name);
  if (files.queries) return files;
  return make_error(ErrorCode::NotFound, name, {"the weights of queries are missing; add ", name});
}

Result<void> add_sparse_weights(const SourceFiles& sources, const SparseFiles& files,
                                const Directory& directory, SourceModel& source) {
  const std::vector<float>& given = directory.queries.given;
  if (!files.own_words && !files.queries && given.empty()) return {};
  source.files.resize(source.model.tensors.size());  // the main file, unless there are shards
  if (files.own_words) {
    constexpr std::string_view kClassifier = model::kTokenHeadLayout.classifier;
    const std::array wanted = {
        Wanted{"weight", concat({kClassifier, ".weight"}), Shape{1, directory.config.hidden_size}},
        Wanted{"bias", concat({kClassifier, ".bias"}), Shape{1}}};
    AMBRY_RETURN_IF_ERROR(SideWeights(sources, *files.own_words).add_to(source, "pytorch", wanted));
  }
  if (files.token_vectors) {
    const uint64_t width = directory.config.hidden_size;
    const std::array wanted = {
        Wanted{"weight", model::dense_tensor_name(0, "weight"), Shape{width, width}},
        Wanted{"bias", model::dense_tensor_name(0, "bias"), Shape{width}}};
    AMBRY_RETURN_IF_ERROR(
        SideWeights(sources, *files.token_vectors).add_to(source, "pytorch", wanted));
  }
  if (files.queries) {
    const std::array wanted = {Wanted{"weight", std::string(model::kQueryWeights), std::nullopt}};
    return SideWeights(sources, *files.queries).add_to(source, "safetensors", wanted);
  }
  if (given.empty()) return {};
  source.model.tensors.push_back(
      model::new_tensor(model::kQueryWeights, tensor::DType::F32, {given.size()}));
  source.files.push_back(0);
  source.given.emplace(model::kQueryWeights, given);
  return {};
}

}  // namespace ambry::convert
