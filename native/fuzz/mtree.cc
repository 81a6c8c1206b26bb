// The list of files of a pacman package: gzip, deflate without a checksum, and the text.
#include "files/mtree.h"

#include <cerrno>
#include <string>

#include "files/inflate.h"
#include "fuzz/support/fuzz.h"

namespace desk::fuzz {
namespace {

constexpr std::size_t kMost = 1 << 18;

void TakeText(std::string_view text) {
  std::size_t entries = 0;
  const bool whole = files::EachMtreeEntry(text, [&](const files::MtreeEntry& entry) {
    ++entries;
    Ensure(entry.path.starts_with('/'));
    Ensure(!entry.mode || *entry.mode <= 07777);
    Ensure(!entry.digest || entry.digest->algorithm != files::Algorithm::kOther);
  });
  Ensure(!whole || text.starts_with("#mtree"));
  Ensure(entries <= text.size() / 2);
}

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view bytes = TextOf(input);
  TakeText(bytes);
  for (const std::size_t most : {kMost, std::size_t{100}}) {
    std::string_view rest = bytes;
    const Result<std::string> text = files::Inflate(rest, most);
    if (!text) {
      Ensure(text.error() == EBADMSG || text.error() == EFBIG);
      continue;
    }
    Ensure(text->size() <= most && Inside(rest, bytes));
    TakeText(*text);
    // What follows is not touched.
    std::string longer(bytes.substr(0, bytes.size() - rest.size()));
    const std::size_t used = longer.size();
    longer.append("behind");
    std::string_view more = longer;
    const Result<std::string> again = files::Inflate(more, most);
    Ensure(again && *again == *text && more.size() == longer.size() - used);
  }
  const Result<std::string> whole = files::Gunzip(bytes, kMost);
  Ensure(!whole || whole->size() <= kMost);
}

}  // namespace desk::fuzz
