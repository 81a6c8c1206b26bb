#include "core/errno_name.h"

#include <cerrno>

namespace desk {

std::string ErrnoName(int error) {
  switch (error) {
    case EPERM:
      return "EPERM";
    case ENOENT:
      return "ENOENT";
    case ESRCH:
      return "ESRCH";
    case EINTR:
      return "EINTR";
    case EIO:
      return "EIO";
    case ENXIO:
      return "ENXIO";
    case EBADF:
      return "EBADF";
    case EAGAIN:
      return "EAGAIN";
    case ENOMEM:
      return "ENOMEM";
    case EACCES:
      return "EACCES";
    case EFAULT:
      return "EFAULT";
    case EBUSY:
      return "EBUSY";
    case EEXIST:
      return "EEXIST";
    case EXDEV:
      return "EXDEV";
    case ENODEV:
      return "ENODEV";
    case ENOTDIR:
      return "ENOTDIR";
    case EISDIR:
      return "EISDIR";
    case EINVAL:
      return "EINVAL";
    case ENFILE:
      return "ENFILE";
    case EMFILE:
      return "EMFILE";
    case EFBIG:
      return "EFBIG";
    case ENOSPC:
      return "ENOSPC";
    case EROFS:
      return "EROFS";
    case EPIPE:
      return "EPIPE";
    case ENAMETOOLONG:
      return "ENAMETOOLONG";
    case ENOSYS:
      return "ENOSYS";
    case ELOOP:
      return "ELOOP";
    case EBADMSG:
      return "EBADMSG";
    case EOVERFLOW:
      return "EOVERFLOW";
    case EPROTO:
      return "EPROTO";
    case EPROTONOSUPPORT:
      return "EPROTONOSUPPORT";
    case EOPNOTSUPP:
      return "EOPNOTSUPP";
    case EAFNOSUPPORT:
      return "EAFNOSUPPORT";
    case EADDRINUSE:
      return "EADDRINUSE";
    case EADDRNOTAVAIL:
      return "EADDRNOTAVAIL";
    case ENETDOWN:
      return "ENETDOWN";
    case ENOBUFS:
      return "ENOBUFS";
    case ENOTCONN:
      return "ENOTCONN";
    case EMSGSIZE:
      return "EMSGSIZE";
    case ENODATA:
      return "ENODATA";
    case ETIMEDOUT:
      return "ETIMEDOUT";
    case EMEDIUMTYPE:
      return "EMEDIUMTYPE";
    case ECONNREFUSED:
      return "ECONNREFUSED";
    default:
      return std::string("E").append(std::to_string(error));
  }
}

}  // namespace desk
