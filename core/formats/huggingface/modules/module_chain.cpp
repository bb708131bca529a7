#include "formats/huggingface/modules/module_chain.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "formats/huggingface/side_files/file_values.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::DenseConfig;

// The kinds of modules by their places here, in the order of the chain.
constexpr std::array<std::string_view, 5> kKinds = {"Transformer", "Pooling", "Dense", "Normalize",
                                                    "LogitScore"};
constexpr size_t kTransformer = 0;
constexpr size_t kPooling = 1;
constexpr size_t kDense = 2;
constexpr size_t kNormalize = 3;
constexpr size_t kLogitScore = 4;

// Modules of other kinds of models, and what is to be said of these.
struct OtherModule {
  std::string_view kind;
  const char* why;
};
constexpr const char* kSparse =
    ": of sparse encoders, MLMTransformer with SpladePooling is supported, and with a Router also "
    "SparseStaticEmbedding for queries";
constexpr const char* kTwoParts =
    ": models with an encoder of their own for queries are not supported";
constexpr auto kOtherModules = std::to_array<OtherModule>({{"MLMTransformer", kSparse},
                                                           {"SpladePooling", kSparse},
                                                           {"SparseStaticEmbedding", kSparse},
                                                           {"SparseAutoEncoder", kSparse},
                                                           {"IDF", kSparse},
                                                           {"Router", kTwoParts},
                                                           {"Asym", kTwoParts}});

std::string folder_of(const Json& module) {
  std::string path(model::metadata_text(module, "path").value_or(""));
  if (!path.empty() && !path.ends_with('/')) path += '/';
  return path;
}

// Whether a module of this kind may follow one of the kind `before`.
bool may_follow(size_t kind, size_t before) {
  if (kind == kLogitScore) return before == kTransformer;
  const bool repeats = kind == kDense || kind == kNormalize;
  return kind == before + 1 || (repeats && kind == before) ||
         (kind == kNormalize && before == kPooling) || (kind == kDense && before == kTransformer);
}

// The kind of module `i`. `before` is the kind of the module before it, if there is one.
Result<size_t> kind_of(const Json& module, size_t i, std::optional<size_t> before) {
  const std::string type(model::metadata_text(module, "type").value_or(""));
  const std::string_view name = std::string_view(type).substr(type.find_last_of('.') + 1);
  // CLIP's half for texts is run.
  const std::string_view as = name == "CLIPModel" ? kKinds[kTransformer] : name;
  const auto kind = static_cast<size_t>(std::ranges::find(kKinds, as) - kKinds.begin());
  const bool is_known = kind < kKinds.size();
  if (is_known && (before ? may_follow(kind, *before) : kind == kTransformer)) return kind;
  const auto* other = std::ranges::find(kOtherModules, name, &OtherModule::kind);
  return error_at(
      ErrorCode::Unsupported, module.byte_offset(), {kModules, "[", i, "].type"},
      {"the module ", type.empty() ? "without a type" : type,
       is_known ? " at this place is not supported; the order is Transformer, Pooling, Dense, "
                  "Normalize, or Transformer, LogitScore"
                : " is not supported",
       other == kOtherModules.end() ? "" : other->why});
}

// A class that is none of the libraries that write such files.
OwnCode own_class_of(const Json& module, size_t i) {
  const std::string_view type = model::metadata_text(module, "type").value_or("");
  if (type.starts_with("sentence_transformers.") || type.starts_with("pylate.")) return {};
  return {std::string(type), concat({kModules, "[", i, "].type"}), module.byte_offset()};
}

// The names of what a module reads and writes.
constexpr std::array<const char*, 2> kPlaces = {"module_input_name", "module_output_name"};

// PyLate's key for whether the input is added to the output.
constexpr const char* kResidual = "use_residual";

Result<void> check_keys(const FileValues& values, bool of_tokens) {
  static constexpr std::array<std::string_view, 7> kKnown = {
      "in_features", "out_features", "bias",   "activation_function",
      kPlaces[0],    kPlaces[1],     kResidual};
  for (const auto& [key, value] : values.json().members()) {
    if (std::ranges::find(kKnown, key) == kKnown.end()) {
      return values.fail(key, ErrorCode::Unsupported, "this setting of a Dense module is unknown");
    }
  }
  bool residual = false;
  AMBRY_RETURN_IF_ERROR(values.read({{kResidual, residual}}));
  if (residual) {
    return values.fail(kResidual, ErrorCode::Unsupported,
                       "Dense modules that add their input are not supported");
  }
  const std::string_view changed = of_tokens ? "token_embeddings" : "sentence_embedding";
  for (const char* place : kPlaces) {
    if (!model::has_value(values.json(), place)) continue;
    if (values.text(place) == changed) continue;
    return values.fail(place, ErrorCode::Unsupported,
                       {"only Dense modules that change the ", changed, " are supported here"});
  }
  return {};
}

// A number of features, which sentence-transformers needs, too.
Result<void> read_features(const FileValues& values, const char* key, uint32_t& out) {
  AMBRY_RETURN_IF_ERROR(values.read({{key, out}}));
  if (out > 0) return {};
  if (model::has_value(values.json(), key)) {
    return values.fail(key, ErrorCode::BadValue, "must be at least 1");
  }
  return values.fail(key, ErrorCode::NotFound, "the file does not state this");
}

// A class of torch.nn, such as `torch.nn.modules.activation.Tanh`. sentence-transformers does not
// load a module without it, though Tanh is the default for one that is made in Python.
Result<model::DenseActivation> read_activation(const FileValues& values) {
  constexpr const char* kKey = "activation_function";
  if (!model::has_value(values.json(), kKey)) {
    return values.fail(kKey, ErrorCode::NotFound,
                       "the file does not state this; add the activation, such as "
                       "torch.nn.modules.linear.Identity");
  }
  const std::string name = values.text(kKey);
  if (name.empty()) return values.fail(kKey, ErrorCode::BadValue, "expected the name of a class");
  if (name.starts_with("torch.nn.")) {
    const auto known =
        model::dense_activation_of_torch(std::string_view(name).substr(name.find_last_of('.') + 1));
    if (known) return *known;
  }
  return values.fail(kKey, ErrorCode::Unsupported,
                     {"the activation \"", name, "\" is not supported"});
}

// `width` is what the module before gives.
Result<DenseConfig> read_dense_module(const SideFiles& files, const std::string& name,
                                      uint32_t width, bool of_tokens) {
  AMBRY_TRY(const Json json, require_json_file(files, name));
  if (!json.is_object()) return error_at(ErrorCode::BadValue, 0, name, "not an object");
  const FileValues values(name, json);
  AMBRY_RETURN_IF_ERROR(check_keys(values, of_tokens));
  DenseConfig config;
  AMBRY_RETURN_IF_ERROR(read_features(values, "in_features", config.in_features));
  AMBRY_RETURN_IF_ERROR(read_features(values, "out_features", config.out_features));
  AMBRY_RETURN_IF_ERROR(values.read({{"bias", config.bias}}));
  AMBRY_TRY(config.activation, read_activation(values));
  if (config.in_features != width) {
    return values.fail("in_features", ErrorCode::Mismatch,
                       {config.in_features, ", but the module before gives ", width, " numbers"});
  }
  return config;
}

Result<void> add_module(const Json& module, size_t i, size_t kind, ModuleChain& chain) {
  const std::string folder = folder_of(module);
  if (kind == kTransformer) {
    chain.transformer_folder = folder;
    chain.own_module = own_class_of(module, i);
  }
  if (kind == kPooling) chain.pooling_file = folder + "config.json";
  if (kind == kLogitScore) chain.logit_score_file = folder + "config.json";
  if (kind == kNormalize) chain.normalize = true;
  if (kind != kDense) return {};
  if (folder.empty()) {
    return error_at(ErrorCode::BadValue, module.byte_offset(), {kModules, "[", i, "].path"},
                    "a Dense module needs a folder for its config.json and weights");
  }
  chain.dense_folders.push_back(folder);
  return {};
}

}  // namespace

Result<ModuleChain> read_module_chain(const SideFiles& files) {
  ModuleChain chain;
  AMBRY_TRY(const auto list, read_json_file(files, kModules));
  if (!list) {
    constexpr const char* kUsual = "1_Pooling/config.json";
    if (files.find(kUsual) != nullptr) chain.pooling_file = kUsual;
    return chain;
  }
  if (!list->is_array()) {
    return error_at(ErrorCode::BadValue, list->byte_offset(), kModules, "not a list");
  }
  chain.is_stated = true;
  chain.normalize = false;
  AMBRY_TRY(chain.sparse, read_sparse_modules(files, *list));
  if (chain.sparse) {
    chain.transformer_folder = chain.sparse->transformer_folder;
    return chain;
  }
  std::optional<size_t> before;
  for (size_t i = 0; i < list->items().size(); ++i) {
    const Json& module = list->items()[i];
    AMBRY_TRY(before, kind_of(module, i, before));
    AMBRY_RETURN_IF_ERROR(add_module(module, i, *before, chain));
  }
  if (before) return chain;
  return error_at(ErrorCode::Unsupported, list->byte_offset(), kModules,
                  "a model without Transformer and Pooling modules is not supported");
}

Result<std::vector<DenseConfig>> read_dense_modules(const SideFiles& files,
                                                    const ModuleChain& chain, uint32_t width) {
  std::vector<DenseConfig> modules;
  for (const std::string& folder : chain.dense_folders) {
    const std::string name = folder + "config.json";
    AMBRY_TRY(const DenseConfig config,
              read_dense_module(files, name, width, chain.pooling_file.empty()));
    width = config.out_features;
    modules.push_back(config);
  }
  return modules;
}

}  // namespace ambry::formats::huggingface
