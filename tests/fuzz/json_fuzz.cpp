// JSON: what parses prints as JSON that parses to the same text again.
#include <cstdlib>

#include "base/bytes.h"
#include "io/json/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto value = ambry::io::parse_json(ambry::as_text({data, size}));
  if (!value) {
    if (value.error().byte_offset > size) std::abort();
    return 0;
  }
  const std::string text = value->dump();
  const auto again = ambry::io::parse_json(text);
  if (!again || again->dump() != text) std::abort();
  return 0;
}
