#include "core/traits.h"

#include <algorithm>
#include <array>

#include "core/identity.h"
#include "core/text.h"

namespace desk {
namespace {

constexpr std::size_t kNameBytes = 15;  // TASK_COMM_LEN less its NUL, linux/sched.h
constexpr std::string_view kMemfd = "/memfd:";

constexpr std::array<std::string_view, 4> kTemporary{"/dev/shm/", "/tmp/", "/var/tmp/", "/run/"};

constexpr std::array<std::string_view, 8> kKernelNames{
    "kworker", "ksoftirqd", "migration", "rcu_", "kthreadd", "kswapd", "khugepaged", "cpuhp",
};

// Searches for dots: they are rarer than slashes.
bool HasHidden(std::string_view folders) {
  for (std::size_t dot = folders.find('.'); dot != std::string_view::npos; dot = folders.find('.', dot + 1))
    if (dot > 0 && folders[dot - 1] == '/') return true;
  return false;
}

}  // namespace

bool IsKernelName(std::string_view comm) {
  if (comm.empty()) return false;
  switch (comm.front()) {
    case '[': return comm.size() > 1;
    case 'c':
    case 'k':
    case 'm':
    case 'r': break;
    default: return false;
  }
  // The name alone, or followed by `/` or a number, as kthread_create writes them.
  return std::ranges::any_of(kKernelNames, [comm](std::string_view name) {
    if (!comm.starts_with(name)) return false;
    if (comm.size() == name.size()) return true;
    const char next = comm[name.size()];
    return next == '/' || IsDigit(next);
  });
}

std::uint16_t TraitsOf(std::string_view comm, std::string_view executable) {
  std::uint16_t traits = IsKernelName(comm) ? kTraitKernelName : 0;
  if (executable.empty()) return traits;
  std::string_view path = executable;
  if (path.ends_with(kDeletedMark)) {
    traits |= kTraitDeleted;
    path.remove_suffix(kDeletedMark.size());
    if (path.starts_with(kMemfd)) traits |= kTraitMemfd;
  }
  if (std::ranges::any_of(kTemporary, [path](std::string_view folder) { return path.starts_with(folder); }))
    traits |= kTraitTemporary;
  const std::size_t slash = path.rfind('/');
  const std::string_view folders =
      slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
  if (HasHidden(folders)) traits |= kTraitHiddenFolder;
  const std::string_view base = slash == std::string_view::npos ? path : path.substr(slash + 1);
  if (comm != base.substr(0, kNameBytes)) traits |= kTraitOtherName;
  if (IsInterpreter(path)) traits |= kTraitInterpreter;
  return traits;
}

}  // namespace desk
