#include "api/call/outcome.h"

#include "api/call/documents.h"
#include "base/concat.h"
#include "io/json/json.h"

namespace ambry::api {

std::string success_text(std::string_view value) { return concat({R"({"value":)", value, "}"}); }

std::string failure_text(const Error& error) {
  return concat({R"({"error":)", problem(error).dump(), "}"});
}

std::string quoted(std::string_view text) { return io::Json(text).dump(); }

}  // namespace ambry::api
