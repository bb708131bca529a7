#include "convert/cnn/cnn_modules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/order.h"

namespace ambry::convert {
namespace {

using model::CnnKind;
using model::TensorEntry;

// How a family of networks names the parts of a residual network.
struct Naming {
  std::string_view stem_conv;
  std::string_view stem_norm;
  std::string_view stage;  // prefix before the stage's index
  int first_stage;
};
constexpr std::array kNamings = {Naming{"conv1", "bn1", "layer", 1}, Naming{"0.0", "0.1", "0.", 4}};
// The prefixes under which checkpoints store the state dict, next to an optimizer and other data. A
// network may have a part called "model." itself, so that name is recognized only next to an
// optimizer.
constexpr std::array<std::string_view, 3> kWrappers = {"state_dict.", "model_state_dict.",
                                                       "model."};
constexpr std::string_view kOptimizer = "optim";
// The names that implementations give to a block's shortcut.
constexpr std::array<std::string_view, 2> kShortcuts = {"downsample", "shortcut"};

Failure unsupported(const TensorEntry& tensor, const Text& message) {
  return error_at(ErrorCode::Unsupported, tensor.index_offset, tensor.name, message);
}

// Compares integers in names by value: `10` comes after `9`.
bool comes_before(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const std::string_view x = a.substr(0, a.find('.'));
    const std::string_view y = b.substr(0, b.find('.'));
    if (x != y) {
      uint64_t m = 0;
      uint64_t n = 0;
      const bool numbers = std::from_chars(x.data(), x.data() + x.size(), m).ec == std::errc() &&
                           std::from_chars(y.data(), y.data() + y.size(), n).ec == std::errc();
      return numbers && m != n ? m < n : x < y;
    }
    a.remove_prefix(std::min(a.size(), x.size() + 1));
    b.remove_prefix(std::min(b.size(), y.size() + 1));
  }
  return a.size() < b.size();
}

// Groups tensors into modules, in the order of the state dict.
class Grouping {
 public:
  Grouping(const model::Model& model, std::string_view wrapper)
      : model_(model), wrapper_(wrapper) {}

  Result<std::vector<CnnModule>> run() {
    const auto& tensors = model_.tensors;
    // Sort by name first, so that the tensors of a module are next to each other.
    const auto order = sorted_order(tensors.size(), [&](uint32_t a, uint32_t b) {
      return module_of(tensors[a]) < module_of(tensors[b]);
    });
    std::vector<uint32_t> firsts;  // the first tensor of each module in the state dict
    for (const uint32_t i : order) {
      if (!tensors[i].name.starts_with(wrapper_)) continue;
      if (modules_.empty() || modules_.back().name != module_of(tensors[i])) {
        modules_.push_back({module_of(tensors[i])});
        firsts.push_back(i);
      }
      firsts.back() = std::min(firsts.back(), i);
      AMBRY_RETURN_IF_ERROR(add(modules_.back(), tensors[i]));
    }
    for (CnnModule& module : modules_) AMBRY_RETURN_IF_ERROR(finish(module));
    // PyTorch keeps the order of the network. safetensors sorts names, so their integers give the
    // order.
    const bool ordered = model_.format == "pytorch";
    const auto positions = sorted_order(modules_.size(), [&](uint32_t a, uint32_t b) {
      return ordered ? firsts[a] < firsts[b] : comes_before(modules_[a].name, modules_[b].name);
    });
    std::vector<CnnModule> sorted;
    for (const uint32_t i : positions) {
      if (modules_[i].weight != nullptr) sorted.push_back(modules_[i]);
    }
    return sorted;
  }

 private:
  static std::string_view module_of(const TensorEntry& tensor) {
    const std::string_view name = tensor.name;
    return name.substr(0, std::min(name.size(), name.rfind('.')));
  }

  static Result<void> add(CnnModule& module, const TensorEntry& tensor) {
    const std::string_view part =
        std::string_view(tensor.name).substr(std::min(tensor.name.size(), module.name.size() + 1));
    if (part == "num_batches_tracked") return {};  // counts training steps
    const TensorEntry** place = part == "weight"         ? &module.weight
                                : part == "bias"         ? &module.bias
                                : part == "running_mean" ? &module.mean
                                : part == "running_var"  ? &module.variance
                                                         : nullptr;
    if (place == nullptr || !is_float(tensor.dtype)) {
      return unsupported(tensor, "expected a tensor of a convolution, linear layer or batch norm");
    }
    *place = &tensor;
    return {};
  }

  static Result<void> finish(CnnModule& module) {
    if (module.weight == nullptr) {
      for (const TensorEntry* other : {module.bias, module.mean, module.variance}) {
        if (other != nullptr) return unsupported(*other, "its module has no weight");
      }
      return {};
    }
    const tensor::Shape& shape = module.weight->shape;
    const bool norm = module.variance != nullptr && module.mean != nullptr;
    module.kind = norm ? CnnKind::BatchNorm : shape.rank() == 4 ? CnnKind::Conv : CnnKind::Linear;
    if (shape.rank() != (norm ? 1 : module.kind == CnnKind::Conv ? 4 : 2)) {
      return unsupported(*module.weight,
                         {"no supported layer has a weight of shape ", to_string(shape)});
    }
    if (shape.rank() == 4 && shape[2] != shape[3]) {
      return unsupported(*module.weight, "the kernel is not square");
    }
    if (norm && module.bias == nullptr) {
      return unsupported(*module.weight, "the batch norm has no bias");
    }
    for (const TensorEntry* other : {module.bias, module.mean, module.variance}) {
      if (other == nullptr || other->shape == tensor::Shape{shape[0]}) continue;
      return error_at(ErrorCode::Mismatch, other->index_offset, other->name,
                      {to_string(other->shape), ", expected [", shape[0], "]"});
    }
    return {};
  }

  const model::Model& model_;
  std::string_view wrapper_;
  std::vector<CnnModule> modules_;
};

// Visits the modules of a residual network in the order in which it runs them.
class ResidualWalk {
 public:
  ResidualWalk(const std::vector<CnnModule>& modules, const Naming& naming, std::string_view prefix)
      : modules_(modules), naming_(naming), prefix_(prefix), taken_(modules.size()) {
    by_name_ = sorted_order(modules.size(), [&](uint32_t a, uint32_t b) {
      return modules_[a].name < modules_[b].name;
    });
  }

  Result<CnnModules> run() {
    out_.residual = true;
    AMBRY_RETURN_IF_ERROR(take_stem());
    for (int stage = naming_.first_stage; has_block(stage, 0); ++stage) {
      for (int block = 0; has_block(stage, block); ++block) {
        const bool narrows = block == 0 && stage != naming_.first_stage;
        AMBRY_RETURN_IF_ERROR(take_block(block_name(stage, block), narrows ? 2 : 1));
      }
    }
    AMBRY_RETURN_IF_ERROR(take_head());
    return std::move(out_);
  }

 private:
  [[nodiscard]] const CnnModule* find(std::string_view name) const {
    const std::string whole = concat({prefix_, name});
    const auto found = std::ranges::lower_bound(by_name_, std::string_view(whole), {},
                                                [&](uint32_t i) { return modules_[i].name; });
    return found != by_name_.end() && modules_[*found].name == whole ? &modules_[*found] : nullptr;
  }
  [[nodiscard]] std::string block_name(int stage, int block) const {
    return concat({naming_.stage, std::to_string(stage), ".", std::to_string(block), "."});
  }
  [[nodiscard]] bool has_block(int stage, int block) const {
    return find(block_name(stage, block) + "conv1") != nullptr;
  }

  Result<void> expect(const CnnModule* module, CnnKind kind, std::string_view name) const {
    if (module != nullptr && module->kind == kind) return {};
    return make_error(ErrorCode::NotFound, {prefix_, name},
                      {"expected a ", model::cnn_kind_name(kind), " here in a residual network"});
  }

  void take(const CnnModule& module, int32_t stride, int32_t padding) {
    taken_[static_cast<size_t>(&module - modules_.data())] = true;
    out_.modules.push_back(module);
    out_.modules.back().stride = stride;
    out_.modules.back().padding = padding;
  }

  // Takes a conv and the batch norm after it. Returns the number of output channels.
  Result<uint64_t> take_pair(std::string_view conv_name, std::string_view norm_name, uint64_t in,
                             int32_t stride) {
    const CnnModule* conv = find(conv_name);
    AMBRY_RETURN_IF_ERROR(expect(conv, CnnKind::Conv, conv_name));
    const uint64_t kernel = conv->weight->shape[2];
    if (conv->in() != in) {
      return unsupported(*conv->weight, {"the conv takes ", conv->in(), " channels, but gets ", in,
                                         "; grouped convolutions are not supported"});
    }
    if (kernel % 2 == 0 || kernel > 7) {
      return unsupported(*conv->weight,
                         {"a kernel of ", kernel, " is not supported in a residual network"});
    }
    take(*conv, stride, static_cast<int32_t>(kernel / 2));
    const CnnModule* norm = find(norm_name);
    if (norm == nullptr && conv->bias != nullptr) return conv->out();  // already folded
    AMBRY_RETURN_IF_ERROR(expect(norm, CnnKind::BatchNorm, norm_name));
    if (norm->out() != conv->out()) {
      return error_at(ErrorCode::Mismatch, norm->weight->index_offset, norm->weight->name,
                      {"the batch norm has ", norm->out(), " channels, but the conv before it has ",
                       conv->out()});
    }
    take(*norm, 1, 0);
    return conv->out();
  }

  // For large images, the first conv already halves the size; for small ones, it does not.
  Result<void> take_stem() {
    const CnnModule* conv = find(naming_.stem_conv);
    AMBRY_RETURN_IF_ERROR(expect(conv, CnnKind::Conv, naming_.stem_conv));
    const int32_t stride = conv->weight->shape[2] == 7 ? 2 : 1;
    AMBRY_TRY(channels_, take_pair(naming_.stem_conv, naming_.stem_norm, conv->in(), stride));
    return {};
  }

  Result<void> take_block(const std::string& name, int32_t stride) {
    // The 3×3 convs of a bottleneck have its stride, as in torchvision.
    const bool bottleneck = find(name + "conv3") != nullptr;
    uint64_t channels = channels_;
    for (int i = 1; i <= (bottleneck ? 3 : 2); ++i) {
      const std::string number = std::to_string(i);
      AMBRY_TRY(channels, take_pair(concat({name, "conv", number}), concat({name, "bn", number}),
                                    channels, i == (bottleneck ? 2 : 1) ? stride : 1));
    }
    AMBRY_RETURN_IF_ERROR(take_shortcut(name, channels, stride));
    channels_ = channels;
    return {};
  }

  Result<void> take_shortcut(const std::string& name, uint64_t channels, int32_t stride) {
    for (const std::string_view shortcut : kShortcuts) {
      const std::string conv = concat({name, shortcut, ".0"});
      const CnnModule* found = find(conv);
      if (found == nullptr) continue;
      AMBRY_TRY(const uint64_t out,
                take_pair(conv, concat({name, shortcut, ".1"}), channels_, stride));
      if (out == channels) return {};
      return error_at(ErrorCode::Mismatch, found->weight->index_offset, found->weight->name,
                      {"the shortcut gives ", out, " channels, but the block gives ", channels});
    }
    if (channels == channels_ && stride == 1) return {};
    out_.warnings.push_back(make_error(
        ErrorCode::Unsupported, {prefix_, name},
        "the block changes the shape, but its shortcut has no layer; this is not supported"));
    return {};
  }

  // Takes the remaining linear layers and the batch norms between them, in order.
  Result<void> take_head() {
    for (size_t i = 0; i < modules_.size(); ++i) {
      if (taken_[i]) continue;
      const CnnModule& module = modules_[i];
      if (module.kind == CnnKind::Conv) {
        return unsupported(*module.weight, "this conv does not belong to a residual network");
      }
      take(module, 1, 0);
    }
    return {};
  }

  const std::vector<CnnModule>& modules_;
  const Naming& naming_;
  std::string_view prefix_;
  std::vector<bool> taken_;
  std::vector<uint32_t> by_name_;
  uint64_t channels_ = 0;
  CnnModules out_;
};

Result<int32_t> fact(const Facts& facts, const std::string& key, const CnnModule& conv) {
  for (const auto& [name, value] : facts) {
    int32_t number = 0;
    if (name != key) continue;
    const char* end = value.data() + value.size();
    const auto parsed = std::from_chars(value.data(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end && number >= 0) return number;
    return make_error(ErrorCode::BadValue, {"options.metadata.", key},
                      {"\"", value, "\" is not an integer of 0 or more"});
  }
  return unsupported(*conv.weight,
                     {"a state dict has no strides and paddings; give ", key, " as metadata"});
}

// A plain sequence: one layer after another.
Result<CnnModules> sequence(std::vector<CnnModule> modules, const Facts& facts) {
  CnnModules out;
  out.modules = std::move(modules);
  uint64_t n_convs = 0;
  uint64_t channels = 0;
  for (CnnModule& module : out.modules) {
    if (module.kind != CnnKind::Conv) continue;
    if (channels != 0 && module.in() != channels) {
      return unsupported(*module.weight,
                         {"the layer takes ", module.in(), " channels, but gets ", channels,
                          "; only plain sequences without grouped convolutions are supported"});
    }
    channels = module.out();
    const std::string name = concat({"conv.", n_convs++, "."});
    AMBRY_TRY(module.stride, fact(facts, name + "stride", module));
    AMBRY_TRY(module.padding, fact(facts, name + "pad", module));
  }
  return out;
}

Result<CnnModules> in_order(std::vector<CnnModule> modules, const Facts& facts) {
  for (const Naming& naming : kNamings) {
    const std::string first =
        concat({naming.stage, std::to_string(naming.first_stage), ".0.conv1"});
    for (const CnnModule& module : modules) {
      if (!module.name.ends_with(first)) continue;
      const std::string_view prefix = module.name.substr(0, module.name.size() - first.size());
      if (!prefix.empty() && prefix.back() != '.') continue;
      return ResidualWalk(modules, naming, prefix).run();
    }
  }
  return sequence(std::move(modules), facts);
}

}  // namespace

Result<CnnModules> cnn_modules(const model::Model& model, const Facts& facts) {
  const auto count_in = [&](std::string_view wrapper) {
    return std::ranges::count_if(
        model.tensors, [&](const TensorEntry& tensor) { return tensor.name.starts_with(wrapper); });
  };
  const auto wrapper = std::ranges::find_if(kWrappers, [&](std::string_view candidate) {
    return count_in(candidate) > 0 && (candidate != kWrappers.back() || count_in(kOptimizer) > 0);
  });
  const std::string_view inside = wrapper == kWrappers.end() ? std::string_view() : *wrapper;
  AMBRY_TRY(auto modules, Grouping(model, inside).run());
  AMBRY_TRY(CnnModules found, in_order(std::move(modules), facts));
  const auto outside = model.tensors.size() - static_cast<size_t>(count_in(inside));
  if (outside > 0) {
    found.warnings.push_back(
        make_error(ErrorCode::Unsupported, "tensors",
                   {uint64_t{outside}, " tensors of the checkpoint that are not in ", inside,
                    " are left out"}));
  }
  return found;
}

}  // namespace ambry::convert
