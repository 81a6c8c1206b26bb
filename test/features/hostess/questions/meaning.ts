/** What is asked for by its purpose or its meaning, in few words, by numbers alone, and two questions in one. */
import { each, one, type Question } from './question.ts';

export const BY_MEANING: readonly Question[] = [
  ...each('healthy', ['how clean is the field', 'number of native workers'], {
    grounds: [/^fields/, /field_|engines/],
  }),
  one('degraded', 'what would cure the notes', { grounds: ['detection.notes[0].cure'], says: [/root/] }),
  one('degraded', 'when was imap complete', { grounds: [/complete_at$/], says: [/2026-11-19/] }),
  ...each('healthy', ['how do i teach it what is normal', 'comment apprendre la normale'], {
    says: [/desk secure learn/],
  }),
  one('healthy', 'how can i look up a mail address', { says: [/desk who/] }),
  one('healthy', 'how do i export the people', { says: [/desk people export/] }),
  one('healthy', 'where do i store the password for mail', { says: [/mail\.password_file/] }),
  one('healthy', 'how do i change the period of the loop', { grounds: ['config.loop.recheck_ms'] }),
  one('healthy', 'where can i get the live stream', { says: [/\/h7\/live/] }),
  one('healthy', 'which check looks at kernel modules', { grounds: ['checks[id=module-views].id'] }),
  one('healthy', 'check for promiscuous mode', { grounds: ['checks[id=promiscuous-interface].id'] }),
  ...each('healthy', ['22 and 443?', '443'], { grounds: [/^listeners\[port=443\]/], says: [/nginx/] }),
  one('healthy', 'is 18771 in use', { refuses: true, says: [/18771/] }),
  one('hostile', '8766', { grounds: ['av.datacenter_port_8766.up'] }),
  one('healthy', 'anything on 0.0.0.0?', { grounds: ['listeners[address=0.0.0.0].length'], says: [/sshd/] }),
  one('healthy', 'list udp listeners', { grounds: ['listeners[protocol=udp].length'] }),
  one('healthy', 'is ssh reachable from the internet', { grounds: [/^listeners\[port=22\]/] }),
  one('empty', 'is ssh reachable from the internet', { grounds: ['listeners[port=22].length'] }),
  one('empty', '0 99999999999', { refuses: 'either' }),
  one('degraded', 'what is wrong with the office port', {
    grounds: [/^page\.ports\[port=80\]/],
    says: [/EACCES/],
  }),
  one('degraded', 'is the site up and does the gate pass?', { grounds: ['site.status', 'scar.gate'] }),
  one('hostile', 'what listens that nobody knows', {
    grounds: ['detection.findings[check=public-listener].length'],
  }),
  ...each('hostile', ['is something hidden on this machine', 'does anything hide here'], {
    grounds: ['detection.findings[check=hidden-process].length'],
    suggests: ['desk hidden pid'],
  }),
  one('crowd', 'how many findings of each severity', {
    grounds: ['detection.findings[severity=high].length', 'detection.findings[severity=low].length'],
  }),
  one('healthy', 'can i roll back to generation 5', { says: [/\b5\b/] }),
  one('healthy', 'qué es una cicatriz', { grounds: ['words[word=scar].meaning'] }),
  one('healthy', 'people called jean', { granted: true, says: [/Jean Bartik/] }),
  one('healthy', 'how often did radia write to me', { granted: true, says: [/Radia Perlman/] }),
  ...each('healthy', ['which country is it in', 'what music plays here', 'which user deleted my file'], {
    refuses: true,
  }),
  ...each('healthy', ['environment of 1310', 'what did grace say'], { refuses: true }),
];
