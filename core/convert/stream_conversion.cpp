#include "convert/stream_conversion.h"

#include <utility>

#include "convert/checked_job.h"
#include "convert/conversion_table.h"
#include "convert/plan/identify.h"
#include "convert/plan/option_checks.h"
#include "convert/quantizations.h"
#include "io/toml/toml.h"

namespace ambry::convert {
namespace {

// Checks the options that apply only to finalfusion; only one of them may be set.
Result<void> check_of_vectors(std::string_view from, const Options& options) {
  const int n_asked = int{options.reconstruct} + int{options.explicit_ngrams} +
                      int{options.select.has_value()} + int{options.quantize.has_value()};
  if (n_asked > 1) {
    return make_error(ErrorCode::BadValue, "options",
                      "only one of reconstruct, explicit, select and quantize may be used");
  }
  const char* const asked = options.select            ? "options.select"
                            : options.explicit_ngrams ? "options.explicit"
                                                      : nullptr;
  if (asked == nullptr || from == "finalfusion") return {};
  return make_error(
      ErrorCode::Unsupported, asked,
      {"works only on finalfusion files; convert the ", from, " file to finalfusion first"});
}

Result<void> check_toml(const Options& options) {
  constexpr const char* kPath = "options.metadataToml";
  if (!options.metadata_toml) return {};
  if (options.to != "finalfusion") {
    return make_error(ErrorCode::Unsupported, kPath,
                      {options.to, " files cannot hold TOML metadata"});
  }
  if (!options.metadata.empty() || options.reconstruct || options.explicit_ngrams ||
      options.quantize) {
    return make_error(ErrorCode::Unsupported, kPath,
                      "cannot be combined with metadata, reconstruct, explicit or quantize");
  }
  AMBRY_RETURN_IF_ERROR(io::parse_toml(*options.metadata_toml, 0, kPath));
  return {};
}

Result<std::unique_ptr<Job>> begin_job(const SourceFiles& sources, std::string_view from,
                                       const Options& options) {
  AMBRY_RETURN_IF_ERROR(check_of_vectors(from, options));
  AMBRY_RETURN_IF_ERROR(check_lowercase(from, options));
  AMBRY_RETURN_IF_ERROR(check_task(from, options));
  AMBRY_RETURN_IF_ERROR(check_dim(from, options));
  AMBRY_RETURN_IF_ERROR(check_adapters(from, options));
  if (options.quantize) return begin_quantization(sources, options);
  AMBRY_TRY(const ConversionRow row, find_conversion(from, options));
  return row.begin(sources, options);
}

}  // namespace

Result<Conversion> Conversion::begin(const SourceFiles& sources, const Options& options) {
  AMBRY_RETURN_IF_ERROR(check_toml(options));
  AMBRY_TRY(const std::string_view from, identify(sources, options));
  AMBRY_TRY(auto job, begin_job(sources, from, options));
  AMBRY_TRY(auto checked, with_checksums(std::move(job), sources, from, options));
  return Conversion(from, std::move(checked));
}

}  // namespace ambry::convert
