/**
 * Tests that prove that a check works: those that create the real thing and find it, with its pid where it is about a
 * process or held by one, and those in which the benign case is not reported. `docs/checks.md` shows
 * this table, and `test/house.test.ts` holds it against the index of checks and against the tests.
 */
export interface Proof {
  /** Below `test`. */
  readonly file: string;
  /** The test that finds it. */
  readonly found: string;
  /** The test in which the benign case is not reported; default: the same. */
  readonly silent?: string;
  /** Why the real thing is not created, or not everywhere, and what is checked instead. */
  readonly instead?: string;
}

const programs = 'real/found.test.ts';
const network = 'real/found-network.test.ts';
const host = 'real/found-host.test.ts';
const inside = 'real/peek.test.ts';
const learning = 'real/learning.test.ts';
const notes = 'features/quarantine/helper-notes.test.ts';

const startup = 'real/startup-changes.test.ts';
const changedByHand =
  'startup-entry, packaged-file: what was changed by hand is found, what a package or an editor does is low or nothing';

const listeners =
  'public-listener, unknown-local-listener, banned-listener, ownerless-socket: each is found, with its holders';
const orphans = 'orphan-parent: the child of a hidden process is found, and hidden-process: its parent';
const holders =
  'clipboard-reader, camera-or-microphone: holders of input devices, cameras and microphones are found';

/** By id of the check. */
export const PROOFS: Readonly<Record<string, Proof>> = {
  'hidden-process': {
    file: host,
    found: 'hidden-process: a mount over a process, or over a part of it, is found at the next recheck',
  },
  'orphan-parent': { file: programs, found: orphans },
  'deleted-executable': {
    file: programs,
    found: 'deleted-executable: a program whose file was unlinked is found, one whose file exists is not',
    silent: 'deleted-executable: a file whose name ends in " (deleted)" is explained',
  },
  'memfd-executable': {
    file: programs,
    found: 'memfd-executable: a program that runs from memory is found, its parent is not',
    silent: 'memfd-executable: a copy of runc in memory is explained for root only',
  },
  'odd-executable-path': {
    file: programs,
    found: 'odd-executable-path: a program in a folder for temporary files is found, a system program is not',
    silent:
      'odd-executable-path: a program in a hidden folder of a home is found, that of a version manager is explained',
  },
  'kernel-thread-impostor': {
    file: programs,
    found:
      'kernel-thread-impostor: a program with the name of a kernel thread is found, real kernel threads are not',
  },
  'name-mismatch': {
    file: programs,
    found: 'name-mismatch: a process with a false name is found, one with its own name and a script are not',
  },
  'preload-file': {
    file: host,
    found:
      'preload-file: a library in /etc/ld.so.preload is found even if it hides that file from every reader',
    silent: 'preload-file: a file of comments is not a finding, and snoopy is explained',
  },
  'preload-environment': {
    file: inside,
    found: 'preload-environment: a process started with LD_PRELOAD, LD_AUDIT or LD_LIBRARY_PATH is found',
  },
  traced: {
    file: programs,
    found: 'traced: a process under ptrace is found with its tracer, and the tracer is not found',
    silent: 'traced: a crash handler is explained',
  },
  'writable-code': {
    file: inside,
    found: 'writable-code: writable, anonymous or memfd code is found, and an ordinary program has none',
  },
  'deleted-library': {
    file: inside,
    found: 'deleted-library: a library that was deleted or replaced while its process runs is found',
    silent: 'deleted-library: a program whose own file was deleted is not a finding',
  },
  'overwritten-image': {
    file: inside,
    found: 'overwritten-image: code without a file at the address of a program is found',
  },
  'shell-on-socket': {
    file: inside,
    found: 'shell-on-socket: a shell whose input is a TCP socket or a local socket is found',
  },
  'clipboard-reader': {
    file: inside,
    found: holders,
    instead: 'the devices are null devices with those names, in a separate /dev',
  },
  'camera-or-microphone': {
    file: inside,
    found: holders,
    instead: 'the devices are null devices with those names, in a separate /dev',
  },
  'public-listener': {
    file: network,
    found: listeners,
    silent: 'public-listener, banned-listener: in another network namespace, labelled with it',
  },
  'unknown-local-listener': { file: network, found: listeners },
  'banned-listener': { file: network, found: listeners },
  'ownerless-socket': {
    file: network,
    found: listeners,
    instead:
      'where root cannot read the descriptors of pid 1 all such sockets are blind, and the test expects that; made-up facts show the finding (checks/checks.test.ts)',
  },
  'hidden-port': {
    file: network,
    found: 'hidden-port: a port missing from the kernel’s answer is found, a reported one is not',
    instead:
      'a socket hidden by the kernel itself needs a module: a preloaded library removes it from the answer to this process',
  },
  'packet-socket': {
    file: network,
    found: 'packet-socket: only the process that reads raw frames is found',
    silent: 'packet-socket: a DHCP client is explained by its path',
  },
  'promiscuous-interface': {
    file: network,
    found: 'promiscuous-interface: found with the program that set it; a virtual link is explained',
    instead: 'bridges need a module: fixture folders of sysfs (native/host.test.ts)',
  },
  'off-list-egress': {
    file: inside,
    found:
      'off-list-egress: a connection of a desk process that is not on the allowlist is found, an allowed one is not',
  },
  'unlearned-process': {
    file: learning,
    found:
      'a new folder is learned automatically and is gold; a new program is reported, learned on request, and unlearned by a restore',
  },
  'changed-program': {
    file: 'real/changed-program.test.ts',
    found:
      'an overwritten learned program is a scar of its path, shown with old and new content, and ends when it is learned',
  },
  'lost-sight': {
    file: learning,
    found:
      'lost-sight: a learned program that becomes unreadable is found with its pid, a readable one is not',
  },
  'learning-open': {
    file: learning,
    found:
      'learning-open: a baseline learned with other privileges is reported, one with the same privileges is not',
  },
  'baseline-tampered': {
    file: learning,
    found:
      'baseline-tampered: a row added to the baseline by hand is found at the next scan, and the baseline is not used',
  },
  'fried-process': {
    file: programs,
    found: 'fried-process: an old zombie is found, a new one is not',
  },
  'kernel-taint': {
    file: host,
    found: 'kernel-taint: a taint bit in a fixture file is found, except that of an out-of-tree driver',
    instead: 'only a reboot clears a bit: a fixture file, and the real one is read',
  },
  'module-views': {
    file: host,
    found: 'module-views: a module that only one of two fixture folders shows is found, one in both is not',
    instead: 'a hiding module would have to be loaded: fixture folders of both views',
  },
  'device-node': {
    file: host,
    found: 'device-node: a regular file and an unknown device in /dev are found, standard devices are not',
  },
  'startup-entry': { file: startup, found: changedByHand },
  'packaged-file': { file: startup, found: changedByHand },
  'vital-sign': {
    file: 'features/vitals/vitals.test.ts',
    found: 'a file system that is nearly full is found by vital-sign, and no longer once there is space',
    silent: 'a healthy machine has no concern, and each limit has its own',
  },
  'stale-runtime-file': {
    file: notes,
    found:
      'a killed run leaves its helper behind: found with its pid, as a process of the desk without its run',
    silent: 'while its run lives a helper is neither orphan nor residue; a run that ends well leaves nothing',
  },
  'orphan-helper': {
    file: notes,
    found:
      'a killed run leaves its helper behind: found with its pid, as a process of the desk without its run',
    silent: 'while its run lives a helper is neither orphan nor residue; a run that ends well leaves nothing',
  },
  'unreadable-process': {
    file: 'real/wedge.test.ts',
    found:
      'unreadable-process: a process is found after two reads without an answer, others are still checked, and it is closed when it answers',
  },
};
