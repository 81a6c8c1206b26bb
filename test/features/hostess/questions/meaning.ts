/** Questions by purpose or meaning, in few words, by numbers alone, and two questions in one. */
import { each, one, type Question } from './question.ts';

export const BY_MEANING: readonly Question[] = [
  ...each('healthy', ['how clean is the field', 'number of native workers'], [/^fields/, /field_|engines/]),
  one('degraded', 'what would cure the notes', 'detection.notes[0].cure', /root/),
  one('degraded', 'when was imap complete', /complete_at$/, /2026-11-19/),
  ...each('healthy', ['how do i teach it what is normal', 'comment apprendre la normale'], {
    says: [/desk secure learn/],
  }),
  one('healthy', 'how can i look up a mail address', { says: [/desk who/] }),
  one('healthy', 'how do i export the people', { says: [/desk people export/] }),
  one('healthy', 'where do i store the password for mail', { says: [/mail\.password_file/] }),
  one('healthy', 'how do i change the period of the loop', 'config.loop.recheck_ms'),
  one('healthy', 'where can i get the live stream', { says: [/\/h7\/live/] }),
  one('healthy', 'which check looks at kernel modules', 'checks[id=module-views].id'),
  one('healthy', 'check for promiscuous mode', 'checks[id=promiscuous-interface].id'),
  ...each('healthy', ['22 and 443?', '443'], /^listeners\[port=443\]/, /nginx/),
  one('healthy', 'is 18771 in use', { refuses: true, says: [/18771/] }),
  one('hostile', '8766', 'av.datacenter_port_8766.up'),
  one('healthy', 'anything on 0.0.0.0?', 'listeners[address=0.0.0.0].length', /sshd/),
  one('healthy', 'list udp listeners', 'listeners[protocol=udp].length'),
  one('healthy', 'is ssh reachable from the internet', /^listeners\[port=22\]/),
  one('empty', 'is ssh reachable from the internet', 'listeners[port=22].length'),
  one('empty', '0 99999999999', { refuses: 'either' }),
  // A number that is not the port's.
  one('empty', '-1 is ssh reachable from the internet', { refuses: 'either' }),
  one('degraded', 'what is wrong with the office port', /^page\.ports\[port=80\]/, /EACCES/),
  one('degraded', 'is the site up and does the gate pass?', ['site.status', 'scar.gate']),
  one('hostile', 'what listens that no one knows', 'detection.findings[check=public-listener].length'),
  ...each('hostile', ['is something hidden on this machine', 'does anything hide here'], {
    grounds: ['detection.findings[check=hidden-process].length'],
    suggests: ['desk hidden pid'],
  }),
  one('crowd', 'how many findings of each severity', [
    'detection.findings[severity=high].length',
    'detection.findings[severity=low].length',
  ]),
  one('healthy', 'can i roll back to generation 5', { says: [/\b5\b/] }),
  one('healthy', 'qué es una cicatriz', 'words[word=scar].meaning'),
  one('healthy', 'people called jean', { granted: true, says: [/Jean Bartik/] }),
  one('healthy', 'how often did radia write to me', { granted: true, says: [/Radia Perlman/] }),
  ...each('healthy', ['which country is it in', 'what music plays here', 'which user deleted my file'], {
    refuses: true,
  }),
  ...each('healthy', ['environment of 1310', 'what did grace say'], { refuses: true }),
];
