#include "probe/proc_row.h"

#include <algorithm>
#include <cstring>

namespace desk {

void ProcRow::Clear() {
  rows_.ppid[row_] = 0;
  rows_.uid[row_] = rows_.euid[row_] = 0;
  rows_.tty[row_] = 0;
  rows_.flags[row_] = 0;
  rows_.start[row_] = 0;
  rows_.state[row_] = 0;
  rows_.threads[row_] = 0;
  rows_.tracer[row_] = 0;
  rows_.seccomp[row_] = rows_.no_new_privs[row_] = 0;
  rows_.cap_eff[row_] = rows_.cap_bnd[row_] = 0;
  rows_.ns_user[row_] = rows_.ns_pid[row_] = rows_.ns_mnt[row_] = rows_.ns_net[row_] = 0;
  std::memset(rows_.comm + std::size_t{row_} * kCommBytes, 0, kCommBytes);
  rows_.exe_offset[row_] = rows_.exe_length[row_] = 0;
  rows_.cgroup_offset[row_] = rows_.cgroup_length[row_] = 0;
  rows_.identity[row_] = 0;
  rows_.container[row_] = 0;
  rows_.wrap[row_] = 0;
  rows_.wrap_state[row_] = static_cast<std::uint8_t>(WrapState::kNotApplicable);
  rows_.seen[row_] = rows_.refused[row_] = 0;
}

void ProcRow::Note(std::uint16_t facts, int error) {
  if (error == 0)
    rows_.seen[row_] |= facts;
  else if (!IsGone(error))
    rows_.refused[row_] |= facts;
}

void ProcRow::PutStat(const Stat& stat) {
  rows_.ppid[row_] = stat.ppid;
  rows_.tty[row_] = stat.tty;
  rows_.flags[row_] = stat.flags;
  rows_.start[row_] = stat.start;
  rows_.threads[row_] = stat.threads;
  PutState(stat.state);
  std::memcpy(rows_.comm + std::size_t{row_} * kCommBytes, stat.comm.data(), kCommBytes);
}

void ProcRow::PutStatus(const Status& status) {
  rows_.uid[row_] = status.uid;
  rows_.euid[row_] = status.euid;
  rows_.threads[row_] = std::max(rows_.threads[row_], status.threads);
  rows_.tracer[row_] = status.tracer;
  rows_.seccomp[row_] = status.seccomp;
  rows_.no_new_privs[row_] = status.no_new_privs ? 1 : 0;
  rows_.cap_eff[row_] = status.cap_eff;
  rows_.cap_bnd[row_] = status.cap_bnd;
}

void ProcRow::PutLinks(const LinkOutcome& links, const ThreadFacts& facts) {
  rows_.seen[row_] |= links.seen;
  rows_.refused[row_] |= links.refused;
  rows_.ns_user[row_] = facts.ns_user.value_or(0);
  rows_.ns_pid[row_] = facts.ns_pid.value_or(0);
  rows_.ns_mnt[row_] = facts.ns_mnt.value_or(0);
  rows_.ns_net[row_] = facts.ns_net.value_or(0);
}

void ProcRow::PutExecutable(const Place& place) {
  rows_.exe_offset[row_] = place.offset;
  rows_.exe_length[row_] = place.length;
}

void ProcRow::PutCgroup(const Place& place) {
  rows_.cgroup_offset[row_] = place.offset;
  rows_.cgroup_length[row_] = place.length;
}

void ProcRow::PutWrap(std::uint8_t mask, WrapState state) {
  rows_.wrap[row_] = mask;
  rows_.wrap_state[row_] = static_cast<std::uint8_t>(state);
}

std::string_view ProcRow::comm() const { return CommOf(rows_, row_); }

std::optional<std::uint32_t> ProcRow::uid() const {
  if ((rows_.seen[row_] & kFactStatus) == 0) return std::nullopt;
  return rows_.uid[row_];
}

}  // namespace desk
