// The consumer's side of a BPF ring buffer (Documentation/bpf/ringbuf.rst): records written by BPF programs,
// read in place.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/atomic.h"
#include "core/fd.h"
#include "core/result.h"

namespace desk::bpf {

// Reads records between two positions, which only increase. `data` has `bytes` bytes, a power of two, mapped
// twice in a row, so that a record that wraps around is read as one piece.
class RingReader {
 public:
  RingReader() = default;
  RingReader(const std::byte* data, std::size_t bytes, std::uint64_t* consumer, std::uint64_t* producer)
      : data_(data), bytes_(bytes), consumer_(consumer), producer_(producer) {}

  // Calls visit(bytes of a record) for all complete records and frees their space. False when the positions
  // or a length are invalid: then everything up to the producer's position is skipped.
  template <class Visit>
  bool Drain(Visit&& visit) {
    std::uint64_t at = LoadRelaxed(*consumer_);
    for (;;) {
      // Acquire: what was written before the position moved is seen after it is read.
      const std::uint64_t end = LoadAcquire(*producer_);
      if (at == end) return true;
      if (end - at > bytes_) return Skip(end);
      const auto* const header = reinterpret_cast<const std::uint32_t*>(data_ + (at & (bytes_ - 1)));
      const std::uint32_t word = LoadAcquire(*header);
      // Its program is still writing, and notifies when it is done.
      if ((word & kBusy) != 0) return true;
      const std::uint64_t length = word & ~(kBusy | kDiscarded);
      const std::uint64_t step = (kHeaderBytes + length + 7) & ~std::uint64_t{7};
      if (step > end - at) return Skip(end);
      if ((word & kDiscarded) == 0)
        visit(std::span(reinterpret_cast<const std::byte*>(header) + kHeaderBytes, length));
      at += step;
      StoreRelease(*consumer_, at);
    }
  }

  // include/uapi/linux/bpf.h: BPF_RINGBUF_BUSY_BIT, BPF_RINGBUF_DISCARD_BIT, BPF_RINGBUF_HDR_SZ.
  static constexpr std::uint32_t kBusy = 1u << 31;
  static constexpr std::uint32_t kDiscarded = 1u << 30;
  static constexpr std::size_t kHeaderBytes = 8;

 private:
  bool Skip(std::uint64_t end) {
    StoreRelease(*consumer_, end);
    return false;
  }

  const std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::uint64_t* consumer_ = nullptr;
  std::uint64_t* producer_ = nullptr;
};

// A map of type RINGBUF, mapped into memory. Its descriptor is readable while records wait: epoll(7).
class RingBuffer {
 public:
  RingBuffer() = default;
  RingBuffer(RingBuffer&& other) noexcept;
  RingBuffer& operator=(RingBuffer&& other) noexcept;
  RingBuffer(const RingBuffer&) = delete;
  RingBuffer& operator=(const RingBuffer&) = delete;
  ~RingBuffer();

  // `bytes` is rounded up to a power of two and to a page. EINVAL before Linux 5.8, EPERM without CAP_BPF.
  static Result<RingBuffer> Create(std::size_t bytes, const char* name);

  int map() const { return map_.get(); }
  RingReader& reader() { return reader_; }

 private:
  void Unmap();

  Fd map_;
  // One writable page for the consumer's position; the producer's, and the data twice, read-only.
  std::span<std::byte> consumer_;
  std::span<std::byte> producer_;
  RingReader reader_;
};

}  // namespace desk::bpf
