// Every open socket of every process, from the kernel's task_file iterator: what `lsof` finds by walking all
// descriptors. Includes threads with a descriptor table of their own, reported under their process.
#pragma once

#include <cstdint>
#include <cstring>

#include "bpf/file_program.h"
#include "bpf/tracing.h"
#include "core/result.h"

namespace desk::bpf {

struct SocketFile {
  std::int32_t pid;
  std::int32_t fd;
  std::uint32_t inode;
};

// The records of one run; the bytes lie in a buffer of the calling thread until its next call. A refusal
// where the iterator is not available.
Result<std::span<const std::byte>> ReadSocketRecords();

// Calls visit(SocketFile) for each; the value is their number.
template <class Visit>
Result<std::uint32_t> ReadSocketFiles(Visit&& visit) {
  const Result<std::span<const std::byte>> bytes = ReadSocketRecords();
  if (!bytes) return bytes.refusal();
  std::uint32_t count = 0;
  for (std::size_t at = 0; at + sizeof(SocketRecord) <= bytes->size(); at += sizeof(SocketRecord), ++count) {
    SocketRecord record{};
    std::memcpy(&record, bytes->data() + at, sizeof record);
    visit(SocketFile{.pid = record.pid, .fd = record.fd, .inode = record.inode});
  }
  return count;
}

}  // namespace desk::bpf
