#include "mail/text_numbers.h"

#include <span>
#include <utility>

#include "core/siphash.h"

namespace desk {
namespace {

constexpr std::size_t kFirstSlots = 1024;

// The texts are untrusted: without the key of the process they cannot be made to collide.
std::uint64_t HashOf(std::string_view text) { return SipHash13(ProcessKey(), BytesOf(text)); }

std::uint32_t TagOf(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

std::uint32_t TextNumbers::NumberOf(std::string_view text) {
  if (slots_.size() <= 2 * size()) Grow();
  const std::uint64_t hash = HashOf(text);
  const std::uint32_t tag = TagOf(hash);
  std::size_t at = hash & (slots_.size() - 1);
  for (; slots_[at].place != 0; at = (at + 1) & (slots_.size() - 1)) {
    const std::uint32_t number = slots_[at].place - 1;
    if (slots_[at].tag == tag && TextAt(number) == text) return number;
  }
  begins_.push_back(lines_.size());
  lines_.append(text) += '\n';
  const auto place = static_cast<std::uint32_t>(size());
  slots_[at] = {tag, place};
  return place - 1;
}

std::string TextNumbers::TakeFresh() { return lines_.substr(std::exchange(taken_, lines_.size())); }

void TextNumbers::Clear() {
  slots_.clear();
  lines_.clear();
  begins_.clear();
  taken_ = 0;
}

std::string_view TextNumbers::TextAt(std::uint32_t number) const {
  const std::size_t begin = begins_[number];
  const std::size_t end = number + 1 < size() ? begins_[number + 1] : lines_.size();
  return std::string_view(lines_).substr(begin, end - begin - 1);
}

void TextNumbers::Grow() {
  slots_.assign(slots_.empty() ? kFirstSlots : 2 * slots_.size(), {});
  for (std::uint32_t number = 0; number < size(); ++number) {
    const std::uint64_t hash = HashOf(TextAt(number));
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at].place != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {TagOf(hash), number + 1};
  }
}

}  // namespace desk
