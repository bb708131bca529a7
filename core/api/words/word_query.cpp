#include "api/words/word_query.h"

#include <string>

#include "api/call/options.h"
#include "io/json/json.h"

namespace ambry::api {

using io::Json;

Result<WordQuery> WordQuery::read(std::string_view options, const infer::WordVectors& vectors) {
  AMBRY_TRY(const Json json, io::parse_json(options, 0, "options"));
  WordQuery query;
  if (const Json* k = json.find("k"); k != nullptr && !k->is_null()) {
    if (!k->is_uint()) return bad_option("k", "must be an integer of 0 or more");
    query.k = static_cast<size_t>(std::min(k->uint(), vectors.n_words()));
  }
  AMBRY_TRY(const std::string metric, read_text(json, "metric", "cosine"));
  query.angular = metric == "angular";
  if (!query.angular && metric != "cosine") {
    return bad_option("metric", {"must be cosine or angular, not ", metric});
  }
  AMBRY_TRY(const auto excluded, read_texts(json, "exclude"));
  for (const std::string& word : excluded) query.exclude(vectors, word);
  AMBRY_TRY(const auto included, read_texts(json, "include"));
  for (const std::string& name : included) {
    if (name.size() != 1 || name[0] < 'a' || name[0] > 'c') {
      return bad_option("include", {"must list a, b or c, not ", name});
    }
    query.include[static_cast<size_t>(name[0] - 'a')] = true;
  }
  return query;
}

void WordQuery::exclude(const infer::WordVectors& vectors, std::string_view word) {
  if (const auto row = vectors.find(word)) excluded.push_back(*row);
}

}  // namespace ambry::api
