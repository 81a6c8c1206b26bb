import type { PeekCheck } from './check.ts';
import { listed, partOf, processText, programOf } from './peeked.ts';

const TOOLS: ReadonlySet<string> = new Set(['xclip', 'xsel', 'wl-paste', 'xcb', 'clipnotify']);

/** Programs that read the clipboard, or every key that is pressed. */
export const clipboardReader: PeekCheck = {
  id: 'clipboard-reader',
  avenue: 'inject_clip',
  severity: 'medium',
  tier: 2,
  key: ['tool'],
  text: {
    about: 'The process reads the clipboard, or what is typed and clicked.',
    benign: 'The compositor or X server, a daemon for keys, a clipboard tool that you have just used.',
    remedy: 'end the process if you did not start it',
  },
  causes: [
    {
      name: 'display-servers',
      executable: [
        ...[
          'Xorg',
          'X',
          'Xwayland',
          'gnome-shell',
          'kwin_wayland',
          'kwin_x11',
          'mutter*',
          'sway',
          'weston*',
          'labwc',
        ],
        ...[
          'Hyprland',
          'river',
          'wayfire',
          'cage',
          'cosmic-comp',
          'niri',
          'phoc',
          'gamescope*',
          'cinnamon',
          'muffin',
        ],
      ],
      evidenceClass: ['input-device'],
      why: 'the session takes its input there',
    },
    {
      name: 'input-daemons',
      executable: [
        ...[
          'systemd-logind',
          'elogind',
          'seatd',
          'acpid',
          'thd',
          'gpm',
          'lircd',
          'eventlircd',
          'keyd',
          'kanata',
        ],
        ...['upowerd', 'bluetoothd', 'libinput*', 'inputattach', 'iio-sensor-proxy', 'plymouthd', 'solaar'],
      ],
      evidenceClass: ['input-device'],
      why: 'it acts on keys and buttons of the machine',
    },
  ],
  peek(context, report) {
    const descriptors = partOf(context, 'descriptors', report);
    if (descriptors === null) return;
    const { subject } = context;
    const devices = descriptors.devices.filter(({ target }) => target.startsWith('/dev/input/'));
    const names = [...new Set(devices.map(({ target }) => target))];
    if (names.length > 0)
      report.fail({
        subject,
        evidenceClass: 'input-device',
        summary: `${processText(context)} reads ${listed(names)}`,
        evidence: { devices: listed(names, 8) },
      });
    else if (TOOLS.has(programOf(context)))
      report.fail({
        subject,
        evidenceClass: 'clipboard-tool',
        summary: `${processText(context)} is a tool that reads the clipboard`,
        evidence: { tool: programOf(context) },
      });
    else report.pass();
  },
};
