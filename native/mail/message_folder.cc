#include "mail/message_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "core/fd.h"
#include "core/text.h"

namespace desk {
namespace {

// 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/), of which a number of JavaScript holds 53.
double UnitOf(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
  return static_cast<double>(hash >> 11);
}

std::optional<double> MaildirUnit(std::string_view name) {
  if (name.starts_with('.')) return std::nullopt;
  return UnitOf(name.substr(0, name.find(':')));
}

std::optional<double> MhUnit(int directory, const char* name) {
  const std::string_view text(name);
  if (text.starts_with('0') || !std::ranges::all_of(text, IsDigit)) return std::nullopt;
  struct stat facts {};
  if (::fstatat(directory, name, &facts, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  if (!S_ISREG(facts.st_mode)) return std::nullopt;
  const std::array<std::int64_t, 4> known = {static_cast<std::int64_t>(facts.st_ino), facts.st_size,
                                             facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec};
  return UnitOf({reinterpret_cast<const char*>(known.data()), sizeof known});
}

}  // namespace

Result<MessageFolder> ListMessageFolder(const std::string& path, MessageFolderKind kind) {
  Fd file(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!file.valid()) return Errno{errno};
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::fdopendir(file.get()), ::closedir);
  if (!directory) return Errno{errno};
  file.Release();
  const int base = ::dirfd(directory.get());
  MessageFolder folder;
  for (;;) {
    errno = 0;
    const dirent* const entry = ::readdir(directory.get());
    if (entry == nullptr) break;
    const std::string_view name(entry->d_name);
    const std::optional<double> unit =
        kind == MessageFolderKind::kMaildir ? MaildirUnit(name) : MhUnit(base, entry->d_name);
    if (!unit) continue;
    if (folder.names.size() + name.size() >= kMostNames) return Errno{E2BIG};
    folder.begins.push_back(static_cast<std::uint32_t>(folder.names.size()));
    folder.names.append(name) += '\0';
    folder.units.push_back(*unit);
  }
  if (errno != 0) return Errno{errno};
  folder.begins.push_back(static_cast<std::uint32_t>(folder.names.size()));
  return folder;
}

}  // namespace desk
