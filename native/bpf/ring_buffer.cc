#include "bpf/ring_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "bpf/syscall.h"

namespace desk::bpf {
namespace {

Result<std::span<std::byte>> Map(int map, std::size_t bytes, int protection, std::size_t offset) {
  void* const at = ::mmap(nullptr, bytes, protection, MAP_SHARED, map, static_cast<off_t>(offset));
  if (at == MAP_FAILED) return Errno{errno};
  return std::span(static_cast<std::byte*>(at), bytes);
}

}  // namespace

RingBuffer::RingBuffer(RingBuffer&& other) noexcept { *this = std::move(other); }

RingBuffer& RingBuffer::operator=(RingBuffer&& other) noexcept {
  if (this == &other) return *this;
  Unmap();
  map_ = std::move(other.map_);
  consumer_ = std::exchange(other.consumer_, {});
  producer_ = std::exchange(other.producer_, {});
  reader_ = std::exchange(other.reader_, {});
  return *this;
}

RingBuffer::~RingBuffer() { Unmap(); }

void RingBuffer::Unmap() {
  for (const std::span<std::byte> part : {consumer_, producer_})
    if (!part.empty()) ::munmap(part.data(), part.size());
  consumer_ = producer_ = {};
}

Result<RingBuffer> RingBuffer::Create(std::size_t bytes, const char* name) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t room = std::bit_ceil(std::max(bytes, page));
  Result<Fd> map = CreateMap(kMapRingBuffer, 0, 0, static_cast<std::uint32_t>(room), name);
  if (!map) return map.refusal();
  RingBuffer ring;
  ring.map_ = std::move(*map);
  const auto consumer = Map(ring.map_.get(), page, PROT_READ | PROT_WRITE, 0);
  if (!consumer) return consumer.refusal();
  ring.consumer_ = *consumer;
  const auto producer = Map(ring.map_.get(), page + 2 * room, PROT_READ, page);
  if (!producer) return producer.refusal();
  ring.producer_ = *producer;
  ring.reader_ =
      RingReader(ring.producer_.data() + page, room, reinterpret_cast<std::uint64_t*>(ring.consumer_.data()),
                 reinterpret_cast<std::uint64_t*>(ring.producer_.data()));
  return ring;
}

}  // namespace desk::bpf
