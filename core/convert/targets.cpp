#include "convert/targets.h"

#include <algorithm>
#include <utility>

#include "convert/conversion_table.h"
#include "convert/plan/identify.h"
#include "convert/plan/option_checks.h"
#include "formats/registry.h"

namespace ambry::convert {
namespace {

Result<Target> try_row(const ConversionRow& row, const SourceFiles& sources,
                       const Options& options) {
  for (const auto check : {check_lowercase, check_task, check_dim, check_adapters}) {
    if (auto allowed = check(row.from, options); !allowed) {
      return Target{row.to, std::move(allowed).error()};
    }
  }
  auto job = row.begin(sources, options);
  if (job) return Target{row.to, std::nullopt};
  if (job.error().code == ErrorCode::NeedBytes) return job.take_error();
  return Target{row.to, std::move(job).error()};
}

}  // namespace

std::vector<std::string_view> targets_of(std::string_view from) {
  std::vector<std::string_view> targets;
  for (const ConversionRow& row : conversions()) {
    if (row.from == from) targets.push_back(row.to);
  }
  const formats::Format* format = formats::find_format(from);
  const bool listed = std::ranges::find(targets, from) != targets.end();
  if (format != nullptr && format->lay_out != nullptr && !listed)
    targets.push_back(format->facts.id);
  return targets;
}

Result<Targets> find_targets(const SourceFiles& sources, Options options) {
  Targets found;
  AMBRY_TRY(found.from, identify(sources, options));
  const auto add = [&](const ConversionRow& row) -> Result<void> {
    options.to = row.to;
    AMBRY_TRY(Target target, try_row(row, sources, options));
    found.targets.push_back(std::move(target));
    return {};
  };
  bool to_itself = false;
  for (const ConversionRow& row : conversions()) {
    if (row.from != found.from) continue;
    AMBRY_RETURN_IF_ERROR(add(row));
    to_itself |= row.to == found.from;
  }
  options.to = found.from;
  // The table lists only rewrites that can also change the file.
  if (const auto rewrite = find_conversion(found.from, options); rewrite && !to_itself) {
    AMBRY_RETURN_IF_ERROR(add(*rewrite));
  }
  return found;
}

}  // namespace ambry::convert
