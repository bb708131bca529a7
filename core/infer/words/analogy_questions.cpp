#include "infer/words/analogy_questions.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/order.h"
#include "base/utf8.h"
#include "infer/words/nearest_words.h"
#include "text/unicode/unicode.h"

namespace ambry::infer {
namespace {

bool is_space(char32_t c) {
  return (text::Unicode::instance().flags(c) & text::char_flags::kWhiteSpace) != 0;
}

}  // namespace

Result<AnalogyQuestions> AnalogyQuestions::parse(std::string_view text) {
  if (text.size() > UINT32_MAX) {
    return make_error(ErrorCode::LimitExceeded, "questions", "more than 4 GiB");
  }
  if (const auto bad = find_invalid_utf8(text)) {
    return error_at(ErrorCode::BadValue, *bad, "questions", "not valid UTF-8");
  }
  AnalogyQuestions questions;
  questions.text_ = text;
  size_t line_index = 0;
  for (size_t begin = 0; begin < text.size(); ++line_index) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    AMBRY_RETURN_IF_ERROR(questions.add_line(text.substr(begin, end - begin), begin, line_index));
    begin = end + 1;
  }
  questions.sort_sections();
  return questions;
}

Result<void> AnalogyQuestions::add_line(std::string_view line, size_t begin, size_t line_index) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.starts_with(": ")) {
    section_ = section_of(line.substr(2));
    return {};
  }
  Question question;
  size_t n_words = 0;
  bool in_word = false;
  for (size_t i = 0; i < line.size();) {
    const DecodedCodePoint c = decode_utf8(line, i);
    if (is_space(c.code_point)) {
      in_word = false;
    } else {
      if (!in_word) ++n_words;
      in_word = true;
      if (n_words > question.words.size()) break;
      Word& word = question.words[n_words - 1];
      if (word.size == 0) word.begin = static_cast<uint32_t>(begin + i);
      word.size += c.n_bytes;
    }
    i += c.n_bytes;
  }
  if (n_words == 0) return {};
  if (n_words != question.words.size()) {
    return error_at(ErrorCode::BadValue, begin, {"questions[", line_index, "]"},
                    "four words expected, or a section after \": \"");
  }
  if (sections_.empty()) section_ = section_of("");
  question.section = section_;
  questions_.push_back(question);
  return {};
}

uint32_t AnalogyQuestions::section_of(std::string_view name) {
  const auto found = std::ranges::find(sections_, name, &AnalogySection::name);
  if (found != sections_.end()) return static_cast<uint32_t>(found - sections_.begin());
  sections_.push_back({std::string(name)});
  return static_cast<uint32_t>(sections_.size() - 1);
}

void AnalogyQuestions::sort_sections() {
  const auto order = sorted_order(sections_.size(), [&](uint32_t a, uint32_t b) {
    return sections_[a].name < sections_[b].name;
  });
  std::vector<AnalogySection> sorted;
  std::vector<uint32_t> place(order.size());
  for (const uint32_t section : order) {
    place[section] = static_cast<uint32_t>(sorted.size());
    sorted.push_back(std::move(sections_[section]));
  }
  sections_ = std::move(sorted);
  for (Question& question : questions_) question.section = place[question.section];
}

// Counts a question that cannot be asked. Appends one that can to `asked`.
Result<void> AnalogyQuestions::prepare(const WordVectors& vectors, const Question& question,
                                       std::vector<Asked>& asked) {
  AnalogySection& section = sections_[question.section];
  const auto answer = vectors.find(text_of(question.words[3]));
  if (!answer) {
    ++section.skipped;
    return {};
  }
  ++section.count;
  const std::array words = {text_of(question.words[0]), text_of(question.words[1]),
                            text_of(question.words[2])};
  auto vector = analogy_vector(vectors, words);
  if (!vector && vector.error().code == ErrorCode::NotFound) return {};
  if (!vector) return vector.take_error();
  Asked& next = asked.emplace_back();
  next.section = question.section;
  next.answer = *answer;
  next.vector = std::move(*vector);
  for (const std::string_view word : words) {
    if (const auto row = vectors.find(word)) next.excluded.push_back(*row);
  }
  return {};
}

Result<void> AnalogyQuestions::ask(const WordVectors& vectors, size_t first, size_t count) {
  std::vector<Asked> asked;
  for (const Question& question : std::span(questions_).subspan(first, count)) {
    AMBRY_RETURN_IF_ERROR(prepare(vectors, question, asked));
  }
  std::vector<NearestQuery> queries;
  queries.reserve(asked.size());
  for (const Asked& one : asked) queries.push_back({one.vector, one.excluded});
  AMBRY_TRY(const auto found, nearest_words(vectors, queries, 1));
  for (size_t i = 0; i < asked.size(); ++i) {
    if (found[i].empty()) continue;
    AnalogySection& section = sections_[asked[i].section];
    if (found[i].front().row == asked[i].answer) ++section.correct;
    section.cosines += double{found[i].front().score};
  }
  return {};
}

}  // namespace ambry::infer
