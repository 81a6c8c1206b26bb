#include "mail/text_numbers.h"

#include <span>

#include "core/siphash.h"

namespace desk {

std::size_t TextNumbers::Hash::operator()(std::string_view text) const {
  return SipHash13(ProcessKey(), {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::uint32_t TextNumbers::NumberOf(std::string_view text) {
  if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
  const auto number = static_cast<std::uint32_t>(numbers_.size());
  numbers_.emplace(text, number);
  fresh_.append(text) += '\n';
  bytes_ += text.size();
  return number;
}

void TextNumbers::Clear() {
  numbers_.clear();
  fresh_.clear();
  bytes_ = 0;
}

}  // namespace desk
