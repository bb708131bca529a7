#include "convert/conversion.h"

#include <utility>

#include "convert/conversions.h"
#include "convert/quantizations.h"

namespace ambry::convert {

Result<Conversion> Conversion::begin(const Sources& sources, const Options& options) {
  if (options.quantize) {
    AMBRY_TRY(auto job, begin_quantization(sources, options));
    return Conversion(std::move(job));
  }
  AMBRY_TRY(const std::string_view from, identify(sources, options));
  AMBRY_TRY(const ConversionRow row, find_conversion(from, options));
  AMBRY_TRY(auto job, row.begin(sources, options));
  return Conversion(std::move(job));
}

}  // namespace ambry::convert
