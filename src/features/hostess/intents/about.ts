/** About the desk itself: duties, speed, loop, temperature, version, devices, help. */
import type { Ground } from '../../../records/talk.ts';
import { counted, either, plain, plural } from '../answer-builder.ts';
import type { Intent } from '../intent.ts';
import type { Question } from '../understand.ts';
import { sayUnjudged } from './judged.ts';

export const duties: Intent = {
  id: 'duties',
  score: ({ question }) => (question.has('duty') || question.says(/\bin charge\b/) ? 56 : 0),
  answer(out) {
    out.say`She is ${out.ground('charge.charge_line')}.`;
    const failing = (
      out.read<readonly { name: string; configured: boolean; in_charge: boolean }[]>('page.duties') ?? []
    ).filter((one) => one.configured && !one.in_charge);
    for (const { name } of failing)
      out.say`${plain(name)} does not run: ${out.ground(`page.duties[name=${name}].reason`)}.`;
    out.suggest('desk status', ...(failing.length > 0 ? ['desk doctor'] : []));
    return true;
  },
};

const COST = /\b(?:kostet|coute|cuesta|cpu|overhead|costs?|resources?|expensive|hungry|heavy|light)\b/;
/** The cost of the desk itself is measured, of nothing else. */
export const costs = ({ says }: Question): boolean =>
  says(COST) &&
  says(
    /\b(?:desk|you|yourself|hostess|service|loop|daemon|watching|monitoring|schreibtisch|bureau|escritorio|dienst)\b/,
  );

export const recheck: Intent = {
  id: 'recheck',
  score: ({ question }) =>
    question.has('recheck') || costs(question)
      ? 56
      : question.has('loop')
        ? 55
        : question.has('speed')
          ? 46
          : 0,
  answer(out, { question }) {
    out.say`The last recheck took ${out.ground('live.recheck_us')} µs, ${out.ground('charge.check.recheck_ms')} ms rounded up; the median of late is ${out.ground('page.recheck.p50_us')} µs.`;
    out.say`It judged ${out.ground('charge.check.mega_N')} pairs of check and subject.`;
    if (out.value('charge.forever.on') === true) {
      const mode = out.ground('charge.forever.mode');
      out.say`The loop is on, mode ${mode}, pid ${out.ground('charge.forever.pid')}, each ${out.ground('page.recheck.period_ms')} ms at the latest.`;
      const reason = out.ground('page.recheck.event_reason');
      if (reason.value !== '') out.say`It does not go by events: ${reason}.`;
    } else out.say`The loop is off: it scans on demand.`;
    if (costs(question))
      out.say`It ${either(out.ground('charge.forever.zero_overhead'), 'takes', 'does not surely take')} less than a thousandth of a core: ${out.ground('fields[path=charge.forever.zero_overhead].meaning')}.`;
    out.suggest('desk stats');
    return true;
  },
};

export const temperature: Intent = {
  id: 'temperature',
  score: ({ question }) => (question.has('temperature') ? 57 : 0),
  answer(out, { question }) {
    const sensors = out.ground('status.iron.THERMO');
    if (sensors.value === 0) {
      if (question.says(/\bsensor/) || question.has('why')) {
        out.say`${sensors} thermal sensors can be read here${plain(question.has('why') ? ', so there is no temperature' : '')}.`;
        return true;
      }
      out.say`I do not know: no thermal sensor can be read here.`;
      return false;
    }
    out.say`The hottest of ${sensors} thermal ${plural(sensors, 'sensor', 'sensors')} shows ${out.ground('status.iron.temp_C')} °C.`;
    out.suggest('desk stats');
    return true;
  },
};

export const version: Intent = {
  id: 'version',
  score: ({ question }) => (question.has('version') && !question.words.includes('short') ? 54 : 0),
  answer(out) {
    out.say`This is ${out.ground('version.name')} ${out.ground('version.version')}, interface ${out.ground('version.interface')}, law ${out.ground('version.law')}.`;
    out.say`It sweeps by backend ${out.ground('version.engine.backend')} with the build for mark ${out.ground('version.engine.mark')} (${out.ground('version.engine.build')}) and ${out.ground('version.engine.workers')} workers.`;
    const reason = out.ground('version.engine.backend_reason');
    if (reason.value !== '') out.say`Why not bpf: ${reason}.`;
    out.suggest('desk --version', 'desk doctor');
    return true;
  },
};

export const devices: Intent = {
  id: 'devices',
  score: ({ question }) => (question.has('camera') ? 57 : 0),
  answer(out) {
    const [cameras, ears] = [out.ground('charge.sense.cam_n'), out.ground('charge.sense.hear_n')];
    out.say`There ${plural(cameras, 'is', 'are')} ${counted(cameras, 'camera', 'cameras')} and ${ears} audio capture ${plural(ears, 'device', 'devices')}.`;
    const holders = out.ground('detection.findings[check=camera-or-microphone].length');
    out.say`Findings about programs that hold one: ${holders}.`;
    sayUnjudged(out, 'camera-or-microphone');
    out.suggest('desk findings');
    return true;
  },
};

const WHO_ARE_YOU =
  /^(?:are you (?:an? )?(?:ai|bot|robot|human|person|llm|real|machine)|who are you|wer bist du|qui es tu|quien eres|what are you)$/;
const WHAT_CAN_YOU_DO =
  /\b(?:(?:what|which) .*\bare you (?:good )?for$|can i use you for|can you (?:do|answer|tell(?! me\b| us\b| whether\b| if\b)|tell (?:me|us)$)|can i ask(?: you)?$|may i ask(?: you)?$|are you allowed to|kannst du(?: eigentlich| denn| so| hier)*(?: alles)?(?: tun| machen)?$|(?:peux|sais) tu faire|puedes hacer)\b/;

export const help: Intent = {
  id: 'help',
  score: ({ question }) => {
    const brief = question.words.length < 4;
    if (question.says(WHO_ARE_YOU) || question.says(WHAT_CAN_YOU_DO)) return 60;
    if (question.has('help')) return brief ? 59 : 35;
    return question.has('cheer') && brief ? 31 : 0;
  },
  answer(out) {
    out.say`I am ${out.ground('charge.she')}; I answer from what this desk measures, and change nothing.`;
    out.say`Ask whether the desk is well, why it is not gold, what changed since a time, who listens on a port and whether that is allowed, what a process is and how it is wrapped, what was found or learned, about the gate, the law, the site, its certificate and mail, or what a word, field, check, command or key means.`;
    out.say`Over HTTP: ${out.ground('charge.talk.her')}.`;
    out.suggest('desk think "is the desk well?"', 'desk status', 'desk help');
    return true;
  },
};

const HOW_OLD =
  /\b(?:how (?:old|fresh|recent)|up to date|stale|wie (?:alt|frisch)|veraltet|de quand datent)\b/;

const LAST_LOOK =
  /\b(?:when|how long ago) (?:did|have|has) (?:you|the desk|she|it) (?:last )?(?:look|check|sweep|measure|swept)|\b(?:numbers?|data|figures?|values?) (?:still )?(?:current|fresh|recent|live)\b|\b(?:last|latest|newest) (?:look|snapshot|measurement)\b/;

const TIME_OF_DAY =
  /\b(?:what time (?:is it|do you have|do we have)|what s the time|whats the time|current time|wie spat (?:ist es|haben wir)|wieviel uhr|wie viel uhr|quelle heure (?:est il|il est|as tu)|il est quelle heure|que hora (?:es|tienes))\b/;

export const clock: Intent = {
  id: 'clock',
  score: ({ question }) => {
    if (question.says(TIME_OF_DAY)) return 70;
    if (question.says(LAST_LOOK)) return 57.5;
    return question.says(HOW_OLD) && !question.names.some((name) => /^\p{L}+$/u.test(name)) ? 49 : 0;
  },
  answer(out, { question }) {
    if (question.says(TIME_OF_DAY))
      out.say`${out.ground('live.ts')} by the clock of this machine, ${out.ground('live.age_ms')} ms ago.`;
    else
      out.say`The last sweep was at ${out.ground('live.ts')}; that was ${out.ground('live.age_ms')} ms old when you asked.`;
    return true;
  },
};

const UP =
  /\b(?:how long (?:has|have|is|are|was) .*(?:up|on|running|run|alive)|(?:since when|when) (?:is|was|did|has|do|does) .*(?:up|boot\w*|start\w*|run|runs|running|alive)|seit wann lauft|wie lange lauft|depuis (?:quand|combien de temps)|desde cuando|cuanto tiempo lleva)\b/;
const SERVICE = /\b(?:service|desk|daemon|you|dienst|hostess|servicio)\b/;
const MACHINE = /\b(?:machine|box|system|computer|rechner|server|maschine|serveur|maquina)\b/;

/** Since when the machine and the service run: nothing measures it, but their first processes have a start time. */
export const uptime: Intent = {
  id: 'uptime',
  score: ({ question }) => {
    if (question.any('gate', 'baseline', 'certificate', 'scar', 'find', 'law', 'mail', 'site', 'people'))
      return 0;
    if (question.entities.ports.length > 0) return 0;
    if (question.says(SERVICE) && question.says(/\bpid\b/)) return 59;
    const ofOne = question.entities.pids.length > 0 || question.names.length > 0;
    return !ofOne && (question.has('uptime') || question.says(UP)) ? 59.5 : 0;
  },
  answer(out, { question }) {
    const ofMachine = question.says(MACHINE) || !question.says(SERVICE);
    const startOf = (pid: unknown): Ground | null => {
      const path = `processes[pid=${pid}].start`;
      return (out.read(path) ?? null) === null ? null : out.ground(path);
    };
    const init = ofMachine ? startOf(1) : null;
    if (ofMachine) out.say`Nothing counts how long the machine is up.`;
    if (init !== null) out.say`Its first process started at ${init}.`;
    const pid = out.ground('charge.forever.pid');
    if (pid.value === null) out.say`No loop of the service runs.`;
    else {
      const start = startOf(pid.value);
      out.say`The service is process ${pid}.`;
      if (start !== null) out.say`It started at ${start}.`;
    }
    out.suggest('desk stats');
    return !ofMachine && pid.value !== null;
  },
};

/** Has an outcome, beside checks. */
const JUDGED = /\b(?:verdicts?|batch|pairs?|judg[e]?ments?|urteile?)\b/;

/** Checks by outcome. */
export const outcomes: Intent = {
  id: 'outcomes',
  score: ({ question }) =>
    question.has('check', 'outcome') || (question.has('outcome') && question.says(JUDGED)) ? 60 : 0,
  answer(out) {
    out.say`Of the ${out.ground('charge.check.mega_N')} pairs of check and subject of the last batch ${out.ground('charge.check.pass')} passed, ${out.ground('charge.check.fail')} failed and ${out.ground('detection.counts.blind')} were blind.`;
    for (const get of out.items('detection.findings', 3))
      out.say`Failed: ${get('check')}, ${get('summary')}.`;
    out.suggest('desk stats', 'desk findings');
    return true;
  },
};

export const assistant: Intent = {
  id: 'assistant',
  score: ({ question }) => (question.has('assistant') ? 55 : 0),
  answer(out) {
    out.say`The assistant is to me: ${out.ground('charge.system_run.assistant_role')}.`;
    const place = out.ground('page.assistant.place');
    if (place.value === 'none') out.say`Its place is ${place}: it is configured nowhere.`;
    else {
      const model = out.ground('page.assistant.model');
      const where = plain(place.value === 'here' ? 'on this machine' : 'on another machine');
      out.say`It runs ${where} (${place}), model ${model.value === '' ? plain('not named') : model}.`;
    }
    const pids = out.ground('charge.security_learn.assistant_pids');
    out.say`${counted(pids, 'process holds', 'processes hold')} its port on this machine. No verdict depends on it.`;
    out.suggest('desk consult "is the desk well?"');
    return true;
  },
};
