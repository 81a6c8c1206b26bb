// A minimal test harness: cases with names, checks that throw, threads whose failures are rethrown.
#pragma once

#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace desk::unit {

// One test. `rounds` is 1, or more for a long run: how often to repeat what depends on timing.
struct Case {
  const char* name;
  void (*run)(int rounds);
};

// A file registers its cases with one constant: `const Suite kSuite{"arena", {{"fills up", FillsUp}}};`
class Suite {
 public:
  Suite(const char* name, std::initializer_list<Case> cases);
};

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void Check(bool holds, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (!holds) throw Failure(std::string(file) + ":" + std::to_string(line));
}

// Runs work(0 … count - 1), each in its own thread, all started at once; rethrows an exception of any of
// them.
void InThreads(int count, const std::function<void(int)>& work);

}  // namespace desk::unit
