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

const listeners =
  'public-listener, unknown-local-listener, banned-listener, ownerless-socket: each found, with who holds it';
const orphans =
  'orphan-parent: the child of a process that is hidden from the list, and hidden-process: its parent';
const holders = 'clipboard-reader, camera-or-microphone: who holds an input device, a camera, a microphone';

/** By id of the check. */
export const PROOFS: Readonly<Record<string, Proof>> = {
  'hidden-process': {
    file: host,
    found:
      'hidden-process: something mounted over a process is found at the next recheck, over a part of it too',
  },
  'orphan-parent': { file: programs, found: orphans },
  'deleted-executable': {
    file: programs,
    found: 'deleted-executable: a program whose file was unlinked, not one whose file is there',
    silent: 'deleted-executable: a name that ends in " (deleted)" is explained',
  },
  'memfd-executable': {
    file: programs,
    found: 'memfd-executable: a program that runs from memory, not its parent',
    silent: 'memfd-executable: a copy of runc in memory is explained, not for an ordinary user',
  },
  'odd-executable-path': {
    file: programs,
    found: 'odd-executable-path: a program in a folder for temporary files, not one of the system',
    silent: 'odd-executable-path: a hidden folder of a home is found, that of a version manager explained',
  },
  'kernel-thread-impostor': {
    file: programs,
    found: 'kernel-thread-impostor: a program under the name of a kernel thread, not the kernel’s own',
  },
  'name-mismatch': {
    file: programs,
    found: 'name-mismatch: a process under a borrowed name, not one under its own nor a script',
  },
  'preload-file': {
    file: host,
    found:
      'preload-file: a library in /etc/ld.so.preload is found though it hides that file from every reader',
    silent: 'preload-file: a file of comments is nothing, and snoopy is explained',
  },
  'preload-environment': {
    file: inside,
    found: 'preload-environment: a process that was started with LD_PRELOAD, LD_AUDIT or LD_LIBRARY_PATH',
  },
  traced: {
    file: programs,
    found: 'traced: a process under ptrace, with who traces it, not its tracer',
    silent: 'traced: by a crash handler it is explained',
  },
  'writable-code': {
    file: inside,
    found: 'writable-code: writable, anonymous, or in a memfd; a plain program has none',
  },
  'deleted-library': {
    file: inside,
    found: 'deleted-library: one that was deleted under its process, and one that was replaced',
    silent: 'deleted-library: a program that runs on from its deleted file is none',
  },
  'overwritten-image': {
    file: inside,
    found: 'overwritten-image: code where no file is, at the place of every program',
  },
  'shell-on-socket': {
    file: inside,
    found: 'shell-on-socket: a shell whose input is a TCP socket, and one whose input is a local socket',
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
    silent: 'public-listener, banned-listener: of another network namespace, labelled with it',
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
    found: 'hidden-port: one that is left out of the kernel’s answer, not one that is reported',
    instead:
      'a socket hidden by the kernel itself needs a module: a preloaded library removes it from the answer to this process',
  },
  'packet-socket': {
    file: network,
    found: 'packet-socket: who reads raw frames, and no one else',
    silent: 'packet-socket: a DHCP client is explained by its place',
  },
  'promiscuous-interface': {
    file: network,
    found:
      'promiscuous-interface: one that a program makes listen to everybody, and who that is; a virtual link is explained',
    instead: 'bridges need a module: fixture folders of sysfs (native/host.test.ts)',
  },
  'off-list-egress': {
    file: inside,
    found: 'off-list-egress: a program of the desk that is connected off the allowlist, not one on it',
  },
  'unlearned-process': {
    file: learning,
    found:
      'a fresh folder learns by itself and is gold; a new program is reported, learned on demand, and unlearned by going back',
  },
  'changed-program': {
    file: 'real/changed-program.test.ts',
    found:
      'a learned program that is overwritten is a scar of its path, shown with old and new content, and ends when it is learned',
  },
  'lost-sight': {
    file: learning,
    found:
      'lost-sight: a learned program that closes itself to readers is found with its pid, one that stays open is not',
  },
  'learning-open': {
    file: learning,
    found: 'learning-open: a baseline of other privileges is reported, one of our own is not',
  },
  'baseline-tampered': {
    file: learning,
    found:
      'baseline-tampered: a row written into the baseline by hand is found at the next scan, and nothing is judged by it',
  },
  'fried-process': {
    file: programs,
    found: 'fried-process: a zombie that is old enough, not a fresh one',
  },
  'kernel-taint': {
    file: host,
    found: 'kernel-taint: a bit of a fixture file, not that of a driver from outside the tree',
    instead: 'only a reboot clears a bit: a fixture file, and the real one is read',
  },
  'module-views': {
    file: host,
    found: 'module-views: a module that one fixture folder shows and the other does not, not those in both',
    instead: 'a hiding module would have to be loaded: fixture folders of both views',
  },
  'device-node': {
    file: host,
    found:
      'device-node: a file and an unknown device in a /dev of its own, not the devices that belong there',
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
      'unreadable-process: one is found twice unanswered, the others are checked meanwhile, and it is let go when it answers',
  },
};
