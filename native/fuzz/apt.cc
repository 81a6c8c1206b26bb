// What apt keeps: blocks and frames of lz4, and versions. The first byte says which.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "apt/deb_version.h"
#include "apt/lz4.h"
#include "core/fd.h"
#include "fuzz/support/fuzz.h"

namespace desk::fuzz {
namespace {

constexpr std::size_t kMost = 64 << 10;

void TakeBlock(std::string_view block) {
  const std::string before(300, 'x');
  std::string text = before;
  const int error = apt::DecodeLz4Block(block, kMost, text);
  Ensure(error == 0 || error == EBADMSG);
  Ensure(text.starts_with(before) && text.size() - before.size() <= kMost);
}

void TakeFrame(std::span<const std::uint8_t> bytes) {
  const Fd file(::memfd_create("fuzz", MFD_CLOEXEC));
  Ensure(file.valid());
  Ensure(::write(file.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  apt::Lz4Reader reader(file.get());
  std::string text;
  for (std::size_t blocks = 0;; ++blocks) {
    // Each has four bytes in the file at least.
    Ensure(blocks <= bytes.size() / 4);
    text.erase(0, text.size() - std::min(text.size(), apt::kLz4History));
    const Result<bool> more = reader.Next(text);
    if (!more) return Ensure(more.error() == EBADMSG);
    if (!*more) return;
  }
}

void TakeVersions(std::string_view text) {
  const std::size_t at = text.find(' ');
  if (at == std::string_view::npos) return;
  const std::string_view one = text.substr(0, at);
  const std::string_view other = text.substr(at + 1);
  const int order = apt::CompareDebVersions(one, other);
  const int reversed = apt::CompareDebVersions(other, one);
  Ensure((order < 0) == (reversed > 0) && (order == 0) == (reversed == 0));
  Ensure(apt::CompareDebVersions(one, one) == 0);
}

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  Taker taker(input);
  switch (taker.Take<std::uint8_t>() % 3) {
    case 0: return TakeBlock(TextOf(taker.rest()));
    case 1: return TakeFrame(taker.rest());
    default: return TakeVersions(TextOf(taker.rest()));
  }
}

}  // namespace desk::fuzz
