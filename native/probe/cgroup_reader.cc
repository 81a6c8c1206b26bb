#include "probe/cgroup_reader.h"

#include <linux/magic.h>
#include <sys/utsname.h>
#include <sys/vfs.h>

#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "core/signals_blocked.h"
#include "core/text.h"
#include "probe/proc_cgroup.h"

namespace desk {
namespace {

// A read takes microseconds, on a busy machine too.
constexpr std::chrono::milliseconds kPatience{500};

// "6.12.3-amd64" is at least 6.8.
bool KernelIsAtLeast(std::uint32_t major, std::uint32_t minor) {
  utsname names{};
  if (::uname(&names) != 0) return false;
  std::string_view release(static_cast<const char*>(names.release));
  const auto first = ParseNumber<std::uint32_t>(TakeUntil(release, '.'));
  const auto second = ParseNumber<std::uint32_t>(release.substr(0, release.find_first_not_of("0123456789")));
  return first && second && std::pair(*first, *second) >= std::pair(major, minor);
}

bool IsProc(int directory) {
  struct statfs about {};
  return ::fstatfs(directory, &about) == 0 && about.f_type == PROC_SUPER_MAGIC;
}

Result<std::string> CgroupOf(int root, const char* path) {
  return ReadCgroup(root, path).AndThen([](std::string_view cgroup) {
    return Result<std::string>(std::string(cgroup));
  });
}

}  // namespace

struct PatientReader::State {
  explicit State(Read how, std::chrono::milliseconds how_long) : read(std::move(how)), patience(how_long) {}

  const Read read;
  const std::chrono::milliseconds patience;
  std::mutex mutex;
  std::condition_variable changed;
  // Set by the caller, taken by the thread.
  std::optional<std::string> question;
  std::optional<Result<std::string>> answer;
  // A caller waits for an answer.
  bool taken = false;
  // The caller has timed out, and the thread is still reading.
  bool late = false;
  bool started = false;
  bool stop = false;

  void Serve() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return stop || question; });
      if (stop) return;
      const std::string path = *std::exchange(question, std::nullopt);
      lock.unlock();
      Result<std::string> read_now = read(path);
      lock.lock();
      if (!late) answer = std::move(read_now);
      late = false;
      changed.notify_all();
    }
  }
};

PatientReader::PatientReader(Read read, std::chrono::milliseconds patience)
    : state_(std::make_shared<State>(std::move(read), patience)) {}

PatientReader::~PatientReader() {
  const std::lock_guard guard(state_->mutex);
  state_->stop = true;
  state_->changed.notify_all();
}

Result<std::string> PatientReader::Ask(std::string_view path) {
  State& state = *state_;
  std::unique_lock lock(state.mutex);
  const auto until = std::chrono::steady_clock::now() + state.patience;
  if (!state.changed.wait_until(lock, until, [&state] { return state.late || !state.taken; }) || state.late)
    return Errno{ETIMEDOUT};
  if (!state.started) {
    try {
      const SignalsBlocked blocked;
      std::thread([shared = state_] { shared->Serve(); }).detach();
    } catch (const std::system_error&) {
      return Errno{EAGAIN};
    }
    state.started = true;
  }
  state.taken = true;
  state.question = path;
  state.changed.notify_all();
  // The time limit starts when the reader is free.
  const bool answered =
      state.changed.wait_for(lock, state.patience, [&state] { return state.answer.has_value(); });
  state.taken = false;
  state.late = !answered;
  if (!answered) state.question.reset();
  Result<std::string> answer = answered ? std::move(*std::exchange(state.answer, std::nullopt))
                                        : Result<std::string>(Errno{ETIMEDOUT});
  state.changed.notify_all();
  return answer;
}

CgroupReader::CgroupReader(Root& root) : root_(root.fd()) {
  if (KernelIsAtLeast(6, 8) && IsProc(root_)) return;
  // The thread may outlive the root, but keeps it during a read.
  patient_ = std::make_unique<PatientReader>(
      [weak = root.weak_from_this()](const std::string& path) -> Result<std::string> {
        const std::shared_ptr<Root> held = weak.lock();
        if (!held) return Errno{ESTALE};
        return CgroupOf(held->fd(), path.c_str());
      },
      kPatience);
}

Result<std::string> CgroupReader::Read(const char* path) {
  return patient_ ? patient_->Ask(path) : CgroupOf(root_, path);
}

}  // namespace desk
