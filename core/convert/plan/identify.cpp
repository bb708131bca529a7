#include "convert/plan/identify.h"

#include <algorithm>

#include "convert/import/import_formats.h"
#include "formats/registry.h"

namespace ambry::convert {

Result<std::string_view> identify(const SourceFiles& sources, const Options& options) {
  const auto named = std::ranges::find(import_formats(), options.from,
                                       [](const ImportFormat& format) { return format.facts.id; });
  if (named != import_formats().end()) return named->facts.id;
  if (!options.from.empty() && formats::find_format(options.from) == nullptr) {
    return make_error(ErrorCode::BadValue, "options.from",
                      {"\"", options.from, "\" is not a known format"});
  }
  auto format = formats::recognise(sources.main());
  if (format && !options.from.empty() && (*format)->facts.id != options.from) {
    return make_error(ErrorCode::Mismatch, "options.from",
                      {"the source is ", (*format)->facts.id, ", not ", options.from});
  }
  if (format) return (*format)->facts.id;
  if (format.error().code != ErrorCode::BadMagic) return format.take_error();
  for (const ImportFormat& import_format : import_formats()) {
    if (import_format.probe == nullptr) continue;
    AMBRY_TRY(const bool yes, import_format.probe(sources.main()));
    if (yes) return import_format.facts.id;
  }
  return format.take_error();
}

}  // namespace ambry::convert
