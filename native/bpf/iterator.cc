#include "bpf/iterator.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace desk::bpf {
namespace {

// bpf_seq_read of kernel/bpf/bpf_iter.c hands out at most its own buffer, eight pages, at a time; pages may
// be 64 KiB.
constexpr std::size_t kLeastRoom = 512 << 10;
// It stops with EAGAIN after a million objects without output; the next read continues there.
constexpr int kMostReadAttempts = 1000;

}  // namespace

std::span<std::byte> ReadBuffer::Room(std::size_t filled, std::size_t room) {
  if (size_ - filled < room) {
    const std::size_t size = std::max(2 * size_, filled + room);
    std::unique_ptr<std::byte[]> grown(new std::byte[size]);
    if (filled > 0) std::memcpy(grown.get(), bytes_.get(), filled);
    bytes_ = std::move(grown);
    size_ = size;
  }
  return {bytes_.get() + filled, size_ - filled};
}

Result<Iterator> Iterator::Load(std::span<const bpf_insn> instructions, std::uint32_t attach_btf_id,
                                const char* name, Step& step, std::string& log) {
  Iterator iterator;
  step = Step::kProgram;
  const ProgramRequest request{.type = kProgramTracing,
                               .attach_type = kAttachTraceIterator,
                               .attach_btf_id = attach_btf_id,
                               .name = name,
                               .instructions = instructions};
  Result<Fd> program = LoadProgram(request, &log);
  if (!program) return program.refusal();
  step = Step::kLink;
  Result<Fd> link = CreateLink(program->get(), kAttachTraceIterator);
  if (!link) return link.refusal();
  step = Step::kDone;
  iterator.program_ = std::move(program.value());
  iterator.link_ = std::move(link.value());
  return iterator;
}

Result<std::span<const std::byte>> Iterator::Read(ReadBuffer& buffer) const {
  const Result<Fd> run = CreateIterator(link_.get());
  if (!run) return run.refusal();
  std::size_t filled = 0;
  int tries = 0;
  for (;;) {
    const std::span<std::byte> room = buffer.Room(filled, kLeastRoom);
    const ssize_t got = ::read(run->get(), room.data(), room.size());
    if (got < 0) {
      if ((errno == EINTR || errno == EAGAIN) && ++tries < kMostReadAttempts) continue;
      return Errno{errno};
    }
    if (got == 0) return std::span<const std::byte>(buffer.data(), filled);
    filled += static_cast<std::size_t>(got);
  }
}

}  // namespace desk::bpf
