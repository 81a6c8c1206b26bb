import type { Check } from './check.ts';
import { isPublicListener } from './subjects.ts';
import { judgeUnlearned } from './unlearned-listeners.ts';

/** TCP LISTEN, or unconnected UDP below the ephemeral range, bound beyond loopback and neither learned nor our own. */
export const publicListener: Check = {
  id: 'public-listener',
  avenue: 'public_listen',
  severity: 'high',
  tier: 1,
  text: {
    about: 'Something listens beyond loopback that the baseline does not know.',
    benign: 'A service you installed since the baseline was learned, or a container that publishes a port.',
    remedy: 'stop the service, bind it to loopback, or learn it',
  },
  judge: (context, report) => judgeUnlearned(context, report, isPublicListener),
};
