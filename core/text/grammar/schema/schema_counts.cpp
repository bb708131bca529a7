// The keywords that count: minLength, maxItems and the like.
#include <algorithm>

#include "text/grammar/form/form_limits.h"
#include "text/grammar/schema/schema_compiler.h"

namespace ambry::text {
namespace {

// The integer of 0 or more, which may be written as 3.0.
Result<uint64_t> read_count(const SchemaNode& node, const char* keyword) {
  const io::Json& value = *node.schema->find(keyword);
  const bool is_count = value.is_number() && value.number() >= 0 && type_of(value) == kInteger;
  if (is_count) return static_cast<uint64_t>(std::min(value.number(), 1e15));
  return make_error(ErrorCode::BadValue, {node.path, ".", keyword},
                    {keyword, " must be an integer of 0 or more"});
}

}  // namespace

Result<Counts> read_counts(const SchemaAlternative& alternative, const char* least,
                           const char* most) {
  Counts counts;
  for (const SchemaNode* node : alternative.with(least)) {
    AMBRY_TRY(const uint64_t count, read_count(*node, least));
    if (count > kMaxRepetitions) {
      return make_error(ErrorCode::LimitExceeded, {node->path, ".", least},
                        {least, " can be ", kMaxRepetitions, " at most"});
    }
    counts.least = std::max(counts.least, static_cast<uint32_t>(count));
  }
  for (const SchemaNode* node : alternative.with(most)) {
    AMBRY_TRY(const uint64_t count, read_count(*node, most));
    counts.most =
        std::min(counts.most, static_cast<uint32_t>(std::min<uint64_t>(count, kMaxRepetitions)));
  }
  return counts;
}

}  // namespace ambry::text
