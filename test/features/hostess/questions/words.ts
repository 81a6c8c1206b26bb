/** What words, fields, checks, commands, keys and endpoints mean, and where things are. */
import { each, one, type Question } from './question.ts';

export const WORDS: readonly Question[] = [
  ...each(
    'healthy',
    `
    what does spv_free mean? | spv_free | what is spv free | was bedeutet spv_free
    que signifie spv_free | qué significa spv_free | WHAT DOES SPV_FREE MEAN`,
    [
      /^fields\[path=(status\.iron|charge\.antivirus|av\.live)\.spv_free\]\.meaning$/,
      /^(status\.iron|charge\.antivirus|av\.live)\.spv_free$/,
    ],
    /not wrapped/,
  ),
  one('healthy', 'what is status.iron.EZZIE', [
    'fields[path=status.iron.EZZIE].meaning',
    ['status.iron.EZZIE', 18204],
  ]),
  one('healthy', 'explain ports_up', ['fields[path=status.ports_up].meaning', ['status.ports_up', 5]]),
  one('healthy', 'what does open_score mean', [
    'fields[path=charge.antivirus.open_score].meaning',
    'charge.antivirus.open_score',
  ]),
  one('healthy', 'meaning of mega_N', ['fields[path=charge.check.mega_N].meaning', 'charge.check.mega_N']),
  one('healthy', 'what is le_ready', [
    'fields[path=charge.global_protect.le_ready].meaning',
    ['charge.global_protect.le_ready', true],
  ]),
  one('healthy', 'was ist field_dirt', [
    'fields[path=charge.security_learn.field_dirt].meaning',
    ['charge.security_learn.field_dirt', 0],
  ]),
  one('healthy', 'what does zero_overhead mean', 'fields[path=charge.forever.zero_overhead].meaning'),
  one('healthy', 'what does vectors_clean mean?', [
    'fields[path=av.live.vectors_clean].meaning',
    ['av.live.vectors_clean', 6],
  ]),
  ...each(
    'healthy',
    ['what is a scar?', 'what does scar mean', 'was ist ein scar', "c'est quoi un scar"],
    'words[word=scar].meaning',
  ),
  one('healthy', 'what does blind mean', 'words[word=blind].meaning'),
  one('healthy', 'define avenue', 'words[word=avenue].meaning'),
  one('healthy', 'what is the egress guard', 'words[word=egress guard].meaning'),
  one('healthy', 'what does PHI mean', /^(words\[word=PHI\]|fields\[path=status\.iron\.PHI\])\.meaning$/),
  one('healthy', 'what does identity mean', 'words[word=identity].meaning'),
  one('healthy', 'what is a cook-off', 'words[word=cook-off].meaning'),
  one('healthy', 'what does GOD mean', /^(words\[word=GOD\]|fields\[path=scar\.god\])\.meaning$/),
  one('healthy', 'what is Baphomet', 'words[word=Baphomet].meaning'),
  one('healthy', 'what does silver mean', 'words[word=silver].meaning'),
  one('healthy', 'what is first contact', 'words[word=first contact].meaning'),
  one('healthy', 'what does the check deleted-executable look for', [
    'checks[id=deleted-executable].about',
    'checks[id=deleted-executable].benign',
    'checks[id=deleted-executable].remedy',
  ]),
  one('healthy', 'what is memfd-executable', [
    'checks[id=memfd-executable].about',
    'checks[id=memfd-executable].severity',
  ]),
  one('healthy', 'explain the check public listener', 'checks[id=public-listener].about'),
  one('healthy', 'what is inject_clip', [
    'detection.avenues[id=inject_clip].name',
    'detection.avenues[id=inject_clip].open',
  ]),
  one('healthy', 'how many checks are there', 'checks.length'),
  one('healthy', 'what does desk scar check do', {
    grounds: ['commands[name=scar check].summary'],
    suggests: ['desk scar check'],
  }),
  one('healthy', 'what is the command secure learn', 'commands[name=secure learn].summary'),
  one('healthy', 'how do I use desk accept', [
    'commands[name=accept].summary',
    'commands[name=accept].usage',
  ]),
  one('healthy', 'which commands are there', ['commands.length', 'commands[0].name']),
  one('healthy', 'what does loop.recheck_ms mean', [
    'keys[key=loop.recheck_ms].default',
    ['config.loop.recheck_ms', 1000],
  ]),
  one('healthy', 'how is banned.shut_down set', [
    'keys[key=banned.shut_down].meaning',
    ['config.banned.shut_down', 'auto'],
  ]),
  one('healthy', 'what is the config key loop.mode', [
    'keys[key=loop.mode].meaning',
    ['config.loop.mode', 'event'],
  ]),
  one('healthy', 'what does GET /detection answer', 'endpoints[name=GET /detection].summary'),
  one('healthy', 'what is /h7/think', 'endpoints[name=POST /h7/think].summary'),
  one('healthy', 'how do I accept a finding?', {
    grounds: ['commands[name=accept].usage', 'commands[name=accept].summary'],
    suggests: ['desk help accept'],
  }),
  one('healthy', 'where is the office page', 'status.nav.employee'),
  one('healthy', 'where is the magazine', [['status.nav.magazine', 'https://magazine.example/']]),
  one('healthy', 'link to the webmail', [['status.nav.provider_webmail', 'https://webmail.desk.example/']]),
  one('healthy', 'where do I find the source', [
    ['status.whole_stick.source_desk', 'https://source.example/desk'],
  ]),
];
