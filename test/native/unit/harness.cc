// `unit [ROUNDS]`: runs every case of every file and ends with `N passed, N failed`.
#include "harness.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <latch>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/text.h"

namespace desk::unit {
namespace {

std::vector<std::pair<const char*, Case>>& Cases() {
  static std::vector<std::pair<const char*, Case>> cases;
  return cases;
}

bool Run(const char* suite, const Case& one, int rounds) {
  try {
    one.run(rounds);
    return true;
  } catch (const std::exception& error) {
    std::printf("failed  %s: %s: %s\n", suite, one.name, error.what());
    return false;
  }
}

}  // namespace

Suite::Suite(const char* name, std::initializer_list<Case> cases) {
  auto& all = Cases();
  all.reserve(all.size() + cases.size());
  for (const Case& one : cases) all.emplace_back(name, one);
}

void InThreads(int count, const std::function<void(int)>& work) {
  std::latch begin(count);
  std::mutex mutex;
  std::exception_ptr failure;
  const auto body = [&](int index) {
    begin.arrive_and_wait();
    try {
      work(index);
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(count));
  for (int index = 0; index < count; ++index) threads.emplace_back(body, index);
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace desk::unit

int main(int count, char** arguments) {
  const int rounds = count > 1 ? desk::ParseNumber<int>(arguments[1]).value_or(0) : 1;
  if (rounds < 1) {
    std::printf("ROUNDS must be a whole number from 1 on\n");
    return EXIT_FAILURE;
  }
  int passed = 0;
  int failed = 0;
  for (const auto& [suite, one] : desk::unit::Cases())
    ++(desk::unit::Run(suite, one, rounds) ? passed : failed);
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
