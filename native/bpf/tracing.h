// The iterators of this process: loaded at first use and kept until it ends.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "bpf/file_program.h"
#include "bpf/iterator.h"
#include "bpf/task_source.h"
#include "core/result.h"
#include "core/unavailable.h"

namespace desk::bpf {

// The first of the user, pid and time namespaces of this process that is not the initial one: `step` is its
// kind, `error` EXDEV or why it could not be read. Nothing when all three are initial.
std::optional<Unavailable> OutsideInitialNamespaces();

// Where loading stopped.
enum class Stage : std::uint8_t { kNone, kPermission, kBtf, kProgram, kIterator, kNamespace };

struct Tracing {
  // How tasks are read, which the backend needs: the open-coded iterator where the kernel has it, else the
  // task iterator; null when neither is available, for the reason below.
  std::unique_ptr<TaskSource> tasks;
  // The task_file iterator; where it alone is missing, its error is here.
  std::optional<Iterator> files;
  int files_error = 0;

  Stage stage = Stage::kNone;
  int error = 0;
  // A message for the user; empty when nothing is wrong.
  std::string reason;
};

// Loads at the first call; every thread gets the same.
const Tracing& TheTracing();

// TheTracing().tasks, or while it is forced the task iterator; null when that is not available.
TaskSource* TasksInUse();
// For tests and measurements, which compare the two: true forces the task iterator, loaded at the first call.
void ForceSeqFile(bool forced);

// "", "permission", "btf", "program", "iterator" or "namespace".
const char* StageName(Stage stage);

// An open socket from the kernel's task_file iterator, which includes threads with a descriptor table of
// their own, reported under their process.
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
