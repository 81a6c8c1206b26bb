#include "probe/proc_attr.h"

#include <algorithm>

#include "core/read.h"
#include "core/text.h"

namespace desk {
namespace {

std::string_view WithoutEnd(std::string_view label) {
  while (!label.empty() && (label.back() == '\n' || label.back() == '\0')) label.remove_suffix(1);
  return label;
}

bool LooksLikeSelinux(std::string_view label) {
  return !label.ends_with(')') && std::ranges::count(label, ':') >= 2;
}

}  // namespace

bool ParseLabel(std::string_view label, bool selinux_enforcing) {
  label = WithoutEnd(label);
  // AppArmor: "kill" enforces, too, by killing violators (security/apparmor/include/policy.h).
  if (label.ends_with(" (enforce)") || label.ends_with(" (kill)")) return true;
  if (!selinux_enforcing || !LooksLikeSelinux(label)) return false;
  TakeUntil(label, ':');
  TakeUntil(label, ':');
  const std::string_view type = TakeUntil(label, ':');
  return !type.empty() && !type.starts_with("unconfined") && type != "kernel_t" && type != "initrc_t";
}

bool LabelReader::present() {
  Labels labels = root_.labels.load(std::memory_order_relaxed);
  if (labels == Labels::kUnprobed) {
    Result<std::string_view> label = ReadRecord(root_.fd(), "self/attr/current");
    // A fixture folder may lack `self`.
    if (!label && label.error() == ENOENT) label = ReadRecord(root_.fd(), "1/attr/current");
    // A refusal means that a module protects its labels; an empty label that there is no module.
    const bool none = label ? label->empty() : IsGone(label.error()) || label.error() == EINVAL;
    labels = none ? Labels::kNone : Labels::kPresent;
    // A temporary failure (EMFILE) is not remembered.
    if (label || none || IsRefused(label.error())) root_.labels.store(labels, std::memory_order_relaxed);
  }
  return labels == Labels::kPresent;
}

Result<bool> LabelReader::Confines(const char* path) {
  const Result<std::string_view> text = ReadRecord(root_.fd(), path);
  if (!text) return text.refusal();
  const std::string_view label = WithoutEnd(*text);
  if (label.empty()) return Errno{EBADMSG};
  if (!LooksLikeSelinux(label)) return ParseLabel(label, false);
  const std::string copy(label);  // reading the policy reuses the same buffer
  return ParseLabel(copy, SelinuxEnforcing());
}

bool LabelReader::SelinuxEnforcing() {
  if (enforcing_ < 0) {
    // selinuxfs next to the proc root: /proc/../sys of the real one, a folder of the fixture otherwise.
    const Result<std::string_view> text = ReadRecord(root_.fd(), "../sys/fs/selinux/enforce");
    enforcing_ = text && text->starts_with('1') ? 1 : 0;
  }
  return enforcing_ == 1;
}

}  // namespace desk
