#include "convert/adapter/merge_adapters.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convert/adapter/adapter_file.h"
#include "convert/adapter/add_products.h"
#include "convert/adapter/base_weights.h"
#include "convert/adapter/overlap.h"
#include "convert/tensor/target_dtype.h"
#include "formats/registry.h"
#include "tensor/codec/blocks/blocks.h"
#include "tensor/codec/blocks/encode_blocks.h"

namespace ambry::convert {
namespace {

using model::TensorEntry;
using tensor::DType;

constexpr auto kEmbeddings = std::to_array<std::string_view>(
    {"embed_tokens.weight", "wte.weight", "embed_in.weight", "token_embd.weight"});
constexpr auto kOutputs =
    std::to_array<std::string_view>({"lm_head.weight", "embed_out.weight", "output.weight"});

bool is_any(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, base_weight_key(name)) != names.end();
}

// What the products add to one output.
struct Additions {
  std::vector<Product> products;
  std::vector<Input> sides;
};

class Merger {
 public:
  Merger(const SourceFiles& sources, const Options& options, Plan& plan)
      : sources_(sources), options_(options), plan_(plan), additions_(plan.outputs.size()) {}

  Result<void> add(const Adapter& adapter, const BaseWeights& base, bool from_gguf);
  Result<void> finish();

 private:
  [[nodiscard]] std::optional<BaseWeight> find_made(std::string_view name) const;
  Result<BaseWeight> find(const Adapter& adapter, const BaseWeights& base, std::string_view name,
                          const Input& at) const;
  Result<void> add_product(const Adapter& adapter, const LowRank& product, const BaseWeight& weight,
                           RowOrder order);
  Result<void> check_shape(const LowRank& product, const BaseWeight& weight, bool swapped,
                           bool is_peft_table) const;
  void take_whole(size_t i, const BaseWeight& weight);
  void add_to(size_t output, Product product, const Input& left, const Input& right);
  Result<void> replace(const Replaced& replaced, const BaseWeight& weight);
  Result<void> recode(size_t i);
  [[nodiscard]] bool stores_in_out(const Adapter& adapter, const Output& output) const;
  [[nodiscard]] bool is_tied(std::string_view name) const;
  [[nodiscard]] Failure fail(const Input& at, ErrorCode code, const Text& why) const {
    return in_source_file(error_at(code, at.tensor.index_offset, at.tensor.name, why), sources_,
                          at.file);
  }

  const SourceFiles& sources_;
  const Options& options_;
  Plan& plan_;
  std::vector<Additions> additions_;  // to each output
  std::vector<std::string> replaced_;
  std::vector<std::string> coded_again_;
  bool sizes_change_ = false;  // of tensors that are coded again
};

// Whether the one embedding of the model is its output, too.
bool Merger::is_tied(std::string_view name) const {
  return is_any(kEmbeddings, name) &&
         std::ranges::none_of(plan_.target.tensors, [](const TensorEntry& tensor) {
           return is_any(kOutputs, tensor.name);
         });
}

// A weight that is made of other tensors is no tensor of the base's file, but an input of the plan.
std::optional<BaseWeight> Merger::find_made(std::string_view name) const {
  const std::string_view key = base_weight_key(name);
  for (const Output& output : plan_.outputs) {
    if (output.inputs.size() != 1) continue;
    const Input& input = output.inputs.front();
    if (base_weight_key(input.tensor.name) == key) return BaseWeight{std::string(key), input};
  }
  return std::nullopt;
}

Result<BaseWeight> Merger::find(const Adapter& adapter, const BaseWeights& base,
                                std::string_view name, const Input& at) const {
  const BaseWeight* stored = base.find(name);
  std::optional<BaseWeight> weight = stored == nullptr ? find_made(name) : std::optional(*stored);
  if (!weight) {
    return fail(
        at, ErrorCode::NotFound,
        {"the base has no weight ", name, "; take the model that the adapter was made for"});
  }
  if (is_tied(adapter.is_gguf ? name : std::string_view(weight->name))) {
    return fail(
        at, ErrorCode::Unsupported,
        {"the base uses ", name, " as its output, too, and the adapter changes only one of both"});
  }
  return std::move(*weight);
}

// Whether the file of the base has the output's matrices as [in, out].
bool Merger::stores_in_out(const Adapter& adapter, const Output& output) const {
  return output.transpose || plan_.target.linear_layout == model::LinearLayout::InOut ||
         (adapter.fan_in_fan_out && plan_.target.format == "safetensors");
}

Result<void> Merger::check_shape(const LowRank& product, const BaseWeight& weight, bool swapped,
                                 bool is_peft_table) const {
  const TensorEntry& whole = weight.stored.tensor;
  if (whole.shape.rank() != 2) {
    return fail(product.left, ErrorCode::Unsupported,
                {whole.name, " of the base is no matrix, but ", to_string(whole.shape)});
  }
  const uint64_t left = product.left.tensor.shape[is_peft_table ? 1 : 0];
  const uint64_t right = product.right.tensor.shape[product.is_table ? 0 : 1];
  const uint64_t rows = whole.shape[swapped ? 1 : 0];
  const uint64_t cols = whole.shape[swapped ? 0 : 1];
  if (left == rows && right == cols) return {};
  const bool is_left = left != rows;
  const Input& side = is_left ? product.left : product.right;
  return fail(
      side, ErrorCode::Mismatch,
      {"shape is ", to_string(side.tensor.shape), ", which does not fit ", whole.name, " ",
       to_string(whole.shape), " of the base; take the model that the adapter was made for"});
}

Result<void> Merger::add_product(const Adapter& adapter, const LowRank& product,
                                 const BaseWeight& weight, RowOrder order) {
  const TensorEntry& whole = weight.stored.tensor;
  const bool is_peft_table = product.is_table && !adapter.is_gguf;
  bool used = false;
  for (size_t i = 0; i < plan_.outputs.size(); ++i) {
    if (!overlap(weight.stored, plan_.outputs[i])) continue;
    take_whole(i, weight);
    const Output& output = plan_.outputs[i];
    const auto rows = overlap(weight.stored, output);
    const bool in_out = !product.is_table && stores_in_out(adapter, output);
    AMBRY_RETURN_IF_ERROR(check_shape(product, weight, in_out, is_peft_table));
    const bool is_whole = rows->first == 0 && rows->end - rows->begin == whole.shape[0];
    if ((output.transpose && (!is_whole || output.inputs.size() != 1)) ||
        output.inputs.front().stored_columns != 0 ||
        output.inputs.front().tensor.shape.rank() != whole.shape.rank()) {
      return fail(product.left, ErrorCode::Unsupported,
                  {"a part of ", whole.name, " cannot be changed"});
    }
    // Matrices that stay [in, out] get the product transposed.
    const bool swapped = in_out && !output.transpose;
    Product added;
    added.rank = product.rank();
    added.scale = product.scale;
    added.left_transposed = is_peft_table || swapped;
    added.right_transposed = product.is_table || swapped;
    added.all_rows = whole.shape[output.transpose ? 1 : 0];
    added.begin = rows->begin;
    added.end = output.transpose ? added.all_rows : rows->end;
    added.first = rows->first;
    added.order = order;
    add_to(i, added, swapped ? product.right : product.left,
           swapped ? product.left : product.right);
    used = true;
  }
  if (used) return {};
  return fail(product.left, ErrorCode::NotFound, {"the base does not use its weight ", whole.name});
}

// The inputs of repacked codes are parts of the tensor, such as its scales. Decoding needs all of
// it.
void Merger::take_whole(size_t i, const BaseWeight& weight) {
  Output& output = plan_.outputs[i];
  const bool is_all = weight.stored.tensor.shape == plan_.target.tensors[i].shape;
  if (output.method == Method::Repack && !output.scale && is_all) output.inputs = {weight.stored};
}

void Merger::add_to(size_t output, Product product, const Input& left, const Input& right) {
  Additions& to = additions_[output];
  product.left = plan_.outputs[output].change.companions.size() + to.sides.size();
  product.right = product.left + 1;
  to.sides.push_back(left);
  to.sides.push_back(right);
  to.products.push_back(product);
}

Result<void> Merger::replace(const Replaced& replaced, const BaseWeight& weight) {
  const TensorEntry& whole = weight.stored.tensor;
  const auto refuse = [&](ErrorCode code, const Text& why) {
    return fail(replaced.tensor, code, why);
  };
  if (replaced.tensor.tensor.shape != whole.shape) {
    return refuse(ErrorCode::Mismatch,
                  {"shape is ", to_string(replaced.tensor.tensor.shape), ", but the base has ",
                   whole.name, " ", to_string(whole.shape)});
  }
  if (std::ranges::find(replaced_, weight.name) != replaced_.end()) {
    return refuse(ErrorCode::BadValue, "another adapter replaces this tensor, too");
  }
  replaced_.push_back(weight.name);
  bool used = false;
  for (size_t i = 0; i < plan_.outputs.size(); ++i) {
    Output& output = plan_.outputs[i];
    if (!overlap(weight.stored, output)) continue;
    take_whole(i, weight);
    const auto rows = overlap(weight.stored, output);
    const uint64_t n = rows->end - rows->begin;
    const TensorEntry& target = plan_.target.tensors[i];
    if (weight.permuted || output.scale || output.zero_point || rows->begin != 0 ||
        output.inputs.size() != 1 || output.inputs.front().tensor.shape[0] != n) {
      return refuse(ErrorCode::Unsupported,
                    {"it cannot take the place of ", whole.name, " in ", target.name});
    }
    Input taken = replaced.tensor;
    if (n != whole.shape[0]) {
      AMBRY_TRY(taken.tensor, row_range(taken.tensor, rows->first, n));
    }
    output.inputs = {std::move(taken)};
    AMBRY_RETURN_IF_ERROR(recode(i));
    used = true;
  }
  return used ? Result<void>() : refuse(ErrorCode::NotFound, "the base does not use it");
}

Result<void> Merger::add(const Adapter& adapter, const BaseWeights& base, bool from_gguf) {
  for (const LowRank& product : adapter.products) {
    AMBRY_TRY(const BaseWeight weight, find(adapter, base, product.weight, product.left));
    RowOrder order;
    if (weight.permuted) order = {base.head_dim(), !from_gguf};
    AMBRY_RETURN_IF_ERROR(add_product(adapter, product, weight, order));
  }
  for (const Replaced& replaced : adapter.replaced) {
    AMBRY_TRY(const BaseWeight weight, find(adapter, base, replaced.weight, replaced.tensor));
    AMBRY_RETURN_IF_ERROR(replace(replaced, weight));
  }
  return {};
}

// What was copied or repacked is now decoded and coded again.
Result<void> Merger::recode(size_t i) {
  Output& output = plan_.outputs[i];
  TensorEntry& target = plan_.target.tensors[i];
  const TensorEntry& from = output.inputs.front().tensor;
  const auto refuse = [&](const Text& why) {
    return error_at(ErrorCode::Unsupported, from.index_offset, from.name, why);
  };
  if (!can_become_floats(from)) {
    return refuse({dtype_name(from.dtype), " cannot be converted, so no adapter can be merged"});
  }
  const bool kept = output.method == Method::Copy || output.method == Method::Repack;
  const bool made = output.method == Method::Convert || output.method == Method::Encode ||
                    output.method == Method::Quantize;
  if (made) return {};
  const bool adaptive = target.dtype == DType::Adaptive && !options_.quantize;
  const bool blocks = target.quantization.has_value() || tensor::can_encode_blocks(target.dtype);
  if (!kept || adaptive || (!is_float(target.dtype) && !blocks)) {
    return refuse(
        {"an adapter cannot be merged into a weight of ", dtype_name(target.dtype),
         "; take the base in another type, or convert it with another dtype or quantize"});
  }
  output.method = is_float(target.dtype) ? Method::Convert : Method::Encode;
  if (output.method != Method::Encode) return {};
  coded_again_.emplace_back(dtype_name(target.dtype));
  if (target.quantization && target.quantization->minima) {
    target.quantization->minima = false;  // codes are made without
    sizes_change_ = true;
  }
  return {};
}

Result<void> Merger::finish() {
  for (size_t i = 0; i < additions_.size(); ++i) {
    auto& [products, sides] = additions_[i];
    if (products.empty()) continue;
    AMBRY_RETURN_IF_ERROR(recode(i));
    RowChange& change = plan_.outputs[i].change;
    change.companions.insert(change.companions.end(), sides.begin(), sides.end());
    change.apply = [before = std::move(change.apply), added = std::move(products)](
                       const RowChange::Values& values, uint64_t first_row, uint64_t n_cols,
                       std::span<float> rows) {
      if (before) before(values, first_row, n_cols, rows);
      add_products(added, values, first_row, n_cols, rows);
    };
  }
  if (sizes_change_) {
    const formats::Format* format = formats::find_format(plan_.target.format);
    AMBRY_TRY(plan_.layout, format->lay_out(plan_.target));
  }
  if (coded_again_.empty() || options_.quantize) return {};
  const size_t n = coded_again_.size();
  std::ranges::sort(coded_again_);
  const auto same = std::ranges::unique(coded_again_);
  coded_again_.erase(same.begin(), same.end());
  plan_.warnings.push_back(make_error(
      ErrorCode::BadValue, "options.adapter",
      {"quantized weights were decoded, merged with the adapter and coded again in their types (",
       comma_list(coded_again_), "): ", n, " of them"}));
  return {};
}

// GGUF states the architecture of the base.
Result<void> check_architecture(const SourceFiles& sources, size_t number, const Adapter& adapter,
                                const BaseWeights& base) {
  const std::string& stated = adapter.architecture;
  if (stated.empty() || base.architecture().empty() || stated == base.architecture()) return {};
  AMBRY_TRY(const uint32_t file, find_adapter(sources, number));
  return in_source_file(make_error(ErrorCode::Mismatch, "metadata.general.architecture",
                                   {"the adapter is for \"", stated, "\", but the base is \"",
                                    base.architecture(), "\""}),
                        sources, file);
}

}  // namespace

Result<void> merge_adapters(const SourceFiles& sources, std::string_view from,
                            const Options& options, Plan& plan) {
  Merger merger(sources, options, plan);
  for (size_t i = 0; i < options.adapters.size(); ++i) {
    AMBRY_TRY(const Adapter adapter, read_adapter(sources, i, options.adapters[i]));
    AMBRY_TRY(const BaseWeights base,
              BaseWeights::read(sources, from, options, adapter.is_gguf, plan));
    AMBRY_RETURN_IF_ERROR(check_architecture(sources, i, adapter, base));
    AMBRY_RETURN_IF_ERROR(merger.add(adapter, base, from == "gguf"));
  }
  return options.adapters.empty() ? Result<void>() : merger.finish();
}

}  // namespace ambry::convert
