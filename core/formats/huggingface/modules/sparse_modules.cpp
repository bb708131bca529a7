#include "formats/huggingface/modules/sparse_modules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/huggingface/modules/module_chain.h"
#include "formats/huggingface/side_files/file_values.h"
#include "model/metadata/metadata_value.h"
#include "model/vocabulary/vocabulary_index.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;
using model::SparseSettings;

constexpr std::string_view kMlmTransformer = "MLMTransformer";
constexpr std::string_view kSpladePooling = "SpladePooling";
constexpr std::string_view kStaticQueries = "SparseStaticEmbedding";
constexpr std::array<std::string_view, 2> kRouters = {"Router", "Asym"};
constexpr const char* kRouterFile = "router_config.json";
constexpr const char* kQueryRoute = "query";
constexpr const char* kDocumentRoute = "document";
// A chain for documents.
constexpr std::array kDocumentKinds = {kMlmTransformer, kSpladePooling};

struct SparseModule {
  std::string type;    // as the file states it
  std::string folder;  // ends with a slash, or is empty
  std::string place;   // the path of errors
  uint64_t offset = 0;

  // The last part of the type.
  [[nodiscard]] std::string_view kind() const {
    return std::string_view(type).substr(type.find_last_of('.') + 1);
  }
};
using SparseModuleList = std::vector<SparseModule>;

std::string text_at(const Json& json, std::string_view key) {
  return std::string(model::metadata_text(json, key).value_or(""));
}

std::string as_folder(std::string path) {
  if (!path.empty() && !path.ends_with('/')) path += '/';
  return path;
}

SparseModuleList modules_in(const Json& list) {
  SparseModuleList modules;
  for (size_t i = 0; i < list.items().size(); ++i) {
    const Json& module = list.items()[i];
    modules.push_back({text_at(module, "type"), as_folder(text_at(module, "path")),
                       concat({kModules, "[", i, "].type"}), module.byte_offset()});
  }
  return modules;
}

Failure refuse_module(const SparseModule& module) {
  return error_at(ErrorCode::Unsupported, module.offset, module.place,
                  {"the module ", module.type.empty() ? "without a type" : module.type,
                   " is not supported at this place; a sparse encoder has MLMTransformer and "
                   "SpladePooling, and "
                   "may have SparseStaticEmbedding for queries"});
}

// Takes the chain for documents, which stands at `place`.
Result<void> take_documents(const SparseModuleList& chain, std::string_view place,
                            SparseModules& out) {
  for (size_t i = 0; i < chain.size(); ++i) {
    if (i >= kDocumentKinds.size() || chain[i].kind() != kDocumentKinds[i])
      return refuse_module(chain[i]);
  }
  if (chain.size() < kDocumentKinds.size()) {
    return make_error(ErrorCode::Unsupported, place,
                      {"the module ", kDocumentKinds[chain.size()], " is missing"});
  }
  out.transformer_folder = chain[0].folder;
  out.pooling_file = chain[1].folder + "config.json";
  return {};
}

// The routes of a router, whose file lies in `folder`.
class RouterFile {
 public:
  RouterFile(std::string folder, const Json& json)
      : folder_(std::move(folder)), name_(folder_ + kRouterFile), json_(json) {}

  [[nodiscard]] bool has_sparse_module() const {
    const Json* types = json_.find("types");
    if (types == nullptr || !types->is_object()) return false;
    return std::ranges::any_of(types->members(), [](const auto& member) {
      if (!member.second.is_string()) return false;
      const std::string_view type = member.second.string();
      const std::string_view kind = type.substr(type.find_last_of('.') + 1);
      return kind == kMlmTransformer || kind == kSpladePooling || kind == kStaticQueries;
    });
  }

  Result<SparseModules> read() const {
    const Json* structure = json_.find("structure");
    if (structure == nullptr || !structure->is_object()) {
      return make_error(ErrorCode::BadValue, {name_, ".structure"}, "expected an object of routes");
    }
    for (const auto& [route, modules] : structure->members()) {
      if (route == kQueryRoute || route == kDocumentRoute) continue;
      return error_at(ErrorCode::Unsupported, modules.byte_offset(), {name_, ".structure.", route},
                      "only the routes query and document are supported");
    }
    SparseModules out;
    AMBRY_TRY(const SparseModuleList documents, route(*structure, kDocumentRoute));
    AMBRY_RETURN_IF_ERROR(
        take_documents(documents, concat({name_, ".structure.", kDocumentRoute}), out));
    AMBRY_TRY(const SparseModuleList queries, route(*structure, kQueryRoute));
    const bool same =
        std::ranges::equal(queries, documents, {}, &SparseModule::folder, &SparseModule::folder);
    if (same) return out;
    for (size_t i = 0; i < queries.size(); ++i) {
      if (i > 0 || queries[i].kind() != kStaticQueries) return refuse_module(queries[i]);
    }
    out.query_folder = queries.front().folder;
    return out;
  }

 private:
  [[nodiscard]] Result<SparseModuleList> route(const Json& structure, const char* name) const {
    const std::string place = concat({name_, ".structure.", name});
    const Json* ids = structure.find(name);
    const bool is_list = ids != nullptr && ids->is_array() && !ids->items().empty();
    if (!is_list || !std::ranges::all_of(ids->items(), &Json::is_string)) {
      return make_error(ErrorCode::Unsupported, place, "expected a list of modules");
    }
    SparseModuleList modules;
    for (const Json& id : ids->items()) {
      const Json* types = json_.find("types");
      modules.push_back({types == nullptr ? "" : text_at(*types, id.string()),
                         folder_ + as_folder(id.string()), concat({name_, ".types.", id.string()}),
                         id.byte_offset()});
    }
    return modules;
  }

  std::string folder_;
  std::string name_;
  const Json& json_;
};

}  // namespace

Result<std::optional<SparseModules>> read_sparse_modules(const SideFiles& files,
                                                         const io::Json& list) {
  std::optional<SparseModules> found;
  const SparseModuleList modules = modules_in(list);
  if (modules.empty()) return found;
  if (modules.front().kind() == kMlmTransformer) {
    AMBRY_RETURN_IF_ERROR(take_documents(modules, kModules, found.emplace()));
    return found;
  }
  if (std::ranges::find(kRouters, modules.front().kind()) == kRouters.end()) return found;
  const std::string& folder = modules.front().folder;
  AMBRY_TRY(const auto json, read_json_file(files, folder + kRouterFile));
  if (!json) return found;
  const RouterFile router(folder, *json);
  if (!router.has_sparse_module()) return found;
  if (modules.size() > 1) return refuse_module(modules[1]);
  AMBRY_TRY(found, router.read());
  return found;
}

Result<SparseSettings> read_splade_pooling(const SideFiles& files, const std::string& name) {
  AMBRY_TRY(const Json json, require_json_file(files, name));
  const FileValues values(name, json);
  std::string pooling = "max";
  std::string activation = "relu";
  AMBRY_RETURN_IF_ERROR(
      values.read({{"pooling_strategy", pooling}, {"activation_function", activation}}));
  if (pooling != "max" && pooling != "sum") {
    return values.fail("pooling_strategy", ErrorCode::Unsupported,
                       {"the pooling \"", pooling, "\" is not supported; max and sum are"});
  }
  if (activation != "relu" && activation != "log1p_relu") {
    return values.fail(
        "activation_function", ErrorCode::Unsupported,
        {"the activation \"", activation, "\" is not supported; relu and log1p_relu are"});
  }
  SparseSettings settings;
  settings.sum = pooling == "sum";
  settings.logarithms = activation == "relu" ? 1 : 2;
  return settings;
}

Result<std::string> query_weights_file(const SideFiles& files, const std::string& folder) {
  const std::string name = folder + "config.json";
  AMBRY_TRY(const auto json, read_json_file(files, name));
  if (!json) return std::string();
  const FileValues values(name, *json);
  const std::string path = values.text("path");
  if (!path.ends_with(".json")) return std::string();
  for (const std::string& place : {folder + path, path, std::string(kIdfFile)}) {
    if (files.find(place) != nullptr) return place;
  }
  return values.fail("path", ErrorCode::NotFound,
                     {"the file ", path, " with the weights of queries is missing"});
}

Result<std::vector<float>> read_query_weights(const SideFiles& files, const std::string& name,
                                              const model::TokenizerData& tokenizer) {
  AMBRY_TRY(const Json json, require_json_file(files, name));
  if (!json.is_object() || json.members().empty()) {
    return error_at(ErrorCode::BadValue, json.byte_offset(), name,
                    "expected an object of words and their weights");
  }
  const model::VocabularyIndex index(tokenizer.vocabulary);
  std::vector<float> weights;
  for (const auto& [word, weight] : json.members()) {
    const auto fail = [&, at = weight.byte_offset()](const Text& message) {
      return error_at(ErrorCode::BadValue, at, {name, ".", word}, message);
    };
    const auto place = index.find(tokenizer.vocabulary, word);
    if (!place) return fail("this word is no token of the tokenizer");
    const uint32_t id = tokenizer.ids.empty() ? *place : tokenizer.ids[*place];
    if (!weight.is_number() || !std::isfinite(static_cast<float>(weight.number()))) {
      return fail("expected a finite number");
    }
    if (id >= weights.size()) weights.resize(size_t{id} + 1);
    weights[id] = static_cast<float>(weight.number());
  }
  return weights;
}

}  // namespace ambry::formats::huggingface
