// Reads control groups for the sweeps with a time limit. Before Linux 6.8 the kernel takes
// cgroup_mutex for it (proc_cgroup_show() of kernel/cgroup/cgroup.c), which a process that changes groups can
// hold indefinitely; and a fixture folder may lead anywhere.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/root.h"

namespace desk {

// A reader on a thread of its own, started at first use. Thread-safe.
class PatientReader {
 public:
  using Read = std::function<Result<std::string>(const std::string& path)>;

  PatientReader(Read read, std::chrono::milliseconds patience);
  // Does not wait: a read that hangs keeps its thread until the kernel answers.
  ~PatientReader();
  PatientReader(const PatientReader&) = delete;
  PatientReader& operator=(const PatientReader&) = delete;

  // The result of `read` for the path. ETIMEDOUT when it takes longer, and immediately while an earlier read
  // hangs; EAGAIN when no thread can be started.
  Result<std::string> Ask(std::string_view path);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// The memory of a root.
class CgroupReader {
 public:
  explicit CgroupReader(Root& root);

  // As ReadCgroup, and ETIMEDOUT.
  Result<std::string> Read(const char* path);

 private:
  const int root_;
  // Null when the kernel answers without waiting.
  std::unique_ptr<PatientReader> patient_;
};

}  // namespace desk
