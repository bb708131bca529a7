// A million word vectors of 300 dimensions: a scan for the ten nearest compared with a plain read
// of the same buffer, a search over 150 codes per row compared with reconstructing the rows,
// opening the vocabulary, and looking up a word.
#include <benchmark/benchmark.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "api/words/words_model.h"
#include "base/random.h"
#include "infer/words/nearest_words.h"
#include "io/byte_writer.h"
#include "tensor/word_norm.h"

namespace ambry {
namespace {

constexpr size_t kWords = 1'000'000;
constexpr size_t kDim = 300;
constexpr size_t kSlices = 150;
constexpr size_t kCentroids = 256;

void fill(std::span<float> values) {
  Random random(1);
  for (float& x : values) x = static_cast<float>(random.next() >> 40) / 8388608.0F - 1.0F;
}

std::vector<float> random_floats(size_t n) {
  std::vector<float> values(n);
  fill(values);
  return values;
}

std::string word(size_t i) { return "word" + std::to_string(i * 2654435761U % kWords); }

infer::WordParts begin_parts(uint64_t row_bytes) {
  infer::WordParts parts{.words = {},
                         .dim = kDim,
                         .rows = {0, kWords, row_bytes},
                         .quantizer = std::nullopt,
                         .row_norms = {},
                         .norms = {}};
  for (size_t i = 0; i < kWords; ++i) parts.words.words.push_back(word(i));
  parts.words.n_words = kWords;
  return parts;
}

const infer::WordVectors& dense() {
  static const infer::WordVectors kVectors = [] {
    infer::WordParts parts = begin_parts(kDim * sizeof(float));
    AlignedBuffer rows = AlignedBuffer::allocate(kWords * kDim * sizeof(float)).value();
    fill(rows.as<float>());
    parts.rows.set_all(std::move(rows));
    return infer::WordVectors(std::move(parts));
  }();
  return kVectors;
}

const infer::WordVectors& quantized() {
  static const infer::WordVectors kVectors = [] {
    infer::WordParts parts = begin_parts(kSlices);
    parts.quantizer = kernels::ProductQuantizer{{kDim, kSlices, kCentroids}, {}, {}};
    parts.quantizer->centroids = random_floats(kDim * kCentroids);
    parts.row_norms.assign(kWords, 1.5F);
    AlignedBuffer codes = AlignedBuffer::allocate(kWords * kSlices).value();
    Random random(2);
    for (uint8_t& code : codes.bytes()) code = static_cast<uint8_t>(random.next() >> 56);
    parts.rows.set_all(std::move(codes));
    return infer::WordVectors(std::move(parts));
  }();
  return kVectors;
}

void set_bytes(benchmark::State& state, uint64_t bytes) {
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes));
}

// The least that a scan can do: loads every byte, into eight sums.
void read_plainly(benchmark::State& state) {
  const uint8_t* bytes = dense().rows().data();
  const size_t n_words = kWords * kDim * sizeof(float) / sizeof(uint64_t);
  for (auto _ : state) {
    uint64_t sums[8] = {};
    for (size_t i = 0; i < n_words; i += 8) {
      for (size_t j = 0; j < 8; ++j) sums[j] += load_le<uint64_t>(bytes + (i + j) * 8);
    }
    benchmark::DoNotOptimize(sums);
  }
  set_bytes(state, n_words * sizeof(uint64_t));
}
BENCHMARK(read_plainly)->Unit(benchmark::kMillisecond);

void nearest_ten(benchmark::State& state, const infer::WordVectors& (*vectors)()) {
  const std::vector<float> query = random_floats(kDim);
  for (auto _ : state) {
    benchmark::DoNotOptimize(infer::nearest_words(vectors(), query, 10, {}));
  }
  set_bytes(state, kWords * vectors().rows().row_bytes());
}
BENCHMARK_CAPTURE(nearest_ten, of_array, dense)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(nearest_ten, of_codes, quantized)->Unit(benchmark::kMillisecond);

// As the accuracy job searches. The items are queries.
void nearest_together(benchmark::State& state) {
  const auto n_queries = static_cast<size_t>(state.range(0));
  const std::vector<float> values = random_floats(n_queries * kDim);
  std::vector<infer::NearestQuery> queries;
  queries.reserve(n_queries);
  for (size_t i = 0; i < n_queries; ++i) {
    queries.push_back({std::span(values).subspan(i * kDim, kDim), {}});
  }
  for (auto _ : state) benchmark::DoNotOptimize(infer::nearest_words(dense(), queries, 1));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(nearest_together)->Arg(1)->Arg(8)->Arg(32)->Unit(benchmark::kMillisecond);

void reconstruct_and_dot(benchmark::State& state) {
  const std::vector<float> query = random_floats(kDim);
  const kernels::ProductQuantizer& quantizer = *quantized().quantizer();
  std::vector<float> row(kDim);
  std::vector<float> scratch(kDim);
  for (auto _ : state) {
    float most = 0.0F;
    for (size_t i = 0; i < kWords; ++i) {
      quantizer.reconstruct(quantized().rows().data() + i * kSlices, row, scratch);
      most = std::max(most, tensor::word_dot(row, query) * quantized().row_norms()[i]);
    }
    benchmark::DoNotOptimize(most);
  }
}
BENCHMARK(reconstruct_and_dot)->Unit(benchmark::kMillisecond);

void put_chunk(io::ByteWriter& file, uint32_t id, uint64_t size) {
  file.put(id);
  file.put(size);
}

// A file of a million words with one dimension, so that it is nearly all vocabulary.
std::vector<uint8_t> file_of_words() {
  io::ByteWriter words;
  for (size_t i = 0; i < kWords; ++i) {
    const std::string text = word(i);
    words.put(static_cast<uint32_t>(text.size()));
    words.put_text(text);
  }
  io::ByteWriter file;
  file.put_text("FiFu");
  for (const uint32_t number : {0U, 2U, 1U, 2U}) file.put(number);
  put_chunk(file, 1, sizeof(uint64_t) + words.position());
  file.put(uint64_t{kWords});
  file.put_bytes(words.bytes());
  constexpr uint64_t kHeadAndFields = 28;
  const uint64_t padding = 4 - (file.position() + kHeadAndFields) % 4;
  put_chunk(file, 2, 16 + padding + kWords * sizeof(float));
  file.put(uint64_t{kWords});
  for (const uint32_t number : {1U, 10U}) file.put(number);
  file.put_zeros(padding + kWords * sizeof(float));
  return file.take();
}

void open_words(benchmark::State& state) {
  const std::vector<uint8_t> file = file_of_words();
  const io::MemorySource source(file);
  for (auto _ : state) {
    const auto loader = api::WordsModel::load(source, "{}").value();
    while (loader->wanted() > 0) {
      const MutableBytes window = loader->window();
      std::memcpy(window.data(), file.data() + loader->start(), window.size());
      if (!loader->commit(window.size())) return state.SkipWithError("not opened");
    }
    benchmark::DoNotOptimize(loader->finish());
  }
  set_bytes(state, file.size());
}
BENCHMARK(open_words)->Unit(benchmark::kMillisecond);

void look_up(benchmark::State& state) {
  std::vector<std::string> words;
  words.reserve(4096);
  for (size_t i = 0; i < 4096; ++i) words.push_back(word(i * 7919 % kWords));
  std::vector<float> row(kDim);
  size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(dense().look_up(words[next], row));
    next = (next + 1) % words.size();
  }
}
BENCHMARK(look_up);

}  // namespace
}  // namespace ambry
