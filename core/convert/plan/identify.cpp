#include "convert/plan/identify.h"

#include <algorithm>

#include "convert/import/import_formats.h"
#include "convert/plan/source_model.h"
#include "formats/registry.h"
#include "io/lfs_pointer.h"

namespace ambry::convert {

namespace {

// A clone without Git LFS has pointers in the place of any of the files.
Result<void> refuse_pointers(const SourceFiles& sources) {
  for (uint32_t number = 0; number < sources.files().size(); ++number) {
    const auto& [name, source] = sources.files()[number];
    if (name.empty()) continue;
    auto is_pointer = source->starts_with(io::kLfsPointer);
    if (!is_pointer) return in_source_file(is_pointer.take_error(), sources, number);
    if (*is_pointer) return io::lfs_pointer_error(name);
  }
  return {};
}

}  // namespace

Result<std::string_view> identify(const SourceFiles& sources, const Options& options) {
  const auto named = std::ranges::find(import_formats(), options.from,
                                       [](const ImportFormat& format) { return format.facts.id; });
  if (named != import_formats().end()) return named->facts.id;
  if (!options.from.empty() && formats::find_format(options.from) == nullptr) {
    return make_error(ErrorCode::BadValue, "options.from",
                      {"\"", options.from, "\" is not a known format"});
  }
  AMBRY_RETURN_IF_ERROR(refuse_pointers(sources));
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
