// The programs that walk over tasks by the kernel's open-coded iterators (bpf_iter_task_new, since 6.7) and
// write their records to a map: run by BPF_PROG_TEST_RUN, without a file between the program and us.
#pragma once

#include <linux/bpf.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bpf/btf.h"
#include "bpf/task_record.h"
#include "core/result.h"

namespace desk::bpf {

// The map's only value begins with this; then come, where processes are requested, their pids, and then the
// records. The caller sets the counts to 0 before a run.
struct WalkHeader {
  // Records wanted; those beyond the map's room are not written.
  std::uint64_t records;
  // Tasks visited: all threads, except the idle ones.
  std::uint64_t tasks;
  // Pids that follow.
  std::uint64_t requested;
};

// The most pids in one run.
inline constexpr std::uint32_t kMostRequested = 4096;

enum class WalkOver : std::uint8_t { kAll, kRequested };

struct WalkProgram {
  // Place of the first record in the map's value.
  std::uint32_t records_at = 0;
  // As TaskProgram::facts.
  std::uint16_t facts = 0;
  // Without a map and its room.
  std::vector<bpf_insn> instructions;
  // The instruction that compares with the room.
  std::size_t room_at = 0;

  // The instructions for a map with room for so many records.
  std::vector<bpf_insn> For(int map, std::uint32_t room) const;
};

// A record for the leader of every process, and for each other thread that may judge differently than its
// leader does: all of them when the leader has ended or is exiting, else those that live and differ from it
// in credentials (which have the label), namespaces, seccomp or no_new_privs.
// ENOENT when the kernel lacks one of the functions or members, whose name is then in `missing`.
Result<WalkProgram> AssembleTaskWalk(const Btf& btf, WalkOver over, std::string& missing);

}  // namespace desk::bpf
