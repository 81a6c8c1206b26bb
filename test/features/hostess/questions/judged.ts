/** Findings, the gate, the baseline, the law, the site, mail and people. */
import { each, one, type Question } from './question.ts';

const HELD = ['scar.a.generation', 'scar.a.learned', 'charge.learn.vocab_total'];
const CERTIFICATE = ['site.certificate.days', 'site.certificate.valid_to', 'site.certificate.verified'];

export const JUDGED: readonly Question[] = [
  one('degraded', 'what was found?', {
    grounds: [['detection.findings.length', 2], /^detection\.findings\[id=[0-9a-f]{16}\]\.summary$/],
  }),
  one('degraded', 'list the findings', [['detection.findings.length', 2]]),
  one('degraded', 'gibt es befunde', [['detection.findings.length', 2]]),
  one('healthy', 'any findings?', [['detection.findings.length', 0]], /no finding/i),
  one('crowd', 'any critical findings?', [
    ['detection.findings[severity=critical].length', 1],
    /^detection\.findings\[.*\]\.summary$/,
  ]),
  one('crowd', 'how many findings are there', [['detection.findings.length', 1000]]),
  one('crowd', 'how many high findings', [['detection.findings[severity=high].length', 200]]),
  one('crowd', 'findings of the check traced', [['detection.findings[check=traced].length', 200]]),
  one('crowd', 'what is open in inject_clip', [
    'detection.avenues[id=inject_clip].open',
    /^detection\.findings\[avenue=inject_clip\]\.length$/,
  ]),
  one('degraded', 'which avenues are open?', /^detection\.avenues\[id=\w+\]\.detail$/),
  one('healthy', 'kritische befunde?', [['detection.findings[severity=critical].length', 0]]),
  ...each(
    'degraded',
    `
    what is finding {finding:deleted-executable} | {finding:deleted-executable}
    was ist der befund {finding:deleted-executable}?`,
    {
      grounds: [
        'findings/{finding:deleted-executable}.finding.summary',
        'findings/{finding:deleted-executable}.finding.benign',
        'findings/{finding:deleted-executable}.finding.remedy',
        ['findings/{finding:deleted-executable}.open', true],
        ['findings/{finding:deleted-executable}.history.length', 1],
      ],
      suggests: ['desk findings {finding:deleted-executable}'],
    },
  ),
  one(
    'degraded',
    'when was {finding:deleted-executable} first seen',
    'findings/{finding:deleted-executable}.finding.first_seen',
  ),
  one(
    'healthy',
    'what about finding aaaaaaaaaaaaaaaa',
    [['findings/aaaaaaaaaaaaaaaa.open', false], 'findings/aaaaaaaaaaaaaaaa.history.length'],
    /closed/,
  ),
  ...each(
    'degraded',
    ['why did the gate fail?', 'gate', 'does the scar gate pass', 'warum ist das gate zu'],
    {
      grounds: [['scar.gate', 'fail'], ['scar.scar_count', 1], /^scar\.c\[0\]\.summary$/],
      suggests: ['desk scar check'],
    },
  ),
  one('healthy', 'state of the gate?', [['scar.gate', 'pass'], ['scar.scar_count', 0], 'scar.last.at']),
  one('healthy', 'when did the gate run last', 'scar.last.at'),
  one('degraded', 'how many scars are there', [['scar.scar_count', 1]]),
  one('healthy', 'what was learned', { grounds: HELD }),
  ...each(
    'healthy',
    `
    tell me about the baseline | was wurde gelernt?
    qu'est-ce qui a été appris`,
    { grounds: HELD },
  ),
  one('healthy', 'which generation is held', {
    query: ['generations where held = true', /^1 .*\b7 \(learned, /],
  }),
  one('degraded', 'is there anything to review in the baseline?', {
    grounds: [['page.baseline.to_review', 4]],
    suggests: ['desk baseline review'],
  }),
  one('degraded', 'what is new and not learned', {
    grounds: ['baseline_diff.added.length', 'charge.security_learn.new_comm', 'baseline_diff.added[0].text'],
    suggests: ['desk baseline diff'],
  }),
  one('empty', 'was anything learned yet', {
    grounds: [['scar.a.generation', 0]],
    says: [/nothing/i],
    suggests: ['desk secure learn once'],
  }),
  one('healthy', 'what does the law allow?', {
    grounds: ['law.version', ['law.listen.length', 2], 'law.listen[0].why'],
    suggests: ['desk law show'],
  }),
  one('healthy', 'what is excused', [['detection.excused.length', 1], 'detection.excused[0].why']),
  one('healthy', 'was erlaubt das gesetz', ['law.version', 'law.listen.length']),
  ...each(
    'healthy',
    `
    when does the certificate expire | wann läuft das zertifikat ab? | quand expire le certificat
    ¿cuándo caduca el certificado? | cert days left? | is the certifcate valid`,
    [...CERTIFICATE, ['site.certificate.days', 61]],
  ),
  one('degraded', 'how long does the certificate last', [['site.certificate.days', 5]]),
  one('empty', 'when does the certificate expire?', {
    grounds: [['site.configured', false]],
    refuses: true,
    says: [/no site/i],
  }),
  one('healthy', 'is the site up', [['site.ok', true], ['site.status', 200], 'site.url']),
  one('hostile', 'does the website answer', [
    ['site.ok', false],
    ['site.status', 500],
  ]),
  one('degraded', 'do the names resolve?', [
    ['page.site.dns_green', 2],
    ['page.site.dns_total', 3],
    ['site.names[name=mail.desk.example].resolves', false],
  ]),
  one('healthy', 'is the magazine ok', [['site.magazine.ok', true]]),
  one('healthy', 'when was the site probed', 'site.probed'),
  ...each('healthy', ['is mail ok?', 'mail state', 'wie steht es um die mail', 'état du courrier'], {
    grounds: [['mail.configured', true], 'mail.trouble', ['mail.sources[source=imap].state', 'watching']],
    suggests: ['desk mail'],
  }),
  one('degraded', 'what is wrong with mail', [
    'mail.trouble',
    ['mail.sources[source=imap].state', 'failed'],
    'mail.sources[source=imap].reason',
  ]),
  one('degraded', 'how far is the mail import', [
    'mail.sources[source="maildir:~/Mail"].progress.done',
    'mail.sources[source="maildir:~/Mail"].progress.total',
  ]),
  one('empty', 'mail?', [['mail.configured', false]]),
  one('healthy', 'is the mail password set', [['mail.pass_set', true]]),
  one('healthy', 'does claws run', [['mail.claws_up', true]]),
  ...each(
    'healthy',
    `
    who is grace@example.org | who is Grace@Example.ORG? | wer ist grace@example.org
    qui est grace@example.org | ¿quién es grace@example.org?`,
    {
      granted: true,
      grounds: [
        ['who.found', true],
        ['who.person.name', 'Grace Hopper'],
        ['who.person.received', 214],
        ['who.person.sent', 180],
        'who.person.last_seen',
      ],
      suggests: ['desk who grace@example.org'],
    },
  ),
  one('healthy', 'when did I last write with jean@example.net', {
    granted: true,
    grounds: [['who.person.name', 'Jean Bartik'], 'who.person.last_seen'],
  }),
  one('healthy', 'who is unknown@example.com', {
    granted: true,
    grounds: [['who.found', false]],
    says: [/does not know/i],
  }),
  one('healthy', 'how many people do I know', { granted: true, grounds: [['people.total', 8]] }),
  one('healthy', 'wie viele leute kenne ich', { granted: true, grounds: [['people.total', 8]] }),
  one('healthy', 'who is Grace Hopper', {
    granted: true,
    grounds: [['people.people[0].name', 'Grace Hopper'], 'people.people[0].email'],
  }),
  one('healthy', 'list people', {
    granted: true,
    grounds: [['people.total', 8], 'people.people[0].name'],
    suggests: ['desk people'],
  }),
];
