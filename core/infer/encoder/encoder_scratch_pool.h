// The scratch memories of an encoder. As many exist as batches ever ran at the same time.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/threads/spin_lock.h"
#include "infer/encoder/encoder_scratch.h"

namespace ambry::infer {

class EncoderScratchPool {
 public:
  // A scratch memory that nobody else uses until the loan ends.
  class Loan {
   public:
    explicit Loan(EncoderScratchPool& pool) : pool_(pool), scratch_(pool.take()) {}
    ~Loan() { pool_.give_back(std::move(scratch_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

    [[nodiscard]] EncoderScratch& operator*() const { return *scratch_; }

   private:
    EncoderScratchPool& pool_;
    std::unique_ptr<EncoderScratch> scratch_;
  };

 private:
  [[nodiscard]] std::unique_ptr<EncoderScratch> take() {
    {
      const std::lock_guard guard(lock_);
      if (!idle_.empty()) {
        std::unique_ptr<EncoderScratch> scratch = std::move(idle_.back());
        idle_.pop_back();
        return scratch;
      }
    }
    return std::make_unique<EncoderScratch>();
  }
  void give_back(std::unique_ptr<EncoderScratch> scratch) {
    const std::lock_guard guard(lock_);
    idle_.push_back(std::move(scratch));
  }

  SpinLock lock_;
  std::vector<std::unique_ptr<EncoderScratch>> idle_;
};

}  // namespace ambry::infer
