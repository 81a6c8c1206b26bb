import type { PeekCheck } from './check.ts';
import { partOf, processText } from './peeked.ts';

/** From the one that takes most to the one that takes least. */
const CLASSES = [
  { variable: 'LD_AUDIT', evidenceClass: 'audit' },
  { variable: 'LD_PRELOAD', evidenceClass: 'preload' },
  { variable: 'LD_LIBRARY_PATH', evidenceClass: 'library-path' },
] as const;

/** The loader was told to take other code (ld.so(8)). */
export const preloadEnvironment: PeekCheck = {
  id: 'preload-environment',
  avenue: 'inject_clip',
  severity: 'medium',
  tier: 2,
  text: {
    about:
      'LD_PRELOAD, LD_AUDIT or LD_LIBRARY_PATH made the loader take code that the program did not ask for.',
    benign:
      'Snap, flatpak and other sandboxes, games with an overlay, a replaced allocator, a development shell.',
    remedy: 'look at the libraries named, and end the process if you did not start it so',
  },
  causes: [
    {
      name: 'snap-packages',
      executable: ['/snap/*', '/var/lib/snapd/*'],
      why: 'snap sets the library path of what it runs',
    },
    {
      name: 'flatpak-packages',
      executable: ['/app/*', '/newroot/app/*'],
      why: 'flatpak sets the library path of what it runs',
    },
    {
      name: 'game-overlays',
      executable: [
        'steam',
        'steamwebhelper',
        'reaper',
        'pressure-vessel*',
        'gameoverlayui',
        'wine*',
        'proton*',
        'lutris*',
      ],
      why: 'game launchers preload their overlay',
    },
  ],
  peek(context, report) {
    const environment = partOf(context, 'environment', report);
    if (environment === null) return;
    const strongest = CLASSES.find(({ variable }) => environment[variable] !== undefined);
    if (strongest === undefined) return report.pass();
    const { subject } = context;
    const asRoot = subject.uid === 0;
    report.fail({
      subject,
      severity: asRoot ? 'high' : 'medium',
      evidenceClass: strongest.evidenceClass,
      summary: `${processText(context)} was started${asRoot ? ' as root' : ''} with ${strongest.variable}=${environment[strongest.variable]}`,
      evidence: environment,
    });
  },
};
