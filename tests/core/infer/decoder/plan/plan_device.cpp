#include "infer/decoder/plan/plan_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "infer/decoder/plan/device_plan.h"
#include "tensor/codec/stored_values.h"

namespace ambry::infer::testing {
namespace {

double activated(int kind, double x, const std::vector<double>& learned) {
  switch (kind) {
    case 0:
      return x / (1 + std::exp(-x));
    case 1:
      return x / 2 * std::erfc(-x / std::sqrt(2.0));
    case 2:
      return x / (1 + std::exp(-2 * std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
    case 3:
      return std::max(x, 0.0);
    case 4:
      return x > 0 ? x * x : 0;
    case 5: {
      const double below = (std::exp(std::min(x, learned[3])) - 1 - x) * learned[1];
      return x * learned[2] + (x > 0 ? x * x * learned[0] : below);
    }
    default:
      return 1 / (1 + std::exp(-x));
  }
}

}  // namespace

PlanDevice::PlanDevice(const SyntheticDecoder& made, const Decoder& decoder) {
  const std::vector<double> plan = device_plan(decoder).value();
  size_t at = 0;
  const auto next = [&] { return plan[at++]; };
  const auto count = [&] { return static_cast<size_t>(next()); };
  is_centered_ = next() > 0;
  epsilon_ = next();
  n_layers_ = count();
  kv_width_ = count();
  EXPECT_EQ(count(), decoder.context());
  for (size_t& width : widths_) width = count();
  for (size_t n = count(); n > 0; --n) {
    // A plan is numbers alone.
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    const auto* const address = reinterpret_cast<const float*>(static_cast<uintptr_t>(next()));
    vectors_.emplace_back(address, address + count());
  }
  for (size_t n = count(); n > 0; --n) {
    DeviceMatrix form;
    for (double& number : form) number = next();
    matrices_.push_back(read(made, form));
  }
  parts_.resize(count());
  for (auto& part : parts_) {
    for (size_t n = count(); n > 0; --n) {
      const auto size = static_cast<std::ptrdiff_t>(next());
      const auto first = plan.begin() + static_cast<std::ptrdiff_t>(at);
      part.emplace_back(first, first + size);
      at += static_cast<size_t>(size);
    }
  }
  EXPECT_EQ(at, plan.size());
}

PlanDevice::Matrix PlanDevice::read(const SyntheticDecoder& made, const DeviceMatrix& form) {
  const auto tensor = static_cast<size_t>(form[0]);
  const model::TensorEntry& stored = made.model.tensors[tensor];
  EXPECT_EQ(kDeviceTypes[static_cast<size_t>(form[1])], stored.dtype);
  Matrix matrix{static_cast<size_t>(form[2]), static_cast<size_t>(form[3]), {}};
  const bool transposed = form[5] > 0;
  const size_t n = transposed ? matrix.cols : matrix.rows;
  const size_t width = transposed ? matrix.rows : matrix.cols;
  const auto values =
      tensor::StoredValues::create(stored.dtype, n, width, stored.quantization, made.bytes[tensor])
          .value();
  std::vector<float> read(n * width);
  for (size_t i = 0; i < n; ++i) values.read(i, 0, std::span(read).subspan(i * width, width));
  matrix.values = read;
  for (size_t i = 0; transposed && i < n * width; ++i) {
    matrix.values[i % width * n + i / width] = read[i];
  }
  for (float& x : matrix.values) x *= static_cast<float>(form[4]);
  return matrix;
}

const PlanDevice::Sequence* PlanDevice::find(const DeviceBlock::Piece& piece) const {
  for (const auto& [number, sequence] : sequences_) {
    const bool has = sequence.ids.size() >= piece.before.size() &&
                     std::equal(piece.before.begin(), piece.before.end(), sequence.ids.begin());
    if (has && (piece.before.empty() || sequence.rotation == piece.rotation)) return &sequence;
  }
  return nullptr;
}

void PlanDevice::answer(DeviceBlock& block) {
  block_ = &block;
  for (const DeviceBlock::Piece& piece : block.pieces) {
    const Sequence* const found = find(piece);
    if (found == nullptr && !piece.before.empty()) {
      block.restart = true;
      ++n_restarts_;
      return;
    }
    Sequence own = found == nullptr ? Sequence() : *found;
    own.ids = piece.before;
    own.rotation = piece.rotation;
    for (auto* rows : {&own.keys, &own.values}) {
      rows->resize(n_layers_);
      for (auto& layer : *rows) layer.resize(own.ids.size() * kv_width_);
    }
    sequences_[piece.sequence] = std::move(own);
  }
  for (size_t i = 0; i < kDeviceBuffers; ++i) {
    buffers_[i].assign(widths_[i] * block.ids.size(), 0);
  }
  const size_t n_parts = parts_.size();
  for (size_t part = 0; part + 2 < n_parts; ++part) run_part(part, block.ids.size());
  for (const DeviceBlock::Piece& piece : block.pieces) {
    auto& ids = sequences_[piece.sequence].ids;
    const auto first = block.ids.begin() + static_cast<std::ptrdiff_t>(piece.first);
    ids.insert(ids.end(), first, first + static_cast<std::ptrdiff_t>(piece.rows));
  }
  const size_t width = buffers_[kHiddenRows].size() / block.ids.size();
  for (size_t i = 0; i < block.wanted.size(); ++i) {
    std::copy_n(&buffers_[kHiddenRows][block.wanted[i] * width], width,
                &buffers_[kPickedRows][i * width]);
  }
  run_part(n_parts - 2, block.wanted.size());
  if (!block.hidden) run_part(n_parts - 1, block.wanted.size());
  const std::vector<float>& results = buffers_[block.hidden ? kNormedRows : kLogitsRows];
  const size_t n = block.wanted.size() * results.size() / block.ids.size();
  block.results = AlignedBuffer::allocate(n * sizeof(float)).value();
  std::copy_n(results.begin(), n, block.results.as<float>().begin());
  block.answered = true;
}

void PlanDevice::run_part(size_t part, size_t n_rows) {
  // How many buffers each kernel has.
  constexpr size_t kBuffers[] = {2, 2, 1, 1, 2, 1, 3, 1, 2, 1, 2, 2, 1, 2};
  for (const std::vector<double>& step : parts_[part]) {
    const auto kernel = static_cast<DeviceKernel>(step[0]);
    const auto end = step.begin() + 1 + static_cast<std::ptrdiff_t>(kBuffers[kernel]);
    std::vector<size_t> names;
    for (auto name = step.begin() + 1; name != end; ++name) {
      names.push_back(static_cast<size_t>(*name));
    }
    run(kernel, names, {end, step.end()}, n_rows);
  }
}

void PlanDevice::run(DeviceKernel kernel, const std::vector<size_t>& names,
                     const std::vector<double>& numbers, size_t n_rows) {
  const auto at = [&](size_t i) { return static_cast<size_t>(numbers[i]); };
  std::vector<float>& first = buffers_[names[0]];
  std::vector<float>& last = buffers_[names.back()];
  const auto each = [&](size_t width, const auto& use) {
    for (size_t i = 0; i < n_rows * width; ++i) use(i / width, i % width);
  };
  if (kernel == kEmbed) {
    const Matrix& table = matrices_[at(0)];
    for (const DeviceBlock::Piece& piece : block_->pieces) {
      for (size_t i = 0; i < piece.rows; ++i) {
        const size_t row = numbers[2] > 0 ? piece.before.size() + i : block_->ids[piece.first + i];
        for (size_t k = 0; k < table.cols; ++k) {
          const float x = table.values[row * table.cols + k] * static_cast<float>(numbers[1]);
          float& to = first[(piece.first + i) * table.cols + k];
          to = numbers[2] > 0 ? to + x : x;
        }
      }
    }
  } else if (kernel == kMultiply) {
    const Matrix& matrix = matrices_[at(0)];
    each(matrix.rows, [&](size_t row, size_t i) {
      double sum = 0;
      for (size_t k = 0; k < matrix.cols; ++k) {
        sum += double{first[row * matrix.cols + k]} * matrix.values[i * matrix.cols + k];
      }
      if (numbers[1] >= 0) sum += vectors_[at(1)][i];
      last[row * matrix.rows + i] = static_cast<float>(sum * numbers[2]);
    });
  } else if (kernel == kNorm) {
    normalize(names[0], names[1], numbers, n_rows);
  } else if (kernel == kCopy) {
    std::copy_n(first.begin(), n_rows * at(0), last.begin());
  } else if (kernel == kScale) {
    each(at(0),
         [&](size_t row, size_t i) { first[row * at(0) + i] *= static_cast<float>(numbers[1]); });
  } else if (kernel == kAdd) {
    each(at(0), [&](size_t row, size_t i) { last[row * at(0) + i] += first[row * at(0) + i]; });
  } else if (kernel == kCap) {
    each(at(0), [&](size_t row, size_t i) {
      float& x = first[row * at(0) + i];
      x = static_cast<float>(numbers[1] * std::tanh(x / numbers[1]));
    });
  } else if (kernel == kTake) {
    each(at(3) * at(2), [&](size_t row, size_t i) {
      const size_t group = row * at(3) + i / at(2);
      last[group * at(2) + i % at(2)] = first[group * at(0) + at(1) + i % at(2)];
    });
  } else if (kernel == kGate) {
    const std::vector<float>& by = buffers_[names[1]];
    each(at(1), [&](size_t row, size_t i) {
      const double gate = activated(static_cast<int>(numbers[0]), first[row * at(2) + i], {});
      last[row * at(1) + i] = static_cast<float>(gate * by[row * at(3) + at(4) + i]);
    });
  } else if (kernel == kActivate) {
    const std::vector<double> learned(numbers.begin() + 2, numbers.end());
    each(at(1), [&](size_t row, size_t i) {
      float& x = first[row * at(1) + i];
      x = static_cast<float>(activated(static_cast<int>(numbers[0]), x, learned));
    });
  } else if (kernel == kRotate) {
    rotate(first, numbers, n_rows);
  } else if (kernel == kTemper) {
    for (const DeviceBlock::Piece& piece : block_->pieces) {
      for (size_t i = 0; i < piece.rows * at(0); ++i) {
        const size_t steps = (piece.before.size() + i / at(0)) / at(2);
        first[piece.first * at(0) + i] *=
            static_cast<float>(1 + numbers[1] * std::log1p(static_cast<double>(steps)));
      }
    }
  } else if (kernel == kKeep) {
    keep(numbers);
  } else if (kernel == kAttend) {
    attend(numbers);
  } else {
    FAIL() << "no kernel " << static_cast<int>(kernel);
  }
}

void PlanDevice::normalize(size_t from, size_t to, const std::vector<double>& numbers,
                           size_t n_rows) {
  const auto width = static_cast<size_t>(numbers[2]);
  const std::vector<float>& weight = vectors_[static_cast<size_t>(numbers[0])];
  for (size_t row = 0; row < n_rows * static_cast<size_t>(numbers[3]); ++row) {
    const float* x = &buffers_[from][row * width];
    double mean = 0;
    for (size_t i = 0; is_centered_ && i < width; ++i) mean += x[i] / static_cast<double>(width);
    double squares = 0;
    for (size_t i = 0; i < width; ++i) squares += (x[i] - mean) * (x[i] - mean);
    const double root = std::sqrt(squares / static_cast<double>(width) + epsilon_);
    for (size_t i = 0; i < width; ++i) {
      double y = (x[i] - mean) / root * weight[i];
      if (numbers[1] >= 0) y += vectors_[static_cast<size_t>(numbers[1])][i];
      buffers_[to][row * width + i] = static_cast<float>(y);
    }
  }
}

void PlanDevice::rotate(std::vector<float>& heads, const std::vector<double>& numbers,
                        size_t n_rows) {
  const auto width = static_cast<size_t>(numbers[0]);
  const auto head_dim = static_cast<size_t>(numbers[1]);
  const std::vector<float>& table = numbers[3] > 0 ? block_->local_rope : block_->rope;
  const size_t pairs = table.size() / 2 / n_rows;
  for (size_t row = 0; row < n_rows; ++row) {
    for (size_t head = 0; head < width; head += head_dim) {
      for (size_t i = 0; i < pairs; ++i) {
        float& x = heads[row * width + head + (numbers[2] > 0 ? 2 * i : i)];
        float& y = heads[row * width + head + (numbers[2] > 0 ? 2 * i + 1 : i + pairs)];
        const float cosine = table[row * pairs + i];
        const float sine = table[table.size() / 2 + row * pairs + i];
        const float turned = x * cosine - y * sine;
        y = y * cosine + x * sine;
        x = turned;
      }
    }
  }
}

void PlanDevice::keep(const std::vector<double>& numbers) {
  const auto layer = static_cast<size_t>(numbers[0]);
  const auto width = static_cast<size_t>(numbers[1]);
  for (const DeviceBlock::Piece& piece : block_->pieces) {
    Sequence& own = sequences_[piece.sequence];
    const float* keys = &buffers_[kKeyRows][piece.first * width];
    const float* values = &buffers_[kValueRows][piece.first * width];
    own.keys[layer].insert(own.keys[layer].end(), keys, keys + piece.rows * width);
    own.values[layer].insert(own.values[layer].end(), values, values + piece.rows * width);
  }
}

void PlanDevice::attend(const std::vector<double>& numbers) {
  const auto at = [&](size_t i) { return static_cast<size_t>(numbers[i]); };
  const size_t heads = at(1);
  const size_t kv_heads = at(2);
  const size_t size = at(3);
  const double cap = numbers[5];
  const size_t window = at(6);
  for (const DeviceBlock::Piece& piece : block_->pieces) {
    const Sequence& own = sequences_[piece.sequence];
    for (size_t i = 0; i < piece.rows * heads; ++i) {
      const size_t position = piece.before.size() + i / heads;
      const size_t head = i % heads;
      const size_t begin = window > 0 && position >= window ? position + 1 - window : 0;
      const size_t shared = head / (heads / kv_heads) * size;
      const float* query = &buffers_[kQueryRows][((piece.first + i / heads) * heads + head) * size];
      std::vector<double> sums(size);
      double total = 0;
      for (size_t key = begin; key <= position; ++key) {
        double score = 0;
        for (size_t d = 0; d < size; ++d) {
          score += double{query[d]} * own.keys[at(0)][key * kv_heads * size + shared + d];
        }
        score *= numbers[4];
        if (cap > 0) score = cap * std::tanh(score / cap);
        if (numbers[7] >= 0) {
          score -= vectors_[at(7)][head] * static_cast<double>(position - key);
        }
        const double weight = std::exp(score);
        total += weight;
        for (size_t d = 0; d < size; ++d) {
          sums[d] += weight * own.values[at(0)][key * kv_heads * size + shared + d];
        }
      }
      float* context = &buffers_[kContextRows][((piece.first + i / heads) * heads + head) * size];
      for (size_t d = 0; d < size; ++d) context[d] = static_cast<float>(sums[d] / total);
    }
  }
}

}  // namespace ambry::infer::testing
