// Records of a BPF ring buffer, with positions and lengths that make no sense.
#include "bpf/ring_buffer.h"

#include <algorithm>
#include <array>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  constexpr std::size_t kBytes = 256;
  Taker taker(input);
  const std::uint64_t begin = taker.Take<std::uint64_t>() & ~std::uint64_t{7};
  std::uint64_t consumer = begin;
  std::uint64_t producer = begin + taker.Take<std::uint16_t>();
  // Mapped twice in a row, as the kernel does.
  alignas(8) std::array<std::byte, 2 * kBytes> data{};
  const auto bytes = std::as_bytes(taker.rest());
  for (std::size_t half : {std::size_t{0}, kBytes}) {
    std::copy_n(bytes.begin(), std::min(bytes.size(), kBytes),
                data.begin() + static_cast<std::ptrdiff_t>(half));
  }
  bpf::RingReader reader(data.data(), kBytes, &consumer, &producer);
  std::size_t seen = 0;
  const bool whole = reader.Drain([&](std::span<const std::byte> record) {
    Ensure(record.data() >= data.data() && record.data() + record.size() <= data.data() + data.size());
    seen += record.size() + bpf::RingReader::kHeaderBytes;
  });
  Ensure(seen <= kBytes);
  Ensure(consumer - begin <= producer - begin);
  if (!whole) Ensure(consumer == producer);
}

}  // namespace desk::fuzz
