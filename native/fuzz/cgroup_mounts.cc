// Lines of /proc/PID/mountinfo: where cgroup v2 is mounted.
#include <string>

#include "bpf/cgroup_root.h"
#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view text = TextOf(input);
  const std::vector<std::string> points = bpf::CgroupMounts(text);
  Ensure(points.size() <= bpf::kMostCgroupMounts);
  for (const std::string& point : points) {
    Ensure(point.starts_with('/') && point.size() <= text.size());
    Ensure(text.find("cgroup2") != std::string_view::npos);
  }
  // Lines of other file systems change nothing.
  const std::string other = "1000 35 0:9 / /sys/fs/cgroup/cpu rw shared:1 - cgroup cgroup2 rw,cgroup2\n";
  Ensure(bpf::CgroupMounts(other + std::string(text)) == points);
}

}  // namespace desk::fuzz
