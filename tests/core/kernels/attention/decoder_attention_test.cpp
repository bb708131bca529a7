#include "kernels/attention/decoder_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

// A whole sequence; row p of keys and values is position p.
struct Sequence {
  AttentionHeads heads;
  size_t n;
  ScoreOptions options;
  std::vector<float> slopes;
  std::vector<float> queries, keys, values;

  Sequence(const AttentionHeads& h, size_t length, TestRandom& random)
      : heads(h),
        n(length),
        options{1.0F / std::sqrt(static_cast<float>(h.head_dim))},
        queries(random.floats(length * h.n_heads * h.head_dim, 2.0F)),
        keys(random.floats(length * h.n_kv_heads * h.head_dim, 2.0F)),
        values(random.floats(length * h.n_kv_heads * h.head_dim, 2.0F)) {}

  void give_slopes() {
    for (size_t h = 0; h < heads.n_heads; ++h) slopes.push_back(std::ldexp(1.0F, -int(h) - 1));
    options.slopes = slopes.data();
  }
  // Rounds keys and values as an f16 cache does.
  void round_to_f16() {
    for (float& x : keys) x = f16_to_f32(f32_to_f16(x));
    for (float& x : values) x = f16_to_f32(f32_to_f16(x));
  }

  // Rounds keys and values as an int8 cache does.
  template <class V>
  void round_to_int8() {
    std::vector<int8_t> codes(heads.head_dim);
    for (std::vector<float>* rows : {&keys, &values}) {
      for (size_t i = 0; i < rows->size(); i += heads.head_dim) {
        const std::span<float> row(&(*rows)[i], heads.head_dim);
        const float scale = narrow_to_int8<V>(row, codes.data());
        for (size_t c = 0; c < row.size(); ++c) row[c] = static_cast<float>(codes[c]) * scale;
      }
    }
  }

  [[nodiscard]] size_t width() const { return heads.n_heads * heads.head_dim; }
  [[nodiscard]] size_t kv_width() const { return heads.n_kv_heads * heads.head_dim; }

  [[nodiscard]] double score(size_t token, size_t head, size_t other) const {
    const size_t kv = head / (heads.n_heads / heads.n_kv_heads) * heads.head_dim;
    double sum = 0;
    for (size_t i = 0; i < heads.head_dim; ++i) {
      sum += double{queries[token * width() + head * heads.head_dim + i]} *
             double{keys[other * kv_width() + kv + i]};
    }
    sum *= double{options.scale};
    if (options.soft_cap != 0) {
      sum = double{options.soft_cap} * std::tanh(sum / double{options.soft_cap});
    }
    if (options.slopes != nullptr) {
      sum += double{slopes[head]} * (static_cast<double>(other) - static_cast<double>(token));
    }
    return sum;
  }
  [[nodiscard]] bool sees(size_t token, size_t other) const {
    if (options.both_ways == 0) {
      return other <= token && (options.window == 0 || other + options.window > token);
    }
    const size_t distance = other > token ? other - token : token - other;
    return options.window == 0 || distance <= options.window / 2;
  }
  // The definition, for one head of one token.
  [[nodiscard]] std::vector<double> oracle(size_t token, size_t head) const {
    const size_t kv = head / (heads.n_heads / heads.n_kv_heads) * heads.head_dim;
    double sum = 0;
    std::vector<double> result(heads.head_dim);
    for (size_t other = 0; other < n; ++other) {
      if (!sees(token, other)) continue;
      const double e = std::exp(score(token, head, other));
      sum += e;
      for (size_t i = 0; i < heads.head_dim; ++i) {
        result[i] += e * double{values[other * kv_width() + kv + i]};
      }
    }
    for (double& x : result) x /= sum;
    return result;
  }
};

// Processes tokens in batches of `step`, with a ring of `n_rows` rows.
template <class V, class T = float>
std::vector<float> run(const Sequence& s, size_t step, size_t n_rows) {
  const size_t width = s.kv_width();
  const size_t d = s.heads.head_dim;
  const size_t n_heads = s.heads.n_kv_heads;
  const size_t page_rows = std::min<size_t>(n_rows, 5);
  const size_t before = page_scale_bytes<T>(n_heads, page_rows);
  std::vector<std::vector<T>> pages((n_rows + page_rows - 1) / page_rows,
                                    std::vector<T>(before + 2 * n_heads * page_rows * d));
  std::vector<const T*> starts;
  for (const std::vector<T>& page : pages) starts.push_back(page.data());
  std::vector<float> out(s.n * s.width());
  for (size_t first = 0; first < s.n; first += step) {
    const size_t n = std::min(step, s.n - first);
    for (size_t p = first; p < first + n; ++p) {
      for (size_t head = 0; head < s.heads.n_kv_heads; ++head) {
        const std::span<const float> key(&s.keys[p * width + head * d], d);
        const std::span<const float> value(&s.values[p * width + head * d], d);
        const size_t row = p % n_rows;
        const size_t at = head * page_rows + row % page_rows;
        T* page = pages[row / page_rows].data();
        T* key_row = page + before + at * d;
        T* value_row = key_row + n_heads * page_rows * d;
        if constexpr (std::is_same_v<T, float>) {
          std::ranges::copy(key, key_row);
          std::ranges::copy(value, value_row);
        } else if constexpr (std::is_same_v<T, int8_t>) {
          auto* scales = reinterpret_cast<float*>(page);
          scales[at] = narrow_to_int8<V>(key, key_row);
          scales[n_heads * page_rows + at] = narrow_to_int8<V>(value, value_row);
        } else {
          narrow_to_f16<V>(key, key_row);
          narrow_to_f16<V>(value, value_row);
        }
      }
    }
    std::vector<float> scratch(decoder_attention_scratch(s.heads, n));
    const QueryBatch queries{
        &s.queries[first * s.width()], s.width(), &out[first * s.width()], s.width(), n, first};
    decoder_attention<V>(s.heads, s.options, queries,
                         KvCacheView<T>{starts.data(), page_rows, n_rows, n_heads, d}, {0, n_heads},
                         scratch);
  }
  return out;
}

void expect_oracle(const Sequence& s, const std::vector<float>& out, const char* what) {
  for (size_t i = 0; i < out.size(); i += s.heads.head_dim) {
    const size_t token = i / s.width();
    const std::vector<double> exact = s.oracle(token, i % s.width() / s.heads.head_dim);
    for (size_t c = 0; c < exact.size(); ++c) {
      EXPECT_NEAR(out[i + c], exact[c], 5e-6) << what << ", token " << token;
    }
  }
}

const AttentionHeads kShapes[] = {{1, 1, 1}, {4, 4, 8},  {6, 2, 5},
                                  {8, 1, 7}, {5, 5, 32}, {3, 1, 40}};

template <class V>
class DecoderAttentionTest : public ::testing::Test {};
TYPED_TEST_SUITE(DecoderAttentionTest, TypedIsas, IsaNames);

TYPED_TEST(DecoderAttentionTest, EqualsTheDefinition) {
  TestRandom random(51);
  for (const AttentionHeads& heads : kShapes) {
    for (const size_t n : {1U, 3U, 70U, 150U}) {
      const Sequence s(heads, n, random);
      expect_oracle(s, run<TypeParam>(s, n, n), "together");
      expect_oracle(s, run<TypeParam>(s, 1, n + 9), "one by one");
    }
  }
}

TYPED_TEST(DecoderAttentionTest, AppliesASlidingWindowOverARing) {
  TestRandom random(52);
  for (const size_t window : {1U, 7U, 64U, 65U}) {
    Sequence s({4, 2, 12}, 200, random);
    s.options.window = window;
    expect_oracle(s, run<TypeParam>(s, 1, window), "one by one");
    expect_oracle(s, run<TypeParam>(s, 13, window + 12), "in batches");
    expect_oracle(s, run<TypeParam>(s, 200, 200), "together");
  }
}

TYPED_TEST(DecoderAttentionTest, SeesLaterTokensAllOrHalfAWindowAhead) {
  TestRandom random(61);
  for (const size_t n : {1U, 5U, 64U, 65U, 150U}) {
    for (const size_t window : {0U, 1U, 2U, 9U, 128U, 131U}) {
      Sequence s({6, 2, 5}, n, random);
      s.options.window = window;
      s.options.both_ways = n;
      expect_oracle(s, run<TypeParam>(s, n, n), "together");
    }
  }
}

TYPED_TEST(DecoderAttentionTest, AddsSlopesAndCapsScores) {
  TestRandom random(53);
  Sequence slopes({4, 4, 8}, 90, random);
  slopes.give_slopes();
  expect_oracle(slopes, run<TypeParam>(slopes, 7, 90), "slopes");
  Sequence capped({4, 2, 8}, 90, random);
  capped.options.soft_cap = 1.5F;
  expect_oracle(capped, run<TypeParam>(capped, 7, 90), "capped");
}

TYPED_TEST(DecoderAttentionTest, ReadsF16) {
  TestRandom random(54);
  for (const AttentionHeads& heads : kShapes) {
    Sequence s(heads, 80, random);
    s.round_to_f16();
    expect_oracle(s, run<TypeParam, uint16_t>(s, 80, 80), "together");
    expect_oracle(s, run<TypeParam, uint16_t>(s, 1, 80), "one by one");
  }
}

TYPED_TEST(DecoderAttentionTest, ReadsInt8) {
  TestRandom random(58);
  for (const AttentionHeads& heads : kShapes) {
    Sequence s(heads, 80, random);
    const std::vector<float> together = run<TypeParam, int8_t>(s, 80, 80);
    EXPECT_EQ((run<TypeParam, int8_t>(s, 1, 80)), together);
    s.round_to_int8<TypeParam>();
    expect_oracle(s, together, "together");
  }
}

TYPED_TEST(DecoderAttentionTest, ATokensBitsDoNotDependOnTheBatch) {
  TestRandom random(55);
  for (const AttentionHeads& heads : kShapes) {
    for (const size_t window : {0U, 50U}) {
      Sequence s(heads, 200, random);
      s.options.window = window;
      const std::vector<float> one_by_one = run<TypeParam>(s, 1, 200);
      for (const size_t step : {2U, 31U, 64U, 200U}) {
        EXPECT_EQ(run<TypeParam>(s, step, 263), one_by_one) << step;
      }
    }
  }
}

TYPED_TEST(DecoderAttentionTest, LargeScoresDoNotOverflow) {
  TestRandom random(56);
  Sequence s({2, 1, 8}, 130, random);
  for (float& x : s.queries) x *= 1e4F;
  for (const float x : run<TypeParam>(s, 130, 130)) EXPECT_TRUE(std::isfinite(x));
}

TYPED_TEST(DecoderAttentionTest, ANanInAKeyAffectsOnlyTokensThatAttendToIt) {
  TestRandom random(57);
  Sequence s({2, 2, 4}, 140, random);
  s.options.window = 70;
  s.keys[20 * s.kv_width() + 1] = std::numeric_limits<float>::quiet_NaN();  // head 0
  const std::vector<float> out = run<TypeParam>(s, 1, 70);
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t token = i / s.width();
    const bool seen = i % s.width() < 4 && token >= 20 && token < 90;
    EXPECT_EQ(std::isnan(out[i]), seen) << token;
  }
}

}  // namespace
}  // namespace ambry::kernels
