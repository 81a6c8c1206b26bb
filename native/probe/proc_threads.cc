#include "probe/proc_threads.h"

#include <array>

#include "core/directory.h"
#include "probe/proc_ns.h"

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

ThreadFacts::FromStatus FactsOf(const Status& status) {
  return {.seccomp = status.seccomp,
          .no_new_privs = status.no_new_privs,
          .cap_bnd = status.cap_bnd,
          .pid_levels = status.pid_levels};
}

LinkOutcome ReadLinks(Root& root, ProcPath& path, LabelReader& labels, ThreadFacts& facts) {
  LinkOutcome outcome;
  const auto note = [&outcome](int error, Fact fact) {
    if (error == 0) outcome.seen |= fact;
    if (IsRefused(error)) outcome.refused |= fact;
    if (IsGone(error)) outcome.gone = true;
  };
  for (const Link& link : kLinks) {
    const auto number = ReadNamespace(root.fd(), path.File(link.file), link.kind);
    note(number.error(), link.fact);
    if (number) facts.*link.number = *number;
    // One permission (ptrace access, namespaces(7)) guards all four.
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

ThreadsVerdict JudgeThreads(Root& root, std::int32_t pid, const Reference& reference, LabelReader& labels) {
  ThreadsVerdict verdict;
  const auto judge = [&](std::int32_t tid, int) {
    if (tid == pid) return true;
    ProcPath path(pid, tid);
    const Result<Status> status = ReadStatus(root.fd(), path.File("status"));
    if (IsGone(status.error())) return true;
    if (IsRefused(status.error())) verdict.refused = true;
    ThreadFacts facts;
    if (status) {
      facts.status = FactsOf(*status);
      if (StatusWrap(*facts.status, reference) != 0) return true;
    }
    const LinkOutcome links = ReadLinks(root, path, labels, facts);
    const ThreadWrap wrap = JudgeThread(facts, reference);
    if (wrap.mask != 0) return true;
    if (links.refused != 0) verdict.refused = true;
    // A thread that ended between its files is no evidence; one that still answers is.
    if (links.gone && IsGone(ReadStatus(root.fd(), path.File("status")).error())) return true;
    verdict.unknown = verdict.unknown || wrap.unknown;
    verdict.free = !wrap.unknown;
    return !verdict.free;
  };
  const Result<bool> walked = WalkNumbers(root.fd(), ProcPath(pid).File("task"), judge);
  if (!walked) {
    verdict.unknown = true;
    verdict.refused = verdict.refused || IsRefused(walked.error());
  }
  return verdict;
}

}  // namespace desk
