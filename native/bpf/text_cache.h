// Texts of a process that only /proc has (executable path, control group, label), cached between sweeps until
// its change keys differ, for a minute at most.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bpf/task_record.h"
#include "core/path.h"
#include "core/root.h"
#include "probe/proc_attr.h"

namespace desk::bpf {

struct ProcessTexts {
  std::int32_t pid = 0;
  // The thread that was read.
  std::int32_t tid = 0;
  std::uint64_t start_ns = 0;
  std::uint64_t change_key = 0;
  std::uint64_t css_set = 0;
  // When to read them again; 0 = not all of them could be read.
  std::int64_t due_ms = 0;

  std::string executable;
  std::string cgroup;
  // Errors of the last read, 0 = none.
  int executable_error = 0;
  int cgroup_error = 0;
  int label_error = 0;
  // Whether the label confines; false where no security module gives labels.
  bool confined = false;

  // The identity's hash, 0 = none yet, and its inputs other than the executable.
  std::uint64_t identity = 0;
  std::uint32_t identity_uid = 0;
  bool identity_container = false;
  std::array<char, kCommBytes> identity_comm{};

  bool Fresh(const TaskRecord& subject, std::int64_t now_ms) const {
    return now_ms < due_ms && tid == subject.pid && start_ns == subject.start_ns &&
           change_key == subject.change_key && css_set == subject.css_set;
  }
  // Reads everything again. False when some file does not exist: the process may have ended, or has no
  // executable.
  bool Read(Root& root, const TaskRecord& subject, LabelReader& labels, std::int64_t now_ms);
};

class TextCache {
 public:
  // Between Begin and End, entries are requested in ascending order of pid; those not requested are dropped.
  void Begin() { at_ = 0; }
  // Valid until the next call; a new one has no texts yet.
  ProcessTexts& Of(std::int32_t pid);
  void End();
  // Its texts are read again by the next sweep. Not between Begin and End.
  void Expire(std::int32_t pid);
  void ExpireAll();
  // Memory of entries and texts.
  std::size_t Bytes() const;

 private:
  std::vector<ProcessTexts> entries_;
  // Entries of the previous sweep, from the first difference on.
  std::vector<ProcessTexts> old_;
  std::size_t at_ = 0;
  std::size_t old_at_ = 0;
  bool differs_ = false;
};

}  // namespace desk::bpf
