#include "core/errno_name.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace desk {

std::string ErrnoName(int error) {
  // glibc has strerrorname_np only since 2.32.
  static constexpr std::pair<int, const char*> kNames[] = {{EPERM, "EPERM"},
                                                           {ENOENT, "ENOENT"},
                                                           {ESRCH, "ESRCH"},
                                                           {EINTR, "EINTR"},
                                                           {EIO, "EIO"},
                                                           {ENXIO, "ENXIO"},
                                                           {EBADF, "EBADF"},
                                                           {EAGAIN, "EAGAIN"},
                                                           {ENOMEM, "ENOMEM"},
                                                           {EACCES, "EACCES"},
                                                           {EFAULT, "EFAULT"},
                                                           {EBUSY, "EBUSY"},
                                                           {EEXIST, "EEXIST"},
                                                           {EXDEV, "EXDEV"},
                                                           {ENODEV, "ENODEV"},
                                                           {ENOTDIR, "ENOTDIR"},
                                                           {EISDIR, "EISDIR"},
                                                           {EINVAL, "EINVAL"},
                                                           {ENFILE, "ENFILE"},
                                                           {EMFILE, "EMFILE"},
                                                           {EFBIG, "EFBIG"},
                                                           {ENOSPC, "ENOSPC"},
                                                           {EROFS, "EROFS"},
                                                           {EPIPE, "EPIPE"},
                                                           {ENAMETOOLONG, "ENAMETOOLONG"},
                                                           {ENOSYS, "ENOSYS"},
                                                           {ELOOP, "ELOOP"},
                                                           {EBADMSG, "EBADMSG"},
                                                           {EOVERFLOW, "EOVERFLOW"},
                                                           {EPROTO, "EPROTO"},
                                                           {EPROTONOSUPPORT, "EPROTONOSUPPORT"},
                                                           {EOPNOTSUPP, "EOPNOTSUPP"},
                                                           {EAFNOSUPPORT, "EAFNOSUPPORT"},
                                                           {EADDRINUSE, "EADDRINUSE"},
                                                           {EADDRNOTAVAIL, "EADDRNOTAVAIL"},
                                                           {ENETDOWN, "ENETDOWN"},
                                                           {ENOBUFS, "ENOBUFS"},
                                                           {ENOTCONN, "ENOTCONN"},
                                                           {EMSGSIZE, "EMSGSIZE"},
                                                           {ENODATA, "ENODATA"},
                                                           {ETIMEDOUT, "ETIMEDOUT"},
                                                           {EMEDIUMTYPE, "EMEDIUMTYPE"},
                                                           {ECONNREFUSED, "ECONNREFUSED"}};
  const auto* const known = std::ranges::find(kNames, error, &std::pair<int, const char*>::first);
  return known == std::end(kNames) ? std::string("E").append(std::to_string(error)) : known->second;
}

}  // namespace desk
