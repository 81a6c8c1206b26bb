#include "bpf/btf_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/btf.h"
#include "core/fd.h"

namespace desk::bpf {

Result<BtfFile> BtfFile::Read() {
  const Fd file(::open(kBtfPath, O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return Errno{errno};
  struct stat about {};
  if (::fstat(file.get(), &about) != 0) return Errno{errno};
  if (about.st_size <= 0 || static_cast<std::uint64_t>(about.st_size) > kMostBtfBytes) return Errno{EBADMSG};
  BtfFile btf;
  btf.size_ = static_cast<std::size_t>(about.st_size);
  btf.bytes_.reset(new std::uint8_t[btf.size_]);
  for (std::size_t filled = 0; filled < btf.size_;) {
    const ssize_t got =
        ::pread(file.get(), btf.bytes_.get() + filled, btf.size_ - filled, static_cast<off_t>(filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Errno{errno};
    if (got == 0) return Errno{EBADMSG};
    filled += static_cast<std::size_t>(got);
  }
  return btf;
}

}  // namespace desk::bpf
