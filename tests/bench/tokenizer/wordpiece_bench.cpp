// WordPiece in MB of text per second, over English and over text where most characters are mapped.
// With AMBRY_DATA set the vocabulary is the real one of BERT; otherwise letters and pairs of
// letters.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "text/wordpiece/wordpiece.h"

namespace ambry::text {
namespace {

void add_real_vocabulary(model::Vocabulary& vocabulary) {
  const char* folder = std::getenv("AMBRY_DATA");
  if (folder == nullptr) return;
  std::FILE* file = std::fopen((std::string(folder) + "/tokenizers/bert/vocab.txt").c_str(), "rb");
  if (file == nullptr) return;
  std::string line;
  for (int c; (c = std::fgetc(file)) != EOF;) {
    if (c != '\n') {
      line.push_back(static_cast<char>(c));
      continue;
    }
    vocabulary.push_back(line);
    line.clear();
  }
  std::fclose(file);
}

void add_letters(model::Vocabulary& vocabulary) {
  for (const char* special : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}) {
    vocabulary.push_back(special);
  }
  for (char a = 'a'; a <= 'z'; ++a) {
    vocabulary.push_back(std::string(1, a));
    vocabulary.push_back(std::string("##") + a);
    for (char b = 'a'; b <= 'z'; ++b) vocabulary.push_back(std::string{'#', '#', a, b});
  }
}

const Tokenizer& tokenizer() {
  static const std::unique_ptr<Tokenizer> made = [] {
    model::TokenizerData data;
    add_real_vocabulary(data.vocabulary);
    if (data.vocabulary.empty()) add_letters(data.vocabulary);
    return WordPiece::create(std::move(data)).value();
  }();
  return *made;
}

void encode(benchmark::State& state, std::string_view sentence) {
  std::string text;
  while (text.size() < 100000) text += sentence;
  for (auto _ : state) benchmark::DoNotOptimize(tokenizer().encode(text, {}));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}

void english(benchmark::State& state) {
  encode(
      state,
      "The old harbour, which had been quiet since the war, filled with boats from every island; "
      "nobody could say (or would say) why the fishermen's children were singing at 4 a.m. ");
}
BENCHMARK(english);

void accents(benchmark::State& state) {
  encode(state,
         "D\u00E9j\u00E0 vu: la for\u00EAt s'\u00E9veille, o\u00F9 na\u00EEt l'\u00E9t\u00E9. "
         "Ti\u1EBFng Vi\u1EC7t r\u1EA5t \u0111\u1EB9p. ");
}
BENCHMARK(accents);

void ideographs(benchmark::State& state) {
  encode(state,
         "\u6771\u4EAC\u306F\u65E5\u672C\u306E\u9996\u90FD\u3067\u3059\u3002\u4EBA\u53E3\u304C"
         "\u591A\u3044\u3002");
}
BENCHMARK(ideographs);

void one_long_word(benchmark::State& state) { encode(state, "qzxvkjwpy"); }
BENCHMARK(one_long_word);

void unknown_words(benchmark::State& state) {
  encode(state, "qzxvkjwpyqzxvkjwpyqzxvkjwpyqzxvkjwpy ");
}
BENCHMARK(unknown_words);

void create(benchmark::State& state) {
  model::TokenizerData data;
  add_real_vocabulary(data.vocabulary);
  if (data.vocabulary.empty()) add_letters(data.vocabulary);
  for (auto _ : state) benchmark::DoNotOptimize(WordPiece::create(data));
}
BENCHMARK(create)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ambry::text
