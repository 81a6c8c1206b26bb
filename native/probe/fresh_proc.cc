#include "probe/fresh_proc.h"

#include <linux/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace desk {

Result<Fd> OpenFreshProc() {
  const Fd system(static_cast<int>(::syscall(SYS_fsopen, "proc", FSOPEN_CLOEXEC)));
  if (!system.valid()) return Errno{errno};
  if (::syscall(SYS_fsconfig, system.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0)
    return Errno{errno};
  Fd mount(static_cast<int>(
      ::syscall(SYS_fsmount, system.get(), FSMOUNT_CLOEXEC,
                MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC)));
  if (!mount.valid()) return Errno{errno};
  return mount;
}

}  // namespace desk
