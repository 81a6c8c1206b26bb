#include "probe/proc_threads.h"

#include <algorithm>
#include <array>

#include "core/directory.h"
#include "probe/proc_ns.h"
#include "probe/proc_stat.h"

namespace desk {
namespace {

struct Link {
  const char* file;
  const char* kind;
  Fact fact;
  std::optional<std::uint32_t> ThreadFacts::*number;
};

constexpr std::array<Link, 4> kLinks{{
    {"ns/user", "user", kFactNsUser, &ThreadFacts::ns_user},
    {"ns/pid", "pid", kFactNsPid, &ThreadFacts::ns_pid},
    {"ns/mnt", "mnt", kFactNsMnt, &ThreadFacts::ns_mnt},
    {"ns/net", "net", kFactNsNet, &ThreadFacts::ns_net},
}};

}  // namespace

LinkOutcome ReadLinks(Root& root, ProcPath& path, LabelReader& labels, ThreadFacts& facts) {
  LinkOutcome outcome;
  const auto note = [&outcome](int error, Fact fact) {
    if (error == 0) {
      outcome.seen |= fact;
    } else if (IsGone(error)) {
      outcome.gone = true;
    } else {
      outcome.refused |= fact;
      if (outcome.error == 0) outcome.error = error;
    }
  };
  for (const Link& link : kLinks) {
    const auto number = ReadNamespace(root.fd(), path.File(link.file), link.kind);
    note(number.error(), link.fact);
    if (number) facts.*link.number = *number;
    // One permission check (ptrace access, namespaces(7)) covers all four.
    if (IsRefused(number.error())) {
      outcome.refused |= kFactNsUser | kFactNsPid | kFactNsMnt | kFactNsNet;
      break;
    }
  }
  if (!labels.present()) {
    facts.label = false;
    return outcome;
  }
  const Result<bool> confined = labels.Confines(path.File("attr/current"));
  note(confined.error(), kFactLabel);
  if (confined) facts.label = *confined;
  return outcome;
}

bool Lives(int root, ProcPath& path, std::int32_t id) {
  const Result<Stat> stat = ReadStat(root, path.File("stat"), id);
  return stat ? !stat->zombie() : !IsGone(stat.error());
}

Result<LivingThread> FindLivingThread(int root, std::int32_t pid) {
  LivingThread living;
  std::uint32_t dead = 0;
  int error = 0;
  const auto check = [&](std::int32_t tid, int) {
    const Result<Stat> stat = ReadStat(root, ProcPath(pid, tid).File("stat"), tid);
    if (!stat) {
      if (!IsGone(stat.error())) error = stat.error();
      return true;
    }
    if (stat->zombie()) {
      ++dead;
      return true;
    }
    living = {.tid = tid, .state = stat->state};
    return false;
  };
  const Result<bool> walked = WalkNumbers(root, ProcPath(pid).File("task"), check);
  if (living.tid != 0) return living;
  if (!walked && !IsGone(walked.error())) error = walked.error();
  if (error != 0) return Errno{error};
  // The walk may miss new threads: all threads of the kernel's count must be accounted for.
  const Result<Stat> leader = ReadStat(root, pid);
  if (leader && leader->zombie() && leader->threads <= std::max(dead, 1u)) return living;
  return Errno{EAGAIN};
}

ThreadsVerdict JudgeThreads(Root& root, std::int32_t pid, std::int32_t judged, const Reference& reference,
                            LabelReader& labels) {
  ThreadsVerdict verdict;
  const auto note = [&verdict](int error) {
    if (verdict.error == 0 && !IsGone(error)) verdict.error = error;
  };
  const auto judge = [&](std::int32_t tid, int) {
    if (tid == pid || tid == judged) return true;
    ProcPath path(pid, tid);
    const Result<Status> status = ReadStatus(root.fd(), path.File("status"));
    if (IsGone(status.error())) return true;
    note(status.error());
    ThreadFacts facts;
    if (status) {
      facts.status = FactsOf(*status);
      if (StatusWrap(*facts.status, reference) != 0) return true;
    }
    const LinkOutcome links = ReadLinks(root, path, labels, facts);
    const ThreadWrap wrap = JudgeThread(facts, reference);
    if (wrap.mask != 0) return true;
    // A thread that ended meanwhile is not evidence; one that still exists is.
    if (links.gone && !Lives(root.fd(), path, tid)) return true;
    note(links.error);
    verdict.unknown = verdict.unknown || wrap.unknown;
    verdict.free = !wrap.unknown;
    return !verdict.free;
  };
  const Result<bool> walked = WalkNumbers(root.fd(), ProcPath(pid).File("task"), judge);
  if (!walked) {
    verdict.unknown = true;
    note(walked.error());
  }
  return verdict;
}

}  // namespace desk
