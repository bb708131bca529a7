// Opens files of word vectors as a worker does, for the tests of words.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/model/load_model.h"
#include "api/words/accuracy_job.h"
#include "api/words/sentence_job.h"
#include "api/words/words_model.h"
#include "io/json/json.h"

namespace ambry::api::testing {

using File = std::vector<uint8_t>;

inline Result<void> stream(ByteSink& sink, const File& file, size_t piece = 1 << 20) {
  while (sink.wanted() > 0) {
    const MutableBytes window = sink.window();
    const size_t n = std::min({window.size(), piece, static_cast<size_t>(sink.wanted())});
    std::memcpy(window.data(), file.data() + sink.start(), n);
    AMBRY_RETURN_IF_ERROR(sink.commit(n));
  }
  return {};
}

inline Result<WordsModel> open_words(const File& file, size_t piece = 1 << 20) {
  const io::MemorySource source(file);
  AMBRY_TRY(const auto loader, WordsModel::load(source, "{}"));
  AMBRY_RETURN_IF_ERROR(stream(*loader, file, piece));
  return finish<WordsModel>(*loader);
}

using Ranking = std::vector<std::pair<std::string, double>>;

inline Ranking ranking(const Result<std::string>& answer) {
  EXPECT_TRUE(answer) << describe(answer.error());
  Ranking hits;
  const auto json = io::parse_json(*answer);
  EXPECT_TRUE(json);
  for (const io::Json& hit : json->items()) {
    hits.emplace_back(hit.find("word")->string(), hit.find("score")->number());
  }
  return hits;
}

inline std::vector<std::string> words_of(const Ranking& hits) {
  std::vector<std::string> words;
  words.reserve(hits.size());
  for (const auto& [word, score] : hits) words.push_back(word);
  return words;
}

inline void expect_near(const Ranking& found, const Ranking& expected, double bound) {
  ASSERT_EQ(words_of(found), words_of(expected));
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].second, expected[i].second, bound) << found[i].first;
  }
}

// The vector of one word.
inline std::vector<float> vector_of(const WordsModel& session, std::string_view word,
                                    bool unnormalized = false) {
  io::Json words = io::Json::array();
  words.append(word);
  const auto batch = session.vectors(words.dump(), unnormalized);
  EXPECT_TRUE(batch) << describe(batch.error());
  return {batch->rows().begin(), batch->rows().end()};
}

inline void expect_error(const Error& error, ErrorCode code, std::string_view path) {
  EXPECT_EQ(error.code, code) << describe(error);
  EXPECT_EQ(error.path, path) << describe(error);
}

}  // namespace ambry::api::testing
