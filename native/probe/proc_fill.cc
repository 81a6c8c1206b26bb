#include "probe/proc_fill.h"

#include <string_view>

#include "core/identity.h"
#include "core/path.h"
#include "core/read.h"
#include "core/siphash.h"
#include "probe/proc_reference.h"
#include "probe/proc_row.h"
#include "probe/proc_threads.h"

namespace desk {
namespace {

constexpr std::uint16_t kFactNamespaces = kFactNsUser | kFactNsPid | kFactNsMnt | kFactNsNet;
constexpr std::uint16_t kFactTexts = kFactExe | kFactCgroup;

}  // namespace

RowFiller::RowFiller(Root& root, const Columns& columns, Arena& arena)
    : root_(root),
      rows_(columns.processes),
      text_(columns.text),
      reference_(KeptReference(root)),
      labels_(root),
      cgroups_(root.Memory<CgroupReader>()),
      arena_(arena) {}

void RowFiller::Fill(std::uint32_t index) {
  ProcRow row(rows_, index);
  Result<Stat> stat = Errno{EAGAIN};
  int error = EAGAIN;
  foreign_ = false;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    row.Clear();
    stat = LeaderStat(row.pid());
    if (!stat) {
      if (!IsGone(stat.error())) Hide(row, kFactStat, stat.error());
      return;
    }
    PutStat(row, *stat);
    LivingThread subject{.tid = row.pid(), .state = stat->state};
    if (stat->zombie()) {
      const Result<LivingThread> living =
          stat->threads > 1 ? FindLivingThread(root_.fd(), row.pid()) : LivingThread{};
      if (!living) {
        error = living.error();
        continue;
      }
      subject = *living;
    }
    if (subject.tid == 0 || stat->kernel_thread()) return FinishByStatus(row);
    row.PutState(subject.state);
    if (Examine(row, subject.tid)) return;
    if (foreign_) return row.Clear();
  }
  row.Clear();
  PutStat(row, *stat);
  Hide(row, kFactExe | kFactCgroup | kFactNamespaces | kFactThreads, error);
  executable_.clear();
  FinishByStatus(row);
  if (row.present()) PutIdentity(row);
}

void RowFiller::Refill(std::uint32_t index, KeptFiles& kept, std::uint32_t text_bytes) {
  const Texts texts{.executable = {rows_.exe_offset[index], rows_.exe_length[index]},
                    .cgroup = {rows_.cgroup_offset[index], rows_.cgroup_length[index]},
                    .start = rows_.start[index],
                    .seen = rows_.seen[index],
                    .refused = rows_.refused[index]};
  // A row without texts has none to keep.
  const bool examined = (texts.seen & kFactStat) != 0 && rows_.state[index] != kUnknownState &&
                        !IsZombie(rows_.state[index]) && texts.executable.offset <= text_bytes &&
                        texts.executable.length <= text_bytes - texts.executable.offset;
  texts_ = examined ? &texts : nullptr;
  kept_ = &kept;
  Fill(index);
  if (rows_.state[index] != 0 && rows_.start[index] == texts.start) {
    rows_.seen[index] |= texts.seen & kFactDescriptors;
    rows_.refused[index] |= texts.refused & kFactDescriptors;
  }
  texts_ = nullptr;
  kept_ = nullptr;
}

// A process that exists, but cannot be read: blind.
void RowFiller::Hide(ProcRow& row, std::uint16_t facts, int error) {
  row.PutState(kUnknownState);
  row.PutWrap(0, WrapState::kBlind);
  row.Note(facts, error);
}

void RowFiller::PutStat(ProcRow& row, const Stat& stat) {
  row.Note(kFactStat, 0);
  row.PutStat(stat);
}

// Finishes a process of which only stat and status are needed or available.
void RowFiller::FinishByStatus(ProcRow& row) {
  ProcPath path(row.pid());
  if (TakeStatus(row, path, row.pid()).error() == ESRCH) row.Clear();
}

// Reads a living process, by its leader or by the thread `tid` that outlived the leader. False when that
// thread ended meanwhile, or belongs to another process.
bool RowFiller::Examine(ProcRow& row, std::int32_t tid) {
  ProcPath path = ProcPath::Of(row.pid(), tid);
  const Result<Status> status = TakeStatus(row, path, tid);
  if (foreign_ || (IsGone(status.error()) && !Lives(root_.fd(), path, tid))) return false;
  ThreadFacts facts;
  if (status) facts.status = FactsOf(*status);
  if (texts_ != nullptr && texts_->start == rows_.start[row.index()] && AreTextsCurrent(path))
    KeepTexts(row);
  else
    ReadTexts(row, path);
  const LinkOutcome links = ReadLinks(root_, path, labels_, facts);
  if (links.gone && !Lives(root_.fd(), path, tid)) return false;
  row.PutLinks(links, facts);
  JudgeProcess(row, tid, facts);
  PutIdentity(row);
  return true;
}

Result<Stat> RowFiller::LeaderStat(std::int32_t pid) {
  return kept_ == nullptr ? ReadStat(root_.fd(), pid) : kept_->ReadStat(root_.fd(), pid);
}

// /proc has an unlisted directory for every thread id, too: only Tgid shows that a pid is now the id of
// another process' thread.
Result<Status> RowFiller::TakeStatus(ProcRow& row, ProcPath& path, std::int32_t tid) {
  Result<Status> status = kept_ != nullptr && tid == row.pid() ? kept_->ReadStatus(root_.fd(), tid)
                                                               : ReadStatus(root_.fd(), path.File("status"));
  if (status && status->tgid != 0 && status->tgid != row.pid()) {
    foreign_ = true;
    status = Errno{ESRCH};
  }
  row.Note(kFactStatus, status.error());
  if (status) row.PutStatus(*status);
  return status;
}

void RowFiller::ReadTexts(ProcRow& row, ProcPath& path) {
  const Result<std::string_view> executable = ReadLink(root_.fd(), path.File("exe"));
  row.Note(kFactExe, executable.error());
  executable_.assign(executable ? *executable : std::string_view());
  if (const auto place = arena_.Append(executable_)) row.PutExecutable(*place);
  const Result<std::string> cgroup = cgroups_.Read(path.File("cgroup"));
  row.Note(kFactCgroup, cgroup.error());
  if (!cgroup) return;
  // Neighbours in pid order usually share their group.
  if (const auto place = arena_.AppendUnless(last_cgroup_, *cgroup)) {
    row.PutCgroup(*place);
    last_cgroup_ = *place;
  }
}

// A group that timed out is read again until it succeeds; while it fails, the other texts need not be read.
bool RowFiller::AreTextsCurrent(ProcPath& path) {
  return (texts_->refused & kFactCgroup) == 0 || !cgroups_.Read(path.File("cgroup")).ok();
}

void RowFiller::KeepTexts(ProcRow& row) {
  rows_.seen[row.index()] |= texts_->seen & kFactTexts;
  rows_.refused[row.index()] |= texts_->refused & kFactTexts;
  row.PutExecutable(texts_->executable);
  row.PutCgroup(texts_->cgroup);
  executable_.assign(reinterpret_cast<const char*>(text_) + texts_->executable.offset,
                     texts_->executable.length);
}

void RowFiller::JudgeProcess(ProcRow& row, std::int32_t tid, const ThreadFacts& facts) {
  PutJudgement(
      row, facts, reference_, [&] { return JudgeThreads(root_, row.pid(), tid, reference_, labels_); });
}

// `executable_` is that of the row.
void RowFiller::PutIdentity(ProcRow& row) {
  BuildIdentity(
      {.executable = executable_, .comm = row.comm(), .uid = row.uid(), .container = row.container()},
      identity_);
  row.PutIdentity(HashIdentity(identity_));
}

}  // namespace desk
