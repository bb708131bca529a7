// Builds small tinyRuntime files word by word from the format's page, independently of the writer.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "formats/file_bytes.h"
#include "model/cnn/cnn_table.h"

namespace ambry::formats::tinyruntime::testing {

using formats::testing::File;
using formats::testing::put;
using formats::testing::put_at;
using model::CnnVariant;

struct Conv {
  int32_t k, stride, pad, ic, oc;
  bool bias;
};
struct Linear {
  int32_t in, out;
  bool bias;
};

// Where the tables and sections of a made file lie.
struct Places {
  uint64_t convs = 0;
  uint64_t linears = 0;
  uint64_t batch_norms = 0;
  uint64_t activations = 0;
  uint64_t data = 0;    // quantized bytes; in vanilla everything
  uint64_t floats = 0;  // the same in vanilla
};

constexpr uint64_t word(uint64_t n) { return 4 * n; }

struct Maker {
  CnnVariant variant = CnnVariant::Vanilla;
  bool asymmetric = true;
  int32_t n_classes = 3;
  std::vector<Conv> convs = {{5, 1, 2, 8, 20, true}, {1, 2, 0, 20, 2, false}};
  std::vector<Linear> linears = {{4, 5, true}, {5, 3, false}};
  std::vector<int32_t> batch_norms = {4, 5};
  int32_t n_activations = 3;  // SQ8
  int32_t weight_group = 0;   // DQ8; 0: whole rows
  Places places;              // set by make()

  File make() {
    file_.clear();
    quantized_ = words_ = 0;
    const bool quantized = variant != CnnVariant::Vanilla;
    const auto n_act = variant == CnnVariant::Sq8 ? n_activations : 0;
    put_all({n_classes, count(convs), count(linears), count(batch_norms)});
    if (quantized) put_all({n_act, 0, asymmetric || n_act > 0 ? 1 : 0});
    places.convs = file_.size();
    for (const Conv& c : convs) {
      put_all({c.k, c.stride, c.pad, c.ic, c.oc});
      put_rest(c.ic * c.k * c.k, c.oc, c.bias);
    }
    places.linears = file_.size();
    for (const Linear& l : linears) {
      put_all({l.in, l.out});
      put_rest(l.in, l.out, l.bias);
    }
    places.batch_norms = file_.size();
    for (const int32_t n : batch_norms) {
      put_all({n, words_});
      words_ += 4 * n;
    }
    places.activations = file_.size();
    for (int32_t i = 0; i < n_act; ++i) {
      put(file_, 0.25F + 0.125F * static_cast<float>(i));
      put(file_, i);
    }
    places.data = file_.size();
    if (quantized) put_at(file_, 20, quantized_);
    for (int32_t i = 0; i < quantized_; ++i) file_.push_back(static_cast<uint8_t>(i * 7 % 251));
    places.floats = file_.size();
    for (int32_t i = 0; i < words_; ++i) put(file_, 0.5F + 0.25F * static_cast<float>(i % 5));
    return file_;
  }

 private:
  template <class T>
  static int32_t count(const std::vector<T>& items) {
    return static_cast<int32_t>(items.size());
  }
  void put_all(std::initializer_list<int32_t> words) {
    for (const int32_t word : words) put(file_, word);
  }

  // The offsets and what follows them. DQ8's biases are one group.
  void put_rest(int32_t row, int32_t out, bool bias) {
    const int32_t n_bias = bias ? out : 0;
    switch (variant) {
      case CnnVariant::Vanilla:
        put_all({words_, bias ? 1 : 0});
        words_ += row * out + n_bias;
        break;
      case CnnVariant::Dq8:
        put_all({quantized_, words_, group_of(row), n_bias});
        quantized_ += row * out + n_bias;
        words_ += (asymmetric ? 2 : 1) * (row / group_of(row) * out + (bias ? 1 : 0));
        break;
      case CnnVariant::Sq8:
        put(file_, quantized_);
        put(file_, 0.0078125F);
        put(file_, 0);
        put(file_, 0.5F);
        put_all({64, bias ? 1 : 0});
        quantized_ += row * out + 4 * n_bias;
        break;
    }
  }

  [[nodiscard]] int32_t group_of(int32_t row) const {
    return weight_group > 0 ? weight_group : row;
  }

  File file_;
  int32_t quantized_ = 0;
  int32_t words_ = 0;
};

inline File make(CnnVariant variant, bool asymmetric = true) {
  Maker maker;
  maker.variant = variant;
  maker.asymmetric = asymmetric;
  return maker.make();
}

}  // namespace ambry::formats::tinyruntime::testing
