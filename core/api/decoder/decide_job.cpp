#include "api/decoder/decide_job.h"

#include <vector>

#include "api/call/options.h"
#include "api/decoder/progress_document.h"
#include "io/json/json.h"

namespace ambry::api {
namespace {

using io::Json;

// A list of {head, items}. Empty where there is no list.
Result<std::vector<generate::TextList>> read_lists(const Json& options, std::string_view name) {
  std::vector<generate::TextList> lists;
  const Json* given = options.find(name);
  if (given == nullptr || !given->is_array()) return lists;
  for (const Json& item : given->items()) {
    generate::TextList& list = lists.emplace_back();
    AMBRY_TRY(list.head, read_text(item, "head", ""));
    AMBRY_TRY(list.items, read_texts(item, "items"));
  }
  return lists;
}

}  // namespace

Result<std::unique_ptr<DecideJob>> DecideJob::begin(std::shared_ptr<generate::Generator> generator,
                                                    std::string_view options) {
  AMBRY_TRY(const Json json, io::parse_json(options, 0, "options"));
  generate::ChoiceForm form;
  AMBRY_TRY(form.questions, read_lists(json, "questions"));
  AMBRY_TRY(form.texts, read_lists(json, "texts"));
  AMBRY_TRY(form.special, read_bool(json, "special", true));
  AMBRY_TRY(form.by_tokens, read_bool(json, "byTokens", false));
  AMBRY_TRY(form.has_prior, read_bool(json, "prior", false));
  AMBRY_TRY(auto work, generate::ChoiceScores::begin(std::move(generator), std::move(form)));
  return std::unique_ptr<DecideJob>(new DecideJob(std::move(work)));
}

Result<std::string> DecideJob::step() {
  AMBRY_TRY(const generate::PassProgress progress, work_->step());
  return progress_document(progress).dump();
}

}  // namespace ambry::api
