#include "api/word_query.h"

#include <string>

#include "api/options.h"
#include "io/json.h"

namespace ambry::api {
namespace {

using io::Json;

// Calls visit(text) for the texts of a list.
template <class Visit>
Result<void> for_each_text(const Json& options, std::string_view name, const Visit& visit) {
  const Json* list = options.find(name);
  if (list == nullptr || list->is_null()) return {};
  if (!list->is_array()) return bad_option(name, "must be a list of strings");
  for (const Json& item : list->items()) {
    if (!item.is_string()) return bad_option(name, "must be a list of strings");
    AMBRY_CHECK(visit(item.string()));
  }
  return {};
}

}  // namespace

Result<WordQuery> WordQuery::read(std::string_view options, const infer::WordVectors& vectors) {
  AMBRY_TRY(const Json json, io::parse_json(options, 0, "options"));
  WordQuery query;
  if (const Json* k = json.find("k"); k != nullptr && !k->is_null()) {
    if (!k->is_uint()) return bad_option("k", "must be a whole number");
    query.k = static_cast<size_t>(std::min(k->uint(), vectors.n_words()));
  }
  AMBRY_TRY(const std::string metric, read_text(json, "metric", "cosine"));
  query.angular = metric == "angular";
  if (!query.angular && metric != "cosine") {
    return bad_option("metric", {"must be cosine or angular, not ", metric});
  }
  AMBRY_CHECK(for_each_text(json, "exclude", [&](std::string_view word) -> Result<void> {
    query.exclude(vectors, word);
    return {};
  }));
  AMBRY_CHECK(for_each_text(json, "include", [&](std::string_view name) -> Result<void> {
    if (name.size() != 1 || name[0] < 'a' || name[0] > 'c') {
      return bad_option("include", {"must list a, b or c, not ", name});
    }
    query.include[static_cast<size_t>(name[0] - 'a')] = true;
    return {};
  }));
  return query;
}

void WordQuery::exclude(const infer::WordVectors& vectors, std::string_view word) {
  if (const auto row = vectors.find(word)) excluded.push_back(*row);
}

}  // namespace ambry::api
