// The program of the task_file iterator: one record for every open socket of every process.
#pragma once

#include <linux/bpf.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bpf/assembler.h"
#include "bpf/btf.h"
#include "core/result.h"

namespace desk::bpf {

// As the program writes it.
struct SocketRecord {
  std::uint32_t inode;
  // Of the process, in the initial pid namespace.
  std::int32_t pid;
  std::int32_t fd;
};
static_assert(sizeof(SocketRecord) == 12);

struct FileProgram {
  std::vector<bpf_insn> instructions;
  std::uint32_t attach_btf_id = 0;
};

// ENOENT when the kernel has no such iterator or lacks a member, whose path is then in `missing`.
Result<FileProgram> AssembleFileProgram(const Btf& btf, Reading reading, std::string& missing);

}  // namespace desk::bpf
