// Opens generators from files in memory, and gives their jobs the missing tensors.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "api/decoder/generate_job.h"
#include "api/decoder/generator_loader.h"
#include "api/decoder/generator_model.h"
#include "api/decoder/pass_jobs.h"
#include "api/model/load_model.h"
#include "io/json/json.h"

namespace ambry::api::testing {

using File = std::vector<uint8_t>;

// Gives the tensors of JSON [[tensor, offset, bytes]].
inline Result<void> give(TensorReceiver& taker, const File& file, std::string_view places) {
  AMBRY_TRY(const io::Json list, io::parse_json(places));
  for (const io::Json& place : list.items()) {
    AMBRY_TRY(const MutableBytes window, taker.window(place.items()[0].uint()));
    const uint64_t offset = place.items()[1].uint();
    EXPECT_EQ(window.size(), place.items()[2].uint());
    std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(offset), window.size(), window.begin());
    AMBRY_RETURN_IF_ERROR(taker.put());
  }
  return {};
}

inline Result<GeneratorModel> open_generator(const File& file, std::string_view settings = "{}") {
  const io::MemorySource source(file);
  AMBRY_TRY(auto loader, GeneratorLoader::begin(source, settings));
  AMBRY_RETURN_IF_ERROR(fill_sink(*loader, file));
  AMBRY_RETURN_IF_ERROR(give(*loader, file, loader->needed()));
  return finish<GeneratorModel>(*loader);
}

// Steps until the job is done. `see` gets the report of each step.
template <class Job, class See>
Result<void> run(Job& job, GeneratorModel& session, const File& file, const See& see) {
  for (;;) {
    AMBRY_TRY(const std::string text, job.step());
    AMBRY_TRY(const io::Json report, io::parse_json(text));
    see(report);
    if (report.find("done")->boolean()) return {};
    if (const io::Json* part = report.find("part"); !part->is_null()) {
      AMBRY_TRY(const std::string places, session.room_for(part->uint()));
      AMBRY_RETURN_IF_ERROR(give(session, file, places));
    }
  }
}

struct Answer {
  std::vector<uint32_t> prompt_ids;
  std::vector<uint32_t> ids;
  std::string text;
  std::string stop;
  std::vector<io::Json> tokens;
};

inline std::vector<uint32_t> numbers_in(const io::Json& list) {
  std::vector<uint32_t> numbers;
  for (const io::Json& item : list.items()) numbers.push_back(static_cast<uint32_t>(item.uint()));
  return numbers;
}

// One of the results of a job.
inline Answer answer_of(const io::Json& result) {
  Answer made;
  made.prompt_ids = numbers_in(*result.find("promptIds"));
  made.ids = numbers_in(*result.find("ids"));
  made.text = result.find("text")->string();
  if (const io::Json& stop = *result.find("stop"); !stop.is_null()) made.stop = stop.string();
  return made;
}

inline Result<Answer> answer(GeneratorModel& session, const File& file, std::string_view text,
                             std::string_view options) {
  AMBRY_TRY(GenerateJob job, GenerateJob::begin(session.generator(), text, options));
  std::vector<io::Json> tokens;
  AMBRY_RETURN_IF_ERROR(run(job, session, file, [&](const io::Json& report) {
    for (const io::Json& token : report.find("tokens")->items()) tokens.push_back(token);
  }));
  AMBRY_TRY(const io::Json results, io::parse_json(job.result()));
  Answer made = answer_of(results.items().front());
  made.tokens = std::move(tokens);
  return made;
}

// Rows as long as the session's vocabulary.
inline Result<std::vector<float>> logits(GeneratorModel& session, const File& file,
                                         std::string_view text, std::string_view options) {
  AMBRY_TRY(LogitsJob job, api::begin_logits(session.generator(), text, options));
  AMBRY_RETURN_IF_ERROR(run(job, session, file, [](const io::Json&) {}));
  return std::vector<float>(job.work().rows().begin(), job.work().rows().end());
}

inline Result<io::Json> perplexity(GeneratorModel& session, const File& file, std::string_view text,
                                   std::string_view options = "{}") {
  AMBRY_TRY(PerplexityJob job, api::begin_perplexity(session.generator(), text, options));
  AMBRY_RETURN_IF_ERROR(run(job, session, file, [](const io::Json&) {}));
  return io::parse_json(perplexity_report(job.work()));
}

}  // namespace ambry::api::testing
