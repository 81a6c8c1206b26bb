#include "bpf/file_iterator.h"

namespace desk::bpf {

Result<std::span<const std::byte>> ReadSocketRecords() {
  thread_local ReadBuffer buffer;
  const Tracing& tracing = TheTracing();
  if (!tracing.files) return Errno{tracing.tasks ? tracing.files_error : tracing.error};
  return tracing.files->Read(buffer);
}

}  // namespace desk::bpf
