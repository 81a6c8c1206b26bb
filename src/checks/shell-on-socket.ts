import type { PeekCheck } from './check.ts';
import { partOf, processText, programOf } from './peeked.ts';

const SHELLS =
  /^(?:(?:ba|da|a|z|k|mk|pdk|c|tc|fi|r?)sh|busybox|pwsh|python[\d.]*|perl[\d.]*|ruby[\d.]*|php[\d.]*|lua[\d.]*)$/;
/** What systemd names an instance that it starts for one connection (systemd.socket(5), Accept=). */
const CONNECTION_UNIT = /@\d+-.*\.service$/;

/** Standard input, output or error is a socket of the internet families; AF_UNIX never counts. */
export const shellOnSocket: PeekCheck = {
  id: 'shell-on-socket',
  avenue: 'inject_clip',
  severity: 'high',
  tier: 2,
  text: {
    about:
      'The input or output of the process is a network connection: whoever is at its other end steers it.',
    benign: 'A service that inetd or a systemd socket unit starts for each connection.',
    remedy: 'end the process if no service of yours is started for each connection',
  },
  causes: [
    {
      name: 'inetd-units',
      evidenceClass: ['socket-unit'],
      why: 'systemd started it for one connection of a socket unit',
    },
    {
      name: 'inetd-units',
      executable: ['in.*', 'rsync', 'git-daemon', 'tcpd', 'vsftpd', 'proftpd', 'cvs', 'sshd'],
      evidenceClass: ['program'],
      why: 'it is started by inetd for each connection',
    },
  ],
  peek(context, report) {
    const descriptors = partOf(context, 'descriptors', report);
    if (descriptors === null) return;
    const { standardSockets } = descriptors;
    if (standardSockets.length === 0) return report.pass();
    const { subject, facts } = context;
    const shell = SHELLS.test(programOf(context));
    const unit = CONNECTION_UNIT.test(facts.unit);
    const protocols = [...new Set(standardSockets.map(({ protocol }) => protocol))].join(', ');
    report.fail({
      subject,
      severity: shell && !unit ? 'critical' : 'high',
      evidenceClass: unit ? 'socket-unit' : shell ? 'shell' : 'program',
      summary: `${shell ? 'shell ' : ''}${processText(context)} talks to a ${protocols} socket as its standard input or output`,
      evidence: {
        descriptors: standardSockets
          .map(({ fd, target, protocol }) => `${fd} ${target} ${protocol}`)
          .join(', '),
        ...(facts.unit === '' ? {} : { unit: facts.unit }),
      },
    });
  },
};
