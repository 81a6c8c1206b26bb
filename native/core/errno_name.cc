#include "core/errno_name.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace desk {

std::string ErrnoName(int error) {
  // glibc has strerrorname_np only since 2.32.
#define NAME(code) \
  { code, #code }
  static constexpr std::pair<int, const char*> kNames[] = {
      NAME(EPERM),           NAME(ENOENT),      NAME(ESRCH),        NAME(EINTR),      NAME(EIO),
      NAME(ENXIO),           NAME(EBADF),       NAME(EAGAIN),       NAME(ENOMEM),     NAME(EACCES),
      NAME(EFAULT),          NAME(EBUSY),       NAME(EEXIST),       NAME(EXDEV),      NAME(ENODEV),
      NAME(ENOTDIR),         NAME(EISDIR),      NAME(EINVAL),       NAME(ENFILE),     NAME(EMFILE),
      NAME(EFBIG),           NAME(ENOSPC),      NAME(EROFS),        NAME(EPIPE),      NAME(ENAMETOOLONG),
      NAME(ENOSYS),          NAME(ELOOP),       NAME(EBADMSG),      NAME(EOVERFLOW),  NAME(EPROTO),
      NAME(EPROTONOSUPPORT), NAME(EOPNOTSUPP),  NAME(EAFNOSUPPORT), NAME(EADDRINUSE), NAME(EADDRNOTAVAIL),
      NAME(ENETDOWN),        NAME(ENOBUFS),     NAME(ENOTCONN),     NAME(EMSGSIZE),   NAME(ENODATA),
      NAME(ETIMEDOUT),       NAME(EMEDIUMTYPE), NAME(ECONNREFUSED)};
#undef NAME
  const auto* const known = std::ranges::find(kNames, error, &std::pair<int, const char*>::first);
  return known == std::end(kNames) ? std::string("E").append(std::to_string(error)) : known->second;
}

}  // namespace desk
