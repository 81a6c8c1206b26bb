#include "probe/sys_class.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace desk {

Result<Fd> OpenClass(const std::string& sys, const char* name) {
  Fd opened(::open((sys + "/class/" + name).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!opened.valid()) return Errno{errno};
  return opened;
}

Result<std::vector<std::string>> ListNames(int directory, const char* folder, std::string_view prefix,
                                           std::string_view suffix) {
  const int opened = ::openat(directory, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return Errno{errno};
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(opened), ::closedir);
  if (!stream) {
    const Errno refusal{errno};
    ::close(opened);
    return refusal;
  }
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    const dirent* const entry = ::readdir(stream.get());
    if (entry == nullptr) break;
    const std::string_view name(entry->d_name);
    if (name.size() >= prefix.size() + suffix.size() && name.starts_with(prefix) && name.ends_with(suffix))
      names.emplace_back(name);
  }
  if (errno != 0) return Errno{errno};
  std::ranges::sort(names);
  return names;
}

}  // namespace desk
