// The smallest harness that will do: cases with names, checks that throw, threads whose failures come back.
#pragma once

#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace desk::unit {

// One test. `rounds` is 1, or more when the program was asked for a long run: repeat what depends on timing.
struct Case {
  const char* name;
  void (*run)(int rounds);
};

// A file gives its cases to the program by one constant: `const Suite kSuite{"arena", {{"fills up",
// FillsUp}}};`
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

// Runs work(0 … count - 1), each in a thread of its own, all begun at once; throws what one of them threw.
void InThreads(int count, const std::function<void(int)>& work);

}  // namespace desk::unit
