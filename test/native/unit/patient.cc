// A read that hangs: its callers continue, it is not started again while it hangs, and afterwards it works as
// before.
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "harness.h"
#include "probe/cgroup_reader.h"

namespace desk::unit {
namespace {

// A kernel whose lock is held.
struct Held {
  std::mutex mutex;
  std::condition_variable freed;
  bool held = false;
  int reads = 0;

  void Set(bool now) {
    const std::lock_guard guard(mutex);
    held = now;
    freed.notify_all();
  }
  int Reads() {
    const std::lock_guard guard(mutex);
    return reads;
  }
  Result<std::string> Read(const std::string& path) {
    std::unique_lock lock(mutex);
    ++reads;
    freed.wait(lock, [this] { return !held; });
    if (path == "gone") return Errno{ENOENT};
    return "/" + path;
  }
};

constexpr std::chrono::milliseconds kPatience{50};

void Hangs(int) {
  const auto kernel = std::make_shared<Held>();
  PatientReader reader([kernel](const std::string& path) { return kernel->Read(path); }, kPatience);
  Check(*reader.Ask("a") == "/a");
  Check(reader.Ask("gone").error() == ENOENT);
  kernel->Set(true);
  const int before = kernel->Reads();
  for (int ask = 0; ask < 100; ++ask) Check(reader.Ask("b").error() == ETIMEDOUT);
  Check(kernel->Reads() == before + 1);
  kernel->Set(false);
  Result<std::string> answer = Errno{ETIMEDOUT};
  while (answer.error() == ETIMEDOUT) answer = reader.Ask("c");
  // Never the answer to an earlier request.
  Check(*answer == "/c");
}

void EndsWhileItHangs(int) {
  const auto kernel = std::make_shared<Held>();
  kernel->Set(true);
  {
    PatientReader reader([kernel](const std::string& path) { return kernel->Read(path); }, kPatience);
    Check(reader.Ask("a").error() == ETIMEDOUT);
  }
  kernel->Set(false);
}

void FromManyThreads(int rounds) {
  PatientReader reader([](const std::string& path) -> Result<std::string> { return "/" + path; },
                       std::chrono::seconds(60));
  InThreads(8, [&](int thread) {
    for (int ask = 0; ask < 100 * rounds; ++ask) {
      const std::string path = std::to_string(thread) + "." + std::to_string(ask);
      Check(*reader.Ask(path) == "/" + path);
    }
  });
}

const Suite kSuite{"patient reader",
                   {{"hangs once", Hangs},
                    {"ends while it hangs", EndsWhileItHangs},
                    {"from many threads", FromManyThreads}}};

}  // namespace
}  // namespace desk::unit
