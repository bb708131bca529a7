// Threads that do a piece of work together.
#pragma once

#include <cstddef>

namespace ambry {

class WorkTeam {
 public:
  using Part = void (*)(const void* work, size_t part);

  // Threads, with the one that calls run().
  [[nodiscard]] virtual size_t size() const = 0;
  // Calls part(work, i) once for each i below size(), each on one of the threads, and returns when
  // all are done. Parts must not allocate memory, and must not write to the same memory.
  virtual void run(Part part, const void* work) = 0;

 protected:
  WorkTeam() = default;
  ~WorkTeam() = default;
  WorkTeam(const WorkTeam&) = default;
  WorkTeam& operator=(const WorkTeam&) = default;
};

// Calls part(i, n) for each i below n: one call where there is no team, or else a call for each of
// its threads.
template <class Work>
void share_work(WorkTeam* team, const Work& part) {
  if (team == nullptr) return part(size_t{0}, size_t{1});
  struct Shared {
    const Work& part;
    size_t n;
  };
  const Shared shared{part, team->size()};
  team->run(
      [](const void* work, size_t i) {
        const auto& all = *static_cast<const Shared*>(work);
        all.part(i, all.n);
      },
      &shared);
}

}  // namespace ambry
