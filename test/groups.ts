/**
 * What `npm test` leaves out so that it ends within three minutes on two processors, in groups with the reason; `npm run test:all`
 * runs these too. `npm test` runs every test file that is in no group. A path is a file, or a folder with everything below it.
 */
interface Group {
  readonly why: string;
  readonly paths: readonly string[];
  /** Files of these folders that belong to another group. */
  readonly except?: readonly string[];
  /** Absent: `beside`. */
  readonly phase?: Phase;
}

/**
 * The phases of a run, one after the other. `systems`, `beside`, `quiet`: as many files at a time as there are lanes.
 * `systems` runs apart, because services that other tests start would report its programs; `quiet` files need the processors.
 * `machine`: two at a time. `alone`: one at a time. Nothing else may run beside tests.
 */
export const PHASES = ['systems', 'beside', 'machine', 'quiet', 'alone'] as const;
export type Phase = (typeof PHASES)[number];

export const GROUPS: Readonly<Record<string, Group>> = {
  machine: {
    why: 'they watch the whole machine: running services and attacks',
    phase: 'machine',
    paths: ['test/real/'],
    except: [
      'test/real/agreement.test.ts',
      'test/real/alert-faults.test.ts',
      'test/real/alerts.test.ts',
      'test/real/alerts-accepted.test.ts',
      'test/real/alerts-locked.test.ts',
      'test/real/bench.test.ts',
      'test/real/container.test.ts',
      'test/real/debugger.test.ts',
      'test/real/flood.test.ts',
      'test/real/full-disk.test.ts',
      'test/real/learning.test.ts',
      'test/real/listener-attacks.test.ts',
      'test/real/look.test.ts',
      'test/real/mail.test.ts',
      'test/real/package-managers.test.ts',
      'test/real/packages.test.ts',
      'test/real/quiet.test.ts',
      'test/real/refusals.test.ts',
      'test/real/remote.test.ts',
      'test/real/remote-hang.test.ts',
      'test/real/remote-ways.test.ts',
      'test/real/site.test.ts',
      'test/real/startup.test.ts',
      'test/real/startup-changes.test.ts',
      'test/real/startup-hang.test.ts',
      'test/real/startup-seen.test.ts',
      'test/real/startup-silence.test.ts',
      'test/real/systemd.test.ts',
      'test/real/udp-hooks.test.ts',
      'test/real/verdicts.test.ts',
    ],
  },
  alone: {
    why: 'they have time limits, compare two readings of the machine, or depend on all findings: what other files do would change them',
    phase: 'alone',
    paths: [
      'test/real/agreement.test.ts',
      'test/real/alert-faults.test.ts',
      'test/real/alerts.test.ts',
      'test/real/alerts-accepted.test.ts',
      'test/real/alerts-locked.test.ts',
      'test/real/flood.test.ts',
      'test/real/learning.test.ts',
      'test/real/listener-attacks.test.ts',
      'test/real/look.test.ts',
      'test/real/quiet.test.ts',
      'test/real/startup-seen.test.ts',
      'test/real/udp-hooks.test.ts',
      'test/real/verdicts.test.ts',
    ],
  },
  systems: {
    why: 'they work in a copy of the root, in a container, or between two machines',
    phase: 'systems',
    paths: [
      'test/real/container.test.ts',
      'test/real/package-managers.test.ts',
      'test/real/packages.test.ts',
      'test/real/remote.test.ts',
      'test/real/remote-hang.test.ts',
      'test/real/remote-ways.test.ts',
      'test/real/startup.test.ts',
      'test/real/startup-hang.test.ts',
      'test/real/startup-silence.test.ts',
      'test/real/systemd.test.ts',
    ],
  },
  quiet: {
    why: 'they measure changes or start benchmarks, which use several threads',
    phase: 'quiet',
    paths: ['test/real/bench.test.ts', 'test/real/startup-changes.test.ts'],
  },
  browser: {
    why: 'they open pages in Chromium',
    phase: 'quiet',
    paths: [
      'test/pages/chromium-actions.test.ts',
      'test/pages/chromium-consult.test.ts',
      'test/pages/chromium-diff.test.ts',
      'test/pages/chromium-hostile.test.ts',
      'test/pages/chromium-keyboard.test.ts',
      'test/pages/chromium-live.test.ts',
      'test/pages/chromium-looks.test.ts',
      'test/pages/chromium-not-reader.test.ts',
      'test/pages/chromium-odd-looks.test.ts',
      'test/pages/chromium-print.test.ts',
      'test/pages/chromium-remote.test.ts',
      'test/pages/chromium-startup.test.ts',
      'test/pages/chromium-tables.test.ts',
      'test/pages/chromium-uptime.test.ts',
      'test/pages/chromium.test.ts',
      'test/pages/tabs.test.ts',
    ],
  },
  mail: {
    why: 'they read mail from a real server or in the mail process',
    paths: [
      'test/features/mail/canary.test.ts',
      'test/features/mail/check.test.ts',
      'test/features/mail/hostile-server.test.ts',
      'test/features/mail/imap-broken.test.ts',
      'test/features/mail/imap.test.ts',
      'test/features/mail/keeper.test.ts',
      'test/features/mail/read-ahead.test.ts',
    ],
  },
  services: {
    why: 'they start or kill services and other processes many times',
    paths: [
      'test/real/debugger.test.ts',
      'test/real/full-disk.test.ts',
      'test/real/mail.test.ts',
      'test/real/site.test.ts',
      'test/cli/bench.test.ts',
      'test/cli/boot.test.ts',
      'test/cli/signals.test.ts',
      'test/service/desk.test.ts',
      'test/engine/blocked.test.ts',
      'test/engine/sweep.test.ts',
      'test/features/baseline/kill.test.ts',
      'test/service/service.test.ts',
      'test/store/kill.test.ts',
      'test/features/mail/ledger-journal.test.ts',
      'test/features/mail/ledger-kill.test.ts',
      'test/features/mail/ledger.test.ts',
    ],
  },
  random: {
    why: 'they try thousands of random inputs or rows',
    paths: [
      'test/features/baseline/properties.test.ts',
      'test/query/sqlite.test.ts',
      'test/features/mail/header.test.ts',
      'test/base/redactor.test.ts',
      'test/native/reread.test.ts',
      'test/native/table.test.ts',
      'test/native/hostile.test.ts',
      'test/features/history/eviction.test.ts',
    ],
  },
  sanitized: {
    why: 'they compile parts of native/ with sanitizers, or check the fuzz targets',
    paths: [
      'test/native/bpf.test.ts',
      'test/native/fuzz-corpus.test.ts',
      'test/native/namespaces.test.ts',
      'test/native/owners-files.test.ts',
      'test/native/start.test.ts',
      'test/native/starter.test.ts',
      'test/native/watch-parts.test.ts',
    ],
  },
};

/** Files that take more than a minute. Each begins before the others of its phase, so that the lanes end together. */
export const LONGEST: readonly string[] = [
  'test/real/startup-changes.test.ts',
  'test/real/systemd.test.ts',
  'test/real/digest.test.ts',
  'test/real/startup-silence.test.ts',
  'test/real/packages.test.ts',
  'test/real/shutdown.test.ts',
  'test/real/startup-hang.test.ts',
  'test/real/full-disk.test.ts',
];

const within = (path: string, file: string): boolean =>
  path.endsWith('/') ? file.startsWith(path) : file === path;

/** The groups that a test file belongs to, named by its path from the project's root: one at most. */
export const groupsOf = (file: string): readonly string[] =>
  Object.entries(GROUPS)
    .filter(
      ([, { paths, except = [] }]) => paths.some((path) => within(path, file)) && !except.includes(file),
    )
    .map(([name]) => name);

/** When a test file runs. */
export const phaseOf = (file: string): Phase => GROUPS[groupsOf(file)[0] ?? '']?.phase ?? 'beside';
