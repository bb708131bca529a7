// What the mask of allowed tokens costs: the µs for a mask that is computed for the first time, on
// average over an answer, and for one that is known. The vocabularies have as many tokens as those
// of Llama 2 and Qwen 2, with random words of a few letters, with and without a space before them,
// and one in four of other scripts. A token of a model of 60 MB takes about 5 ms.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/random.h"
#include "base/utf8.h"
#include "io/json/json.h"
#include "model/tokenizer/bpe/byte_alphabet.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/bpe/byte_level_bpe.h"
#include "text/grammar/matcher/grammar_matcher.h"
#include "text/grammar/matcher/token_index.h"
#include "text/grammar/matcher/token_masks.h"
#include "text/grammar/schema/json_schema.h"

namespace {

using namespace ambry;  // NOLINT(google-build-using-namespace)

std::string random_word(Random& random) {
  std::string word = random.below(2) == 0 ? " " : "";
  const bool is_ascii = random.below(4) > 0;
  const char32_t first = is_ascii ? 'a' : random.below(2) == 0 ? U'а' : U'一';
  const uint64_t n_letters = is_ascii ? 26 : first == U'а' ? 32 : 5000;
  const uint64_t length = is_ascii || first == U'а' ? 2 + random.below(9) : 1 + random.below(3);
  for (uint64_t i = 0; i < length; ++i) {
    // Few letters are frequent, so that words share beginnings.
    const uint64_t letter = random.below(1 + random.below(n_letters));
    append_utf8(word, first + static_cast<char32_t>(letter));
  }
  return word;
}

std::unique_ptr<text::Tokenizer> vocabulary_of(size_t n_tokens) {
  model::TokenizerData data;
  data.kind = model::TokenizerKind::Bpe;
  data.pretokenizer = "gpt2";
  const auto& alphabet = model::ByteAlphabet::instance();
  for (unsigned byte = 0; byte < 256; ++byte) {
    data.vocabulary.push_back(alphabet.spelling(static_cast<uint8_t>(byte)));
  }
  const auto add = [&](std::string_view bytes) {
    std::string spelled;
    alphabet.append_spelled(bytes, spelled);
    data.vocabulary.push_back(spelled);
  };
  for (const char* token :
       {"\":", "\": ", "\",", "\", \"", "{\"", "\"}", "\"},", "\": \"", "\\n", "\n\n"})
    add(token);
  Random random(n_tokens);
  while (data.vocabulary.size() < n_tokens) add(random_word(random));
  return std::move(text::ByteLevelBpe::create(std::move(data))).value();
}

constexpr std::string_view kSchema = R"({
  "type": "object",
  "required": ["name", "age", "tags", "address"],
  "properties": {
    "name": {"type": "string"},
    "age": {"type": "integer", "minimum": 0, "maximum": 150},
    "tags": {"type": "array", "items": {"type": "string"}},
    "address": {
      "type": "object",
      "required": ["street", "city"],
      "properties": {
        "street": {"type": "string", "maxLength": 60},
        "city": {"type": "string"},
        "zip": {"type": "string", "pattern": "^[0-9]{5}$"}
      }
    }
  }
})";
constexpr std::string_view kAnswer =
    R"({"name": "Ada Lovelace", "age": 36, "tags": ["mathematics", "machines", "poetry"], )"
    R"("address": {"street": "12 Saint James Square, Westminster", "city": "London", "zip": "10001"}})";

text::GrammarMatcher schema_matcher() {
  const auto schema = io::parse_json(kSchema);
  const auto grammar = text::parse_json_schema(*schema, "schema");
  return std::move(text::GrammarMatcher::create(*grammar, "schema")).value();
}

// Masks along an answer, at every fourth byte, which is about a token. Nothing is known before.
void new_answer(benchmark::State& bench) {
  const auto tokenizer = vocabulary_of(static_cast<size_t>(bench.range(0)));
  const text::TokenIndex tokens(*tokenizer, tokenizer->size());
  size_t n_masks = 0;
  for (auto _ : bench) {
    text::GrammarMatcher matcher = schema_matcher();
    text::TokenMasks masks(tokens, tokenizer->end_ids());
    auto state = matcher.start();
    for (size_t i = 0; i < kAnswer.size(); ++i) {
      if (i % 4 == 0) {
        benchmark::DoNotOptimize(masks.allowed(matcher, state).data());
        ++n_masks;
      }
      state = matcher.next(state, static_cast<uint8_t>(kAnswer[i]));
    }
    if (!matcher.can_end(state)) bench.SkipWithError("the answer does not fit the schema");
  }
  bench.counters["us_per_mask"] =
      benchmark::Counter(static_cast<double>(n_masks) * 1e-6,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void in_a_string(benchmark::State& bench) {
  const auto tokenizer = vocabulary_of(static_cast<size_t>(bench.range(0)));
  const text::TokenIndex tokens(*tokenizer, tokenizer->size());
  text::GrammarMatcher matcher = schema_matcher();
  text::TokenMasks masks(tokens, tokenizer->end_ids());
  const auto state = matcher.next(matcher.start(), "{\"name\": \"A");
  for (auto _ : bench) {
    masks.clear();
    benchmark::DoNotOptimize(masks.allowed(matcher, state).data());
  }
}

void make_index(benchmark::State& bench) {
  const auto tokenizer = vocabulary_of(static_cast<size_t>(bench.range(0)));
  size_t n_nodes = 0;
  for (auto _ : bench) {
    const text::TokenIndex tokens(*tokenizer, tokenizer->size());
    n_nodes = tokens.all().n_nodes();
  }
  bench.counters["nodes"] = static_cast<double>(n_nodes);
}

BENCHMARK(new_answer)->Arg(32'000)->Arg(151'000)->Unit(benchmark::kMicrosecond);
BENCHMARK(in_a_string)->Arg(32'000)->Arg(151'000)->Unit(benchmark::kMicrosecond);
BENCHMARK(make_index)->Arg(32'000)->Arg(151'000)->Unit(benchmark::kMillisecond);

}  // namespace
