import type { PeekCheck } from './check.ts';
import { names } from './executables.ts';
import { listed, partOf } from './peeked.ts';
import { processText } from './subjects.ts';

/** A process that holds a camera or a device that records. */
export const cameraOrMicrophone: PeekCheck = {
  id: 'camera-or-microphone',
  avenue: 'inject_clip',
  severity: 'low',
  tier: 2,
  techniques: ['T1123', 'T1125'],
  key: ['devices_of'],
  text: {
    about: 'The process has a camera or a microphone open.',
    benign: 'A call, a recorder, the sound server of the session.',
    remedy: 'end the process if you are not in a call and not recording',
  },
  causes: [
    {
      name: 'call-software',
      executable: names(`pipewire* wireplumber pulseaudio jackd* zoom teams* skypeforlinux signal-desktop
        Discord slack telegram-desktop element-desktop linphone jitsi* chrome chromium*
        firefox* obs cheese snapshot guvcview audacity arecord`),
      why: 'cameras and microphones are what it is for',
    },
  ],
  peek(context, report) {
    const descriptors = partOf(context, 'descriptors', report);
    if (descriptors === null) return;
    const held = descriptors.devices.map(({ target }) => target);
    const devices = [...new Set(held.filter((name) => !name.startsWith('/dev/input/')))];
    if (devices.length === 0) return report.pass();
    const camera = devices.some((name) => name.startsWith('/dev/video'));
    const microphone = devices.some((name) => name.startsWith('/dev/snd/'));
    const what = camera && microphone ? 'camera and microphone' : camera ? 'a camera' : 'a microphone';
    report.fail({
      subject: context.subject,
      evidenceClass: camera ? 'camera' : 'microphone',
      summary: `${processText(context.subject)} has ${what} open`,
      evidence: { devices_of: what, devices: listed(devices, 8) },
    });
  },
};
