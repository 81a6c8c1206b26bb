/** Every path at which the records carry a fact, since an answer may be based on any of them. */
import type { Expected, Question, SceneName } from './question.ts';

const escaped = (text: string): string => text.replace(/[.[\]/]/g, '\\$&').replaceAll('*', '.*');

/** A record that others embed, under each of its names. */
function everywhere(path: string): string {
  const rest = (root: string) => escaped(path.slice(root.length));
  if (/^charge\b/.test(path)) return `(?:charge|(?:page\\.)?status\\.hostess_charge)${rest('charge')}`;
  if (/^(?:status|mail)\b/.test(path)) return `(?:page\\.)?${escaped(path)}`;
  return escaped(path);
}

/** One of these paths (several in a text are separated by spaces), or a path below it. `*` matches anything. */
export const at = (...paths: readonly string[]): RegExp =>
  new RegExp(`^(?:${paths.flatMap((path) => path.split(' ').map(everywhere)).join('|')})(?:$|[.[])`);

const FOUND = ['detection.findings', 'page.findings', 'scar.c', 'findings/*', 'finding_events'];
const ROWS = ['processes', 'page.processes'];

export const GRADE = at('status.grade');
export const WELL = at('status.ok', 'status.grade', 'status.issues', 'live.ok', 'charge.ok');
export const ISSUES = at('status.issues', 'charge.issues', ...FOUND, 'page.ports');
export const SCARS = at('status.scar_count', 'scar.scar_count', 'live.scar_count', 'gate_runs', ...FOUND);
export const COUNT = at('live.findings_open', 'page.findings_total', 'charge.antivirus.detail', ...FOUND);
export const FINDING = at(...FOUND);
export const EXPLAINED = at('detection.excused', 'page.excused');
export const BLIND = at(
  'detection.counts.blind live.counts.blind page.blind detection.notes page.notes page.checks charge.antivirus.avenues detection.avenues charge.antivirus.detail',
);
export const AVENUES = at('charge.antivirus.avenues detection.avenues av.live.vectors_clean page.checks');
export const ADVICE = at('charge.improvements status.issues charge.issues detection.notes', ...FOUND);
export const PORTS = at('status.ports_up', 'status.ports_n', 'live.counts.ports_up', 'page.ports');
export const PORT = at('listeners', 'page.ports', 'status.issues', 'config.ports');
export const LISTENERS = at('listeners');
export const VIRUS = at(
  'av.datacenter_port_8766 av.live.datacenter page.banned listeners status.issues',
  ...FOUND,
);
export const PUBLIC = at(
  'charge.antivirus.public_n charge.security_learn.public_listen av.live.public_listen live.counts.public_listen listeners',
);
export const LOCAL = at('status.iron.bgl', 'av.live.bgl', 'live.counts.bgl', 'listeners');
export const WRAPPED = at(
  'av.live.wrapped live.counts.wrapped charge.antivirus.spv_wrapped status.iron.PHI av.live.atoms.PHI charge.war_machine.axes.iron_map',
  ...ROWS,
);
export const FREE = at('av.live.spv_free', 'live.counts.spv_free', 'status.iron.spv_free', ...ROWS);
export const PIDS = at('av.live.pids', 'live.counts.pids', 'charge.antivirus.spv_pids', ...ROWS);
export const FRIED = at('av.live.fried', 'live.counts.fried', ...ROWS);
export const PROCESS = at('processes', ...FOUND, 'detection.excused');
export const SITE = at('status.atomic', 'site', 'page.site', 'query.rows');
export const SITE_PAST = at('site.history', 'query.rows');
export const CERTIFICATE = at(
  'site.certificate page.site.certificate_days page.site.certificate_ready charge.global_protect.le_ready',
);
export const NAMES = at('site.names', 'page.site.dns_green', 'charge.global_protect.dns_green');
export const MAGAZINE = at('site.magazine', 'page.site.magazine_ok', 'charge.global_protect.magazine_ok');
export const TEMPERATURE = at('status.iron.temp_C', 'charge.sense.temp_c', 'av.live.atoms.temp_C');
export const SENSORS = at('status.iron.THERMO', 'av.live.atoms.THERMO', 'status.iron.line');
export const GATE = at('scar.gate', 'scar.last', 'page.gate', 'gate_runs', 'scar.scar_count');
export const RUNS = at('scar.last', 'gate_runs', 'page.gate.last');
export const HELD = at('scar.a', 'generations', 'status.iron.adjoin', 'page.gate', 'baseline_diff.a');
export const LEARNED = at('charge.learn', 'status.iron.bgs', 'av.live.bgs', 'charge.check.full_learned');
export const UNLEARNED = at(
  'baseline_diff charge.security_learn.new_comm av.live.updates charge.check.full_learned page.gate.differs',
  ...FOUND,
);
export const REFUSAL = at('baseline_diff.learn scar.gate scar.scar_count page.gate status.issues');
export const RECHECK = at('charge.check.recheck_ms', 'live.recheck_us', 'page.recheck');
export const LOOP = at('charge.forever page.recheck config.loop av.live.plug av.live.active_targeting');
export const VERDICTS = at('charge.check', 'detection.counts', 'live.counts');
export const MAIL = at('mail', 'charge.mail', 'page.duties', 'charge.issues', 'status.issues');
export const IDENTITY = at('status.identity', 'config.identity', 'status.nav.email');
export const DUTIES = at('charge.in_charge', 'charge.charge_line', 'page.duties', 'charge.issues');
export const SCORE = at('charge.war_machine', 'page.axes');
export const OPEN_SCORE = at('charge.antivirus.open_score', 'charge.war_machine.axes.secure');
export const EGRESS = at(
  'charge.security_learn.outside_h detection.egress av.live.tx_wrap charge.antivirus.detail config.egress',
);
export const LAW = at('law', 'config.banned', 'config.law', 'av.datacenter_port_8766.law');
export const VERSION = at('version', 'page.service');
export const ENGINE = at('version.engine page.service av.live.metal av.live.engines charge.mail.asm');
export const ASSISTANT = at(
  'charge.system_run.assistant_role page.assistant config.assistant charge.security_learn.assistant_pids',
);
export const WORDS = at('words', 'fields', 'status.constellation', 'checks');
export const CHECKS = at('checks', 'page.checks', 'words');
export const KEYS = at('keys', 'config');
export const COMMANDS = at('commands status.cli av.cli charge.improvements', ...FOUND, 'scar.gate words');
export const ENDPOINTS = at('endpoints charge.talk status.nav charge.pages charge.mail fields');
export const LINKS = at('status.nav status.whole_stick charge.pages page.links config charge.mail');
export const WHO = at('who', 'people');
/** Facts for which any of several paths is correct. */
export const WELL_OR_FOUND = at(
  'status.ok status.grade status.issues status.scar_count live.scar_count scar live.findings_open page.findings_total charge.ok charge.antivirus av.datacenter_port_8766',
  ...FOUND,
);
export const REASONS = at('status.issues charge.issues status.scar_count charge.ok scar', ...FOUND);
export const FINDING_OR_ISSUE = at('status.issues', 'charge.issues', ...FOUND);
export const LISTENERS_OR_LAW = at('listeners', 'law.listen');
export const MAIL_OR_CLIENT = at('mail.claws_up', 'charge.mail.claws_up', 'processes');
export const NOT_LEARNING = at(
  'page.duties charge.issues status.issues baseline_diff.learn scar charge.in_charge',
);
export const WINDOW = at('page.baseline', 'charge.check.full_learned', ...FOUND);
export const REVIEW = at('page.baseline', 'charge.improvements');
export const IMPROVEMENTS = at('charge.improvements');
export const COOK = at('scar', 'commands', 'words', 'av.cli', 'charge.improvements', ...FOUND);
export const PLUG = at('page.recheck', 'version', 'charge.forever', 'av.live.plug');
export const OPENED = at('status.iron.EZZIE', 'status.iron.line', 'av.live.atoms.EZZIE');
export const CAMERA = at('charge.sense.cam_n');
export const ITSELF = at('av.live.always_wrap', 'processes');
export const PASSWORD = at('mail.pass_set', 'charge.mail', 'keys', 'status.identity', 'config.mail', 'words');
export const LISTENERS_OR_FOUND = at('listeners', ...FOUND);
export const LEARNED_OR_FOUND = at(
  'charge.learn status.iron.adjoin status.iron.bgs scar.a generations page.gate charge.check.full_learned baseline_diff.a',
  ...FOUND,
);
export const FINDING_OR_AVENUE = at('charge.antivirus.avenues', 'detection.avenues', ...FOUND);
export const SENSORS_OR_HEAT = at(
  'status.iron.THERMO status.iron.temp_C status.iron.line charge.sense.temp_c av.live.atoms',
);
export const CHECKS_OR_EXPLAINED = at('checks', 'words', 'detection.excused', 'page.excused');
export const KEYS_OR_LAW = at('keys', 'config', 'law');
export const KEYS_OR_PORT = at('keys config page.ports listeners words charge.pages status.nav');
export const COMMANDS_OR_ENDPOINTS = at('commands', 'endpoints', 'av.cli', 'words');
export const COMMANDS_OR_REFUSAL = at('commands', 'av.cli', 'baseline_diff', 'scar', 'page.gate', 'words');
export const COMMANDS_OR_FOUND = at('commands', 'endpoints', ...FOUND);
export const VIRUS_OR_COMMANDS = at('commands', 'av', 'page.banned', 'listeners', 'status.issues', ...FOUND);
export const PORTS_OR_PORT = at('status.ports_up', 'status.issues', 'live.counts', 'page.ports', 'listeners');
/** Facts about a period of time. */
export const PAST = at(...FOUND, 'gate_runs scar.last site.history generations asked.since processes');

type Row = readonly [ask: string, grounds: RegExp | readonly RegExp[], ...says: readonly RegExp[]];

const listed = (grounds: RegExp | readonly RegExp[]): readonly RegExp[] =>
  grounds instanceof RegExp ? [grounds] : grounds;

/** Questions for one scene, with the grounds that an answer must all have and what it must say. */
export const asked = (scene: SceneName, rows: readonly Row[], also: Expected = {}): Question[] =>
  rows.map(([ask, grounds, ...says]) => ({ scene, ask, grounds: listed(grounds), says, ...also }));

/** What cannot be answered. */
export const refused = (scene: SceneName, ...asks: readonly string[]): Question[] =>
  asks.map((ask) => ({ scene, ask, refuses: true }));

/** What does not exist or is stated wrongly: a correction is as correct as a refusal. */
export const corrected = (scene: SceneName, rows: readonly Row[]): Question[] =>
  asked(scene, rows, { mayRefuse: true });
