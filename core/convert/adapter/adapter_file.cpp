#include "convert/adapter/adapter_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "convert/adapter/peft_config.h"
#include "convert/plan/source_model.h"
#include "formats/registry.h"
#include "model/metadata/metadata_value.h"

namespace ambry::convert {
namespace {

using model::TensorEntry;

// How the name of a matrix ends.
struct SideName {
  std::string_view ending;
  bool is_left;
  bool is_table;
};
constexpr auto kPeftSides = std::to_array<SideName>({{".lora_A.weight", false, false},
                                                     {".lora_B.weight", true, false},
                                                     {".lora_A.default.weight", false, false},
                                                     {".lora_B.default.weight", true, false},
                                                     {".lora_embedding_A", true, true},
                                                     {".lora_embedding_B", false, true},
                                                     {".lora_embedding_A.default", true, true},
                                                     {".lora_embedding_B.default", false, true}});
constexpr auto kGgufSides =
    std::to_array<SideName>({{".lora_a", false, false}, {".lora_b", true, false}});
constexpr std::string_view kGgufTable = "token_embd.weight";

// What stands around the name of a tensor that was trained as a whole.
constexpr auto kWrappers =
    std::to_array<std::string_view>({"modules_to_save.default.", "base_layer."});

// What else PEFT calls matrices of an adapter.
constexpr auto kOtherSides = std::to_array<std::string_view>(
    {".lora_magnitude_vector", ".lora_A.", ".lora_B.", ".lora_", ".token_adapter."});

std::string without_start(std::string_view name, std::string_view start) {
  if (name.starts_with(start)) name.remove_prefix(start.size());
  return std::string(name);
}

class AdapterReader {
 public:
  AdapterReader(const SourceFiles& sources, uint32_t file, double weight)
      : sources_(sources), file_(file), weight_(weight) {}

  Result<Adapter> of_peft(const std::string& folder);
  Result<Adapter> of_gguf();

 private:
  // The two matrices of one weight.
  struct Sides {
    const TensorEntry* left = nullptr;
    const TensorEntry* right = nullptr;
    bool is_table = false;
  };

  Result<void> read(std::string_view format);
  Result<void> add_whole(const TensorEntry& tensor);
  bool add_side(const TensorEntry& tensor, std::span<const SideName> names, bool is_gguf);
  Result<void> pair(const PeftConfig* config, double alpha);
  Result<void> check_ranks(const LowRank& product, const PeftConfig* config) const;
  [[nodiscard]] Failure fail(const TensorEntry& tensor, ErrorCode code, const Text& why) const {
    return in_source_file(error_at(code, tensor.index_offset, tensor.name, why), sources_, file_);
  }

  const SourceFiles& sources_;
  uint32_t file_;
  double weight_;
  SourceModel read_;
  std::map<std::string, Sides, std::less<>> sides_;  // by the weight's name
  Adapter adapter_;
};

Result<void> AdapterReader::read(std::string_view format) {
  auto read = read_file(*sources_.files()[file_].source, format);
  if (!read) return in_source_file(read.take_error(), sources_, file_);
  read_ = std::move(*read);
  return {};
}

bool AdapterReader::add_side(const TensorEntry& tensor, std::span<const SideName> names,
                             bool is_gguf) {
  const auto found = std::ranges::find_if(
      names, [&](const SideName& side) { return tensor.name.ends_with(side.ending); });
  if (found == names.end()) return false;
  std::string weight = tensor.name.substr(0, tensor.name.size() - found->ending.size());
  const bool is_table = found->is_table || (is_gguf && weight == kGgufTable);
  if (!is_gguf) weight = without_start(weight, "base_model.model.") + ".weight";
  Sides& sides = sides_[weight];
  // llama.cpp multiplies a row of the first matrix of an embedding by the second one.
  const bool is_left = is_gguf && is_table ? !found->is_left : found->is_left;
  (is_left ? sides.left : sides.right) = &tensor;
  sides.is_table = is_table;
  return true;
}

// Tensors that are trained as a whole have the names of the base, with the name of their wrapper in
// files of older versions.
Result<void> AdapterReader::add_whole(const TensorEntry& tensor) {
  for (const std::string_view other : kOtherSides) {
    if (tensor.name.find(other) == std::string::npos) continue;
    return fail(tensor, ErrorCode::Unsupported, "this is no matrix of a plain LoRA");
  }
  if (!is_float(tensor.dtype)) {
    return fail(tensor, ErrorCode::Unsupported,
                {dtype_name(tensor.dtype), " in an adapter; floats are supported"});
  }
  if (weight_ != 1) {
    return fail(tensor, ErrorCode::Unsupported,
                "this tensor replaces that of the base, so the adapter has no weight but 1");
  }
  std::string name = without_start(tensor.name, "base_model.model.");
  for (const std::string_view wrapper : kWrappers) {
    if (const size_t at = name.find(wrapper); at != std::string::npos) {
      name.erase(at, wrapper.size());
    }
  }
  adapter_.replaced.push_back({std::move(name), read_.input(tensor)});
  adapter_.replaced.back().tensor.file = file_;
  return {};
}

Result<void> AdapterReader::check_ranks(const LowRank& product, const PeftConfig* config) const {
  const TensorEntry& left = product.left.tensor;
  const TensorEntry& right = product.right.tensor;
  for (const TensorEntry* side : {&left, &right}) {
    if (side->shape.rank() != 2 || side->shape[0] == 0 || side->shape[1] == 0) {
      return fail(*side, ErrorCode::Mismatch,
                  {"shape is ", to_string(side->shape), ", expected a matrix"});
    }
    if (!is_float(side->dtype)) {
      return fail(*side, ErrorCode::Unsupported,
                  {dtype_name(side->dtype), " in an adapter; floats are supported"});
    }
  }
  const bool is_peft_table = product.is_table && config != nullptr;
  const uint64_t rank = is_peft_table ? left.shape[0] : left.shape[1];
  if (product.rank() != rank) {
    return fail(right, ErrorCode::Mismatch,
                {"shape is ", to_string(right.shape), ", which does not fit ", left.name, " ",
                 to_string(left.shape)});
  }
  if (config == nullptr) return {};
  const double stated = config->rank_of(product.weight.substr(0, product.weight.size() - 7));
  if (stated == static_cast<double>(rank)) return {};
  return fail(
      right, ErrorCode::Mismatch,
      {"the rank is ", rank, ", but adapter_config.json says ", static_cast<uint64_t>(stated)});
}

Result<void> AdapterReader::pair(const PeftConfig* config, double alpha) {
  for (const auto& [weight, sides] : sides_) {
    if (sides.left == nullptr || sides.right == nullptr) {
      const TensorEntry& there = sides.left == nullptr ? *sides.right : *sides.left;
      return fail(there, ErrorCode::NotFound, "the other matrix of this weight is missing");
    }
    LowRank product{weight, read_.input(*sides.left), read_.input(*sides.right), weight_,
                    sides.is_table};
    product.left.file = file_;
    product.right.file = file_;
    AMBRY_RETURN_IF_ERROR(check_ranks(product, config));
    if (config != nullptr) {
      product.scale *= config->scale_of(std::string_view(weight).substr(0, weight.size() - 7));
    } else if (alpha != 0) {
      product.scale *= alpha / static_cast<double>(product.rank());
    }
    adapter_.products.push_back(std::move(product));
  }
  return {};
}

Result<Adapter> AdapterReader::of_peft(const std::string& folder) {
  AMBRY_TRY(const PeftConfig config,
            read_peft_config(sources_.side(), folder + "adapter_config.json"));
  AMBRY_RETURN_IF_ERROR(read("safetensors"));
  adapter_.fan_in_fan_out = config.fan_in_fan_out;
  for (const TensorEntry& tensor : read_.model.tensors) {
    if (!add_side(tensor, kPeftSides, false)) AMBRY_RETURN_IF_ERROR(add_whole(tensor));
  }
  AMBRY_RETURN_IF_ERROR(pair(&config, 0));
  return std::move(adapter_);
}

Result<Adapter> AdapterReader::of_gguf() {
  AMBRY_RETURN_IF_ERROR(read("gguf"));
  const io::Json& metadata = read_.model.metadata;
  for (const auto& [key, expected] :
       {std::pair("general.type", "adapter"), std::pair("adapter.type", "lora")}) {
    const auto stated = model::metadata_text(metadata, key);
    if (stated == expected) continue;
    return in_source_file(
        model::metadata_error(metadata, key, stated ? ErrorCode::Unsupported : ErrorCode::NotFound,
                              {"expected \"", expected, "\"",
                               stated ? concat({", and not \"", *stated, "\""}) : std::string()}),
        sources_, file_);
  }
  adapter_.is_gguf = true;
  adapter_.architecture = model::metadata_text(metadata, "general.architecture").value_or("");
  constexpr const char* kInvocation = "adapter.alora.invocation_tokens";
  if (model::has_value(metadata, kInvocation)) {
    return in_source_file(
        model::metadata_error(metadata, kInvocation, ErrorCode::Unsupported,
                              "an activated LoRA works from certain tokens on, so it cannot be "
                              "merged"),
        sources_, file_);
  }
  const io::Json* alpha = metadata.find("adapter.lora.alpha");
  if (alpha != nullptr && (!alpha->is_number() || !std::isfinite(alpha->number()))) {
    return in_source_file(model::metadata_error(metadata, "adapter.lora.alpha", ErrorCode::BadValue,
                                                "expected a number"),
                          sources_, file_);
  }
  for (const TensorEntry& tensor : read_.model.tensors) {
    if (add_side(tensor, kGgufSides, true)) continue;
    return fail(tensor, ErrorCode::Unsupported, "this is no matrix of a LoRA");
  }
  AMBRY_RETURN_IF_ERROR(pair(nullptr, alpha == nullptr ? 0 : alpha->number()));
  return std::move(adapter_);
}

}  // namespace

uint64_t LowRank::rank() const { return is_table ? right.tensor.shape[1] : right.tensor.shape[0]; }

std::string adapter_folder(size_t number) { return concat({"adapter[", number, "]/"}); }

Result<uint32_t> find_adapter(const SourceFiles& sources, size_t number) {
  const std::string folder = adapter_folder(number);
  const auto& files = sources.files();
  const auto found = std::ranges::find_if(
      files, [&](const SourceFiles::File& file) { return file.name.starts_with(folder); });
  if (found != files.end()) return static_cast<uint32_t>(found - files.begin());
  return make_error(ErrorCode::NotFound, concat({"options.adapter[", number, "]"}),
                    "the weights of the adapter are missing");
}

Result<Adapter> read_adapter(const SourceFiles& sources, size_t number, double weight) {
  AMBRY_TRY(const uint32_t file, find_adapter(sources, number));
  auto format = formats::recognise(*sources.files()[file].source);
  if (!format) return in_source_file(format.take_error(), sources, file);
  const std::string_view id = (*format)->facts.id;
  AdapterReader reader(sources, file, weight);
  if (id == "safetensors") return reader.of_peft(adapter_folder(number));
  if (id == "gguf") return reader.of_gguf();
  return in_source_file(make_error(ErrorCode::Unsupported, "format",
                                   {"an adapter is a safetensors or GGUF file, and this is ", id}),
                        sources, file);
}

}  // namespace ambry::convert
