import type { PeekCheck } from './check.ts';
import { listed, partOf, processText } from './peeked.ts';

/** Who holds a camera or a device that records. */
export const cameraOrMicrophone: PeekCheck = {
  id: 'camera-or-microphone',
  avenue: 'inject_clip',
  severity: 'low',
  tier: 2,
  key: ['devices_of'],
  text: {
    about: 'The process has a camera or a microphone open.',
    benign: 'A call, a recorder, the sound server of the session.',
    remedy: 'end the process if you are in no call and record nothing',
  },
  causes: [
    {
      name: 'call-software',
      executable: [
        ...[
          'pipewire*',
          'wireplumber',
          'pulseaudio',
          'jackd*',
          'zoom',
          'teams*',
          'skypeforlinux',
          'signal-desktop',
        ],
        ...[
          'Discord',
          'slack',
          'telegram-desktop',
          'element-desktop',
          'linphone',
          'jitsi*',
          'chrome',
          'chromium*',
        ],
        ...['firefox*', 'obs', 'cheese', 'snapshot', 'guvcview', 'audacity', 'arecord'],
      ],
      why: 'cameras and microphones are what it is for',
    },
  ],
  peek(context, report) {
    const descriptors = partOf(context, 'descriptors', report);
    if (descriptors === null) return;
    const held = descriptors.devices
      .map(({ target }) => target)
      .filter((name) => !name.startsWith('/dev/input/'));
    const names = [...new Set(held)];
    if (names.length === 0) return report.pass();
    const camera = names.some((name) => name.startsWith('/dev/video'));
    const microphone = names.some((name) => name.startsWith('/dev/snd/'));
    const what = camera && microphone ? 'camera and microphone' : camera ? 'a camera' : 'a microphone';
    report.fail({
      subject: context.subject,
      evidenceClass: camera ? 'camera' : 'microphone',
      summary: `${processText(context)} has ${what} open`,
      evidence: { devices_of: what, devices: listed(names, 8) },
    });
  },
};
