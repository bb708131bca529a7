#include "convert/adapter/peft_config.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/concat.h"
#include "formats/huggingface/side_files/file_values.h"

namespace ambry::convert {
namespace {

using formats::huggingface::FileValues;
using io::Json;

constexpr double kMostRank = 65536;

struct RefusedSetting {
  const char* key;
  const char* why;
};

// Settings that change more than the product, where they are set.
constexpr auto kRefused = std::to_array<RefusedSetting>(
    {{"use_dora", "DoRA, which also scales the rows of the weights"},
     {"use_qalora", "QALoRA, which pools the inputs"},
     {"use_bdlora", "BD-LoRA, whose matrices are block-diagonal"},
     {"lora_bias", "an adapter with biases of its own"},
     {"alora_invocation_tokens", "an activated LoRA, which works from certain tokens on"},
     {"layer_replication", "layers that are repeated"},
     {"trainable_token_indices", "rows of single tokens"},
     {"target_parameters", "parameters that are no modules"},
     {"arrow_config", "several adapters that a router chooses from"}});

// How training began, where that changed no weight of the base.
constexpr auto kHarmlessStarts =
    std::to_array<std::string_view>({"gaussian", "eva", "orthogonal", "true", "false"});

bool is_set(const Json& value) {
  if (value.is_null()) return false;
  if (value.is_bool()) return value.boolean();
  if (value.is_array()) return !value.items().empty();
  return !value.is_object() || !value.members().empty();
}

Result<void> refuse_others(const FileValues& values) {
  const Json& json = values.json();
  const Json* kind = json.find("peft_type");
  if (kind == nullptr || !kind->is_string() || kind->string() != "LORA") {
    return values.fail("peft_type", kind == nullptr ? ErrorCode::NotFound : ErrorCode::Unsupported,
                       {"only adapters of the type \"LORA\" can be merged, and this is ",
                        kind == nullptr ? std::string("not stated") : kind->dump()});
  }
  for (const auto& [key, why] : kRefused) {
    const Json* value = json.find(key);
    if (value == nullptr || !is_set(*value)) continue;
    return values.fail(key, ErrorCode::Unsupported,
                       {why, "; merge it with PEFT (merge_and_unload), and open the result"});
  }
  constexpr const char* kStart = "init_lora_weights";
  const Json* start = json.find(kStart);
  if (start == nullptr || !start->is_string() ||
      std::ranges::find(kHarmlessStarts, start->string()) != kHarmlessStarts.end()) {
    return {};
  }
  return values.fail(kStart, ErrorCode::Unsupported,
                     {start->dump(),
                      " changed the weights of the base before the training; save the adapter "
                      "again with path_initial_model_for_weight_conversion"});
}

Result<double> read_positive(const FileValues& values, const char* key, const Json* value,
                             double most) {
  if (value != nullptr && value->is_number() && std::abs(value->number()) <= most &&
      value->number() != 0) {
    return value->number();
  }
  return values.fail(key, value == nullptr ? ErrorCode::NotFound : ErrorCode::BadValue,
                     {"expected a number other than 0",
                      value == nullptr ? std::string() : concat({", and not ", value->dump()})});
}

// Names with signs of regular expressions, which PEFT would search for, are refused.
Result<void> read_exceptions(const FileValues& values, const char* key, double most,
                             PeftConfig::Exceptions& exceptions) {
  constexpr std::string_view kSigns = "\\*+?()[]{}|$^";
  const Json* pattern = values.json().find(key);
  if (pattern == nullptr || pattern->is_null()) return {};
  if (!pattern->is_object()) {
    return values.fail(key, ErrorCode::BadValue, "expected an object of names and numbers");
  }
  for (const auto& [name, value] : pattern->members()) {
    if (name.find_first_of(kSigns) != std::string::npos) {
      return values.fail(key, ErrorCode::Unsupported,
                         {"\"", name, "\" is a regular expression; write the names out"});
    }
    AMBRY_TRY(const double number, read_positive(values, key, &value, most));
    exceptions.emplace_back(name, number);
  }
  return {};
}

Result<void> read_flag(const FileValues& values, const char* key, bool& flag) {
  const Json* value = values.json().find(key);
  if (value == nullptr || value->is_null()) return {};
  if (!value->is_bool()) return values.fail(key, ErrorCode::BadValue, "expected true or false");
  flag = value->boolean();
  return {};
}

// The first name that is the whole of the module's, or the end of it after a dot.
double exception_or(const PeftConfig::Exceptions& exceptions, std::string_view module,
                    double usual) {
  for (const auto& [name, value] : exceptions) {
    if (!module.ends_with(name)) continue;
    const size_t rest = module.size() - name.size();
    if (rest == 0 || module[rest - 1] == '.') return value;
  }
  return usual;
}

}  // namespace

double PeftConfig::rank_of(std::string_view module) const {
  return exception_or(ranks, module, rank);
}

double PeftConfig::scale_of(std::string_view module) const {
  const double own_rank = rank_of(module);
  return exception_or(alphas, module, alpha) / (root_scale ? std::sqrt(own_rank) : own_rank);
}

Result<PeftConfig> read_peft_config(const formats::huggingface::SideFiles& files,
                                    const std::string& name) {
  AMBRY_TRY(const Json json, formats::huggingface::require_json_file(files, name));
  const FileValues values(name, json);
  AMBRY_RETURN_IF_ERROR(refuse_others(values));
  PeftConfig config;
  AMBRY_TRY(config.rank, read_positive(values, "r", json.find("r"), kMostRank));
  if (config.rank < 1) return values.fail("r", ErrorCode::BadValue, "must be 1 or more");
  AMBRY_TRY(config.alpha, read_positive(values, "lora_alpha", json.find("lora_alpha"), 1e9));
  AMBRY_RETURN_IF_ERROR(read_exceptions(values, "rank_pattern", kMostRank, config.ranks));
  AMBRY_RETURN_IF_ERROR(read_exceptions(values, "alpha_pattern", 1e9, config.alphas));
  AMBRY_RETURN_IF_ERROR(read_flag(values, "use_rslora", config.root_scale));
  AMBRY_RETURN_IF_ERROR(read_flag(values, "fan_in_fan_out", config.fan_in_fan_out));
  return config;
}

}  // namespace ambry::convert
