import type { PeekCheck } from './check.ts';
import { names } from './executables.ts';
import { listed, partOf, programOf } from './peeked.ts';
import { processText } from './subjects.ts';

const TOOLS: ReadonlySet<string> = new Set(['xclip', 'xsel', 'wl-paste', 'xcb', 'clipnotify']);

/** Programs that read the clipboard, or every key that is pressed. */
export const clipboardReader: PeekCheck = {
  id: 'clipboard-reader',
  avenue: 'inject_clip',
  severity: 'medium',
  tier: 2,
  techniques: ['T1115'],
  key: ['tool'],
  text: {
    about: 'The process reads the clipboard, or what is typed and clicked.',
    benign: 'The compositor or X server, a daemon for keys, a clipboard tool that you have just used.',
    remedy: 'end the process if you did not start it',
  },
  causes: [
    {
      name: 'display-servers',
      executable:
        names(`Xorg X Xwayland gnome-shell kwin_wayland kwin_x11 mutter* sway weston* labwc Hyprland river
        wayfire cage cosmic-comp niri phoc gamescope* cinnamon muffin`),
      evidenceClass: ['input-device'],
      why: 'the session reads its input from it',
    },
    {
      name: 'input-daemons',
      executable:
        names(`systemd-logind elogind seatd acpid thd gpm lircd eventlircd keyd kanata upowerd bluetoothd
        libinput* inputattach iio-sensor-proxy plymouthd solaar`),
      evidenceClass: ['input-device'],
      why: 'it acts on keys and buttons of the machine',
    },
  ],
  peek(context, report) {
    const descriptors = partOf(context, 'descriptors', report);
    if (descriptors === null) return;
    const { subject } = context;
    const held = descriptors.devices.map(({ target }) => target);
    const devices = [...new Set(held.filter((name) => name.startsWith('/dev/input/')))];
    const tool = programOf(context);
    if (devices.length > 0)
      report.fail({
        subject,
        evidenceClass: 'input-device',
        summary: `${processText(subject)} reads ${listed(devices)}`,
        evidence: { devices: listed(devices, 8) },
      });
    else if (TOOLS.has(tool))
      report.fail({
        subject,
        evidenceClass: 'clipboard-tool',
        summary: `${processText(subject)} is a tool that reads the clipboard`,
        evidence: { tool },
      });
    else report.pass();
  },
};
