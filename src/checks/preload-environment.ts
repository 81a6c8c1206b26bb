import type { PeekCheck } from './check.ts';
import { names } from './executables.ts';
import { type LoaderValue, UNKNOWN } from './peek-facts.ts';
import { partOf } from './peeked.ts';
import { processText, runsAsRoot } from './subjects.ts';

/** From the one that takes most to the one that takes least. */
const CLASSES = [
  { variable: 'LD_AUDIT', evidenceClass: 'audit' },
  { variable: 'LD_PRELOAD', evidenceClass: 'preload' },
  { variable: 'LD_LIBRARY_PATH', evidenceClass: 'library-path' },
] as const;

type Environment = Readonly<Record<string, LoaderValue>>;

/** The class of a value that was set more than once, or is longer than what is read: never suppressed. */
const PARTLY_KNOWN = 'partly known';
const KNOWN = CLASSES.map(({ evidenceClass }) => evidenceClass);

/** Libraries that tools of the distribution preload into what they run: fakeroot, stdbuf, eatmydata, faketime. */
const TOOL_LIBRARY = /^lib(?:fakeroot-(?:sysv|tcp|0)|stdbuf|eatmydata|faketime(?:MT)?)\.so(?:\.1)?$/;
/** Folders that only root writes; no way out of them. */
const SYSTEM_FOLDER = /^\/(?:usr\/)?lib(?:32|64|x32|exec)?(?:\/(?!\.\.?(?:\/|$))[^/$]+)*\/?$/;

/**
 * Whether the loader takes only what such tools preload, from folders of the system (ld.so(8): items are separated
 * by colons or blanks, a name without a slash is searched for in the library path, an empty part of which is the current folder).
 */
function isOfTool(environment: Environment): boolean {
  const LD_PRELOAD = environment.LD_PRELOAD?.text ?? '';
  const LD_LIBRARY_PATH = environment.LD_LIBRARY_PATH?.text ?? '';
  const inSystem = (folder: string): boolean => SYSTEM_FOLDER.test(folder);
  const libraries = LD_PRELOAD.split(/[: ]/).filter((item) => item !== '');
  return (
    (LD_LIBRARY_PATH === '' || LD_LIBRARY_PATH.split(/[:;]/).every(inSystem)) &&
    libraries.every((item) => {
      const slash = item.lastIndexOf('/');
      return TOOL_LIBRARY.test(item.slice(slash + 1)) && (slash < 0 || inSystem(item.slice(0, slash)));
    })
  );
}

/** The environment makes the loader take other code (ld.so(8)). */
export const preloadEnvironment: PeekCheck = {
  id: 'preload-environment',
  avenue: 'inject_clip',
  severity: 'medium',
  tier: 2,
  techniques: ['T1574.006'],
  key: CLASSES.map(({ variable }) => variable),
  text: {
    about:
      'LD_PRELOAD, LD_AUDIT or LD_LIBRARY_PATH made the loader load code that the program did not request.',
    benign:
      'Snap, flatpak and other sandboxes, games with an overlay, a replaced allocator, a development shell.',
    remedy: 'check these libraries, and end the process if you did not start it with them',
  },
  causes: [
    {
      name: 'build-preloads',
      evidenceClass: ['tool'],
      why: 'fakeroot, stdbuf, eatmydata and faketime preload their own library, from a folder of the system',
    },
    {
      name: 'snap-packages',
      executable: ['/snap/*', '/var/lib/snapd/*'],
      evidenceClass: KNOWN,
      severity: 'high',
      why: 'snap sets the library path of what it runs',
    },
    {
      name: 'flatpak-packages',
      executable: ['/app/*', '/newroot/app/*'],
      evidenceClass: KNOWN,
      severity: 'medium',
      why: 'flatpak sets the library path of what it runs',
    },
    {
      name: 'game-overlays',
      executable: names('steam steamwebhelper reaper pressure-vessel* gameoverlayui wine* proton* lutris*'),
      evidenceClass: KNOWN,
      // A name can be borrowed: never what root runs.
      severity: 'medium',
      why: 'game launchers preload their overlay',
    },
  ],
  peek(context, report) {
    const environment = partOf(context, 'environment', report);
    if (environment === null) return;
    const strongest = CLASSES.find(({ variable }) => environment[variable] !== undefined);
    if (strongest === undefined) return report.pass();
    const { subject } = context;
    const whole = Object.values(environment).every((value) => value.whole);
    const isTool = strongest.evidenceClass === 'preload' && isOfTool(environment);
    const asRoot = runsAsRoot(subject);
    report.fail({
      subject,
      severity: !asRoot ? 'medium' : strongest.evidenceClass === 'library-path' ? 'high' : 'critical',
      evidenceClass: !whole ? PARTLY_KNOWN : isTool ? 'tool' : strongest.evidenceClass,
      summary: `${processText(subject)} was started${asRoot ? ' as root' : ''} with ${strongest.variable}=${environment[strongest.variable]?.text}`,
      evidence: evidenceOf(environment),
    });
  },
};

/** By variable; of one that is known in part, what was read of it. */
const evidenceOf = (environment: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([variable, { text, whole }]) =>
      whole
        ? [[variable, text]]
        : [
            [variable, UNKNOWN],
            [`${variable}_in_part`, text],
          ],
    ),
  );
