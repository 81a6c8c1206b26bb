#include "bpf/text_cache.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/read.h"
#include "core/result.h"
#include "probe/cgroup_reader.h"

namespace desk::bpf {
namespace {

// No text is older than five minutes, though sweeps of everything may come every minute only; reads of
// processes that started together are spread.
constexpr std::int64_t kYoungestMs = 60'000;
constexpr std::uint32_t kSpreadMs = 179'000;

std::int64_t DueMs(std::int32_t pid, std::int64_t now_ms) {
  constexpr std::uint32_t kScatter = 2'654'435'761;  // Knuth's multiplicative hash
  return now_ms + kYoungestMs + (static_cast<std::uint32_t>(pid) * kScatter >> 8) % kSpreadMs;
}

}  // namespace

bool ProcessTexts::Read(Root& root, const TaskRecord& subject, LabelReader& labels, std::int64_t now_ms) {
  ProcPath path = ProcPath::Of(subject.tgid, subject.pid);
  tid = subject.pid;
  start_ns = subject.start_ns;
  change_key = subject.change_key;
  css_set = subject.css_set;
  identity = 0;
  const Result<std::string_view> read_executable = ReadLink(root.fd(), path.File("exe"));
  executable_error = read_executable.error();
  executable.assign(read_executable ? *read_executable : std::string_view());
  Result<std::string> read_cgroup = root.Memory<CgroupReader>().Read(path.File("cgroup"));
  cgroup_error = read_cgroup.error();
  cgroup = std::move(*read_cgroup);
  confined = false;
  label_error = 0;
  if (labels.present()) {
    const Result<bool> label = labels.Confines(path.File("attr/current"));
    label_error = label.error();
    confined = label && *label;
  }
  // Failed reads are retried by the next sweep: the error may be temporary (EMFILE).
  const bool complete = executable_error == 0 && cgroup_error == 0 && label_error == 0;
  due_ms = complete ? DueMs(pid, now_ms) : 0;
  return !IsGone(executable_error) && !IsGone(cgroup_error) && !IsGone(label_error);
}

ProcessTexts& TextCache::Of(std::int32_t pid) {
  if (!differs_) {
    if (at_ < entries_.size() && entries_[at_].pid == pid) return entries_[at_++];
    differs_ = true;
    old_at_ = 0;
    old_.assign(std::make_move_iterator(entries_.begin() + static_cast<std::ptrdiff_t>(at_)),
                std::make_move_iterator(entries_.end()));
    entries_.resize(at_);
  }
  while (old_at_ < old_.size() && old_[old_at_].pid < pid) ++old_at_;
  if (old_at_ < old_.size() && old_[old_at_].pid == pid)
    entries_.push_back(std::move(old_[old_at_++]));
  else
    entries_.emplace_back().pid = pid;
  return entries_.back();
}

void TextCache::End() {
  if (!differs_) entries_.resize(at_);
  old_.clear();
  differs_ = false;
}

void TextCache::Expire(std::int32_t pid) {
  const auto found = std::ranges::lower_bound(entries_, pid, {}, &ProcessTexts::pid);
  if (found != entries_.end() && found->pid == pid) found->due_ms = 0;
}

void TextCache::ExpireAll() {
  for (ProcessTexts& texts : entries_) texts.due_ms = 0;
}

std::size_t TextCache::Bytes() const {
  std::size_t bytes = (entries_.capacity() + old_.capacity()) * sizeof(ProcessTexts);
  for (const ProcessTexts& texts : entries_) bytes += texts.executable.capacity() + texts.cgroup.capacity();
  return bytes;
}

}  // namespace desk::bpf
