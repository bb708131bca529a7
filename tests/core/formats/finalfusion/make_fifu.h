// Builds small .fifu files byte by byte from the format's page, independently of the writer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/file_bytes.h"

namespace ambry::formats::finalfusion::testing {

using formats::testing::File;
using formats::testing::put;
using formats::testing::put_at;
using formats::testing::put_text;

inline void put_record(File& file, std::string_view text) {
  put(file, static_cast<uint32_t>(text.size()));
  put_text(file, text);
}

// Where the chunks of a made file lie; their payloads start 12 bytes later.
inline constexpr uint64_t kChunkHead = 12;  // bytes

struct Places {
  uint64_t metadata = 0;
  uint64_t vocabulary = 0;
  uint64_t words = 0;
  uint64_t ngrams = 0;
  uint64_t storage = 0;
  uint64_t storage_data = 0;
  uint64_t norms = 0;
};

struct FifuMaker {
  std::optional<std::string> metadata;
  uint32_t vocabulary = 1;
  std::vector<std::string> words = {"Berlin",
                                    "Stra\xC3\x9F"
                                    "e",
                                    "a b"};
  uint32_t min_n = 3;
  uint32_t max_n = 6;
  uint32_t buckets = 2;  // exponent for chunk 3
  std::vector<std::pair<std::string, uint64_t>> ngrams = {{"<Be", 0}, {"Ber", 1}, {"a b", 0}};
  uint32_t n_hashes = 2;
  std::string bow = "<";
  std::string eow = ">";
  uint32_t dims = 16;
  bool quantized = false;
  bool projection = false;
  bool quantized_norms = false;
  uint32_t quantized_len = 2;
  uint32_t n_centroids = 3;
  bool norms = true;
  std::optional<std::vector<uint32_t>> header;  // the right list unless given
  Places places;                                // set by make()

  [[nodiscard]] uint64_t n_words() const { return vocabulary == 9 ? 0 : words.size(); }

  [[nodiscard]] uint64_t rows() const {
    switch (vocabulary) {
      case 3:
        return words.size() + (uint64_t{1} << buckets);
      case 7:
        return words.size() + buckets;
      case 8: {
        uint64_t most = 0;
        for (const auto& [text, index] : ngrams) most = std::max(most, index + 1);
        return words.size() + most;
      }
      case 9:
        return buckets;
      default:
        return words.size();
    }
  }

  File make() {
    File file;
    put_text(file, "FiFu");
    put(file, uint32_t{0});
    std::vector<uint32_t> ids;
    if (metadata) ids.push_back(5);
    ids.push_back(vocabulary);
    ids.push_back(quantized ? 4 : 2);
    if (norms) ids.push_back(6);
    if (header) ids = *header;
    put(file, static_cast<uint32_t>(ids.size()));
    for (const uint32_t id : ids) put(file, id);
    if (metadata) {
      places.metadata = begin_chunk(file, 5);
      put_text(file, *metadata);
      end_chunk(file, places.metadata);
    }
    put_vocabulary(file);
    quantized ? put_quantized(file) : put_array(file);
    if (norms) put_norms(file);
    return file;
  }

 private:
  static uint64_t begin_chunk(File& file, uint32_t id) {
    const uint64_t at = file.size();
    put(file, id);
    put(file, uint64_t{0});
    return at;
  }
  static void end_chunk(File& file, uint64_t at) { put_at(file, at + 4, file.size() - at - 12); }
  static void pad(File& file) { file.resize(file.size() + 4 - file.size() % 4); }

  void put_vocabulary(File& file) {
    places.vocabulary = begin_chunk(file, vocabulary);
    if (vocabulary == 9) {
      put(file, min_n);
      put(file, max_n);
      put(file, uint64_t{buckets});
      put(file, n_hashes);
      put(file, uint32_t{2166136261U});
      put_record(file, bow);
      put_record(file, eow);
      end_chunk(file, places.vocabulary);
      return;
    }
    put(file, uint64_t{words.size()});
    if (vocabulary == 8) put(file, uint64_t{ngrams.size()});
    if (vocabulary != 1) {
      put(file, min_n);
      put(file, max_n);
    }
    if (vocabulary == 3 || vocabulary == 7) put(file, buckets);
    places.words = file.size();
    for (const std::string& word : words) put_record(file, word);
    places.ngrams = file.size();
    if (vocabulary == 8) {
      for (const auto& [text, index] : ngrams) {
        put_record(file, text);
        put(file, index);
      }
    }
    end_chunk(file, places.vocabulary);
  }

  void put_array(File& file) {
    places.storage = begin_chunk(file, 2);
    put(file, rows());
    put(file, dims);
    put(file, uint32_t{10});
    pad(file);
    places.storage_data = file.size();
    for (uint64_t i = 0; i < rows(); ++i) {
      for (uint32_t j = 0; j < dims; ++j) put(file, i % dims == j ? 1.0F : 0.0F);
    }
    end_chunk(file, places.storage);
  }

  void put_quantized(File& file) {
    places.storage = begin_chunk(file, 4);
    put(file, uint32_t{projection});
    put(file, uint32_t{quantized_norms});
    put(file, quantized_len);
    put(file, dims);
    put(file, n_centroids);
    put(file, rows());
    put(file, uint32_t{1});
    put(file, uint32_t{10});
    pad(file);
    places.storage_data = file.size();
    uint64_t n_floats = uint64_t{n_centroids} * dims;
    if (projection) n_floats += uint64_t{dims} * dims;
    if (quantized_norms) n_floats += rows();
    for (uint64_t i = 0; i < n_floats; ++i) put(file, static_cast<float>(i) / 8);
    for (uint64_t i = 0; i < rows() * quantized_len; ++i) {
      put(file, static_cast<uint8_t>(i % n_centroids));
    }
    end_chunk(file, places.storage);
  }

  void put_norms(File& file) {
    places.norms = begin_chunk(file, 6);
    put(file, n_words());
    put(file, uint32_t{10});
    pad(file);
    for (uint64_t i = 0; i < n_words(); ++i) put(file, static_cast<float>(i + 2));
    end_chunk(file, places.norms);
  }
};

inline FifuMaker with_vocabulary(uint32_t id) {
  FifuMaker maker;
  maker.vocabulary = id;
  return maker;
}

inline File make_simple() {
  FifuMaker maker;
  maker.metadata = "# how it was made\n[common]\ndims = 4\n";
  return maker.make();
}
inline File make_bucket() { return with_vocabulary(3).make(); }
inline File make_fasttext() { return with_vocabulary(7).make(); }
inline File make_explicit() { return with_vocabulary(8).make(); }
inline File make_floret() {
  FifuMaker maker = with_vocabulary(9);
  maker.norms = false;
  maker.buckets = 9;
  return maker.make();
}
inline File make_quantized() {
  FifuMaker maker;
  maker.quantized = true;
  maker.projection = true;
  maker.quantized_norms = true;
  return maker.make();
}

}  // namespace ambry::formats::finalfusion::testing
