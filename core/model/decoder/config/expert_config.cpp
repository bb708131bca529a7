#include "model/decoder/config/expert_config.h"

#include <utility>

#include "model/decoder/architectures/architecture.h"
#include "model/metadata/metadata_value.h"

namespace ambry::model {
namespace {

constexpr std::string_view kExpertSection = "config";
// Far above any real model. They keep a hostile value from growing the list of expected tensors.
constexpr uint32_t kMaxExperts = 1024;
constexpr uint32_t kMaxExpertsOfAllLayers = 32 * 1024;

class ExpertReader {
 public:
  explicit ExpertReader(const io::Json& config) : json_(config) {}

  Result<ExpertConfig> read(const ArchitectureDefaults& defaults, uint32_t n_layers, uint32_t n_ff);

 private:
  // Our name of a fact, or Hugging Face's if only that is present.
  [[nodiscard]] const char* key(const char* name, const char* other) const {
    return !has_value(json_, name) && has_value(json_, other) ? other : name;
  }
  Failure fail(const char* name, ErrorCode code, const Text& message) const {
    return metadata_error(json_, name, code, message, kExpertSection);
  }
  Result<void> check_counts(uint32_t n_layers) const;
  Result<void> check_arrangement() const;
  [[nodiscard]] const char* count_key() const {
    return key(key("n_experts", "num_experts"), "num_local_experts");
  }

  const io::Json& json_;
  ExpertConfig experts_;
};

Result<ExpertConfig> ExpertReader::read(const ArchitectureDefaults& defaults, uint32_t n_layers,
                                        uint32_t n_ff) {
  experts_.sigmoid = defaults.sigmoid_router;
  experts_.normalize = defaults.normalizes_experts;
  experts_.shared = defaults.shared_experts;
  experts_.norms = defaults.expert_norms;
  experts_.n_ff = n_ff;
  const char* width = key("n_ff_expert", "moe_intermediate_size");
  AMBRY_RETURN_IF_ERROR(
      read_values(json_,
                  {{count_key(), experts_.count},
                   {key("n_experts_used", "num_experts_per_tok"), experts_.used},
                   {width, experts_.n_ff},
                   {key("n_dense_layers", "num_dense_layers"), experts_.first_layer},
                   {"norm_topk_prob", experts_.normalize},
                   {key("expert_scale", "routed_scaling_factor"), experts_.scale}},
                  kExpertSection));
  if (experts_.count == 0 && defaults.may_lack_experts) return ExpertConfig();
  AMBRY_RETURN_IF_ERROR(check_counts(n_layers));
  AMBRY_RETURN_IF_ERROR(check_arrangement());
  if (experts_.n_ff == 0) return fail(width, ErrorCode::BadValue, "must be at least 1");
  return experts_;
}

Result<void> ExpertReader::check_counts(uint32_t n_layers) const {
  const char* count = count_key();
  if (experts_.count == 0) {
    return has_value(json_, count) ? fail(count, ErrorCode::BadValue, "must be at least 1")
                                   : fail(count, ErrorCode::NotFound,
                                          "the config does not state the number of experts");
  }
  if (experts_.count > kMaxExperts) {
    return fail(count, ErrorCode::LimitExceeded,
                {experts_.count, " experts in a layer, at most ", kMaxExperts, " are supported"});
  }
  if (experts_.count * n_layers > kMaxExpertsOfAllLayers) {
    return fail(count, ErrorCode::LimitExceeded,
                {experts_.count, " experts in each of ", n_layers, " layers, at most ",
                 kMaxExpertsOfAllLayers, " together are supported"});
  }
  const char* used = key("n_experts_used", "num_experts_per_tok");
  if (experts_.used == 0 || experts_.used > experts_.count) {
    return fail(used, has_value(json_, used) ? ErrorCode::BadValue : ErrorCode::NotFound,
                {"a token takes ", experts_.used, " of ", experts_.count,
                 " experts; it must take at least one and at most all"});
  }
  if (experts_.first_layer <= n_layers) return {};
  return fail(key("n_dense_layers", "num_dense_layers"), ErrorCode::BadValue,
              {experts_.first_layer, ", but the model has ", n_layers, " layers"});
}

// Other arrangements of layers and experts than are supported.
Result<void> ExpertReader::check_arrangement() const {
  // llama.cpp's numbers of the functions that scores are made with.
  const uint32_t function = experts_.sigmoid ? 2 : 1;
  const std::pair<const char*, uint32_t> kUsual[] = {{"decoder_sparse_step", 1},
                                                     {"n_group", 1},
                                                     {"topk_group", 1},
                                                     {"n_expert_groups", 1},
                                                     {"expert_gating_func", function}};
  for (const auto& [name, usual] : kUsual) {
    const io::Json* value = json_.find(name);
    if (value == nullptr || value->is_null()) continue;
    const bool none = value->is_uint() && value->uint() == 0;
    if (none || (value->is_uint() && value->uint() == usual)) continue;
    return fail(name, ErrorCode::Unsupported,
                {value->dump(), " is not supported; only ", usual, " is"});
  }
  const io::Json* dense = json_.find("mlp_only_layers");
  if (dense == nullptr || dense->is_null() || (dense->is_array() && dense->items().empty()))
    return {};
  return fail("mlp_only_layers", ErrorCode::Unsupported, "layers without experts among others");
}

}  // namespace

Result<ExpertConfig> expert_config(const io::Json& config, const ArchitectureDefaults& defaults,
                                   uint32_t n_layers, uint32_t n_ff) {
  if (!defaults.experts) return ExpertConfig();
  return ExpertReader(config).read(defaults, n_layers, n_ff);
}

}  // namespace ambry::model
