// The program of the task iterator (Documentation/bpf/bpf_iterators.rst), which kernels from 5.8 on have: one
// record for every thread, written to a file.
#pragma once

#include <linux/bpf.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bpf/assembler.h"
#include "bpf/btf.h"
#include "bpf/task_record.h"
#include "core/result.h"

namespace desk::bpf {

struct TaskProgram {
  std::vector<bpf_insn> instructions;
  // What the program attaches to: the function bpf_iter_task.
  std::uint32_t attach_btf_id = 0;
  // Facts that this kernel's configuration provides: kFactStat always, kFactStatus unless it lacks seccomp,
  // the namespaces it has.
  std::uint16_t facts = 0;
};

// ENOENT when the kernel has no task iterator or lacks a required member, whose path is then in `missing`.
Result<TaskProgram> AssembleTaskProgram(const Btf& btf, Reading reading, std::string& missing);

}  // namespace desk::bpf
