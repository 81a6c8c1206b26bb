/** About the desk itself: duties, speed, loop, temperature, version, devices, what she is and what she can do. */
import type { Ground } from '../../../records/talk.ts';
import { either, plain, plural } from '../answer-builder.ts';
import type { Intent } from '../intent.ts';
import type { Understood } from '../understand.ts';
import { sayUnjudged } from './judged.ts';

export const duties: Intent = {
  id: 'duties',
  score: ({ question }) => (question.has('duty') || question.says(/\bin charge\b/) ? 56 : 0),
  answer(speech) {
    speech.say`She is ${speech.ground('charge.charge_line')}.`;
    const failing = (
      speech.look<readonly { name: string; configured: boolean; in_charge: boolean }[]>('page.duties') ?? []
    ).filter((one) => one.configured && !one.in_charge);
    for (const { name } of failing)
      speech.say`${plain(name)} does not run: ${speech.ground(`page.duties[name=${name}].reason`)}.`;
    speech.suggest('desk status', ...(failing.length > 0 ? ['desk doctor'] : []));
    return true;
  },
};

const COST = /\b(?:kostet|coute|cuesta|cpu|overhead|costs?|resources?|expensive|hungry|heavy|light)\b/;
/** What the desk itself costs is measured, what else does is not. */
export const costs = ({ says }: Understood): boolean =>
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
  answer(speech, { question }) {
    speech.say`The last recheck took ${speech.ground('live.recheck_us')} µs, ${speech.ground('charge.check.recheck_ms')} ms rounded up; the median of late is ${speech.ground('page.recheck.p50_us')} µs.`;
    speech.say`It judged ${speech.ground('charge.check.mega_N')} pairs of check and subject.`;
    if (speech.value('charge.forever.on') === true) {
      const mode = speech.ground('charge.forever.mode');
      speech.say`The loop is on, mode ${mode}, pid ${speech.ground('charge.forever.pid')}, each ${speech.ground('page.recheck.period_ms')} ms at the latest.`;
      const reason = speech.ground('page.recheck.event_reason');
      if (reason.value !== '') speech.say`It does not go by events: ${reason}.`;
    } else speech.say`The loop is off: it looks on demand.`;
    if (costs(question))
      speech.say`It ${either(speech.ground('charge.forever.zero_overhead'), 'takes', 'does not surely take')} less than a thousandth of a core: ${speech.ground('fields[path=charge.forever.zero_overhead].meaning')}.`;
    speech.suggest('desk stats');
    return true;
  },
};

export const temperature: Intent = {
  id: 'temperature',
  score: ({ question }) => (question.has('temperature') ? 57 : 0),
  answer(speech, { question }) {
    const sensors = speech.ground('status.iron.THERMO');
    if (sensors.value === 0) {
      if (question.says(/\bsensor/) || question.has('why')) {
        speech.say`${sensors} thermal sensors can be read here${plain(question.has('why') ? ', so there is no temperature' : '')}.`;
        return true;
      }
      speech.say`I do not know: no thermal sensor can be read here.`;
      return false;
    }
    speech.say`The hottest of ${sensors} thermal ${plural(sensors, 'sensor', 'sensors')} shows ${speech.ground('status.iron.temp_C')} °C.`;
    speech.suggest('desk stats');
    return true;
  },
};

export const version: Intent = {
  id: 'version',
  score: ({ question }) => (question.has('version') && !question.words.includes('short') ? 54 : 0),
  answer(speech) {
    speech.say`This is ${speech.ground('version.name')} ${speech.ground('version.version')}, interface ${speech.ground('version.interface')}, law ${speech.ground('version.law')}.`;
    speech.say`It sweeps by backend ${speech.ground('version.engine.backend')} with the build for mark ${speech.ground('version.engine.mark')} (${speech.ground('version.engine.build')}) and ${speech.ground('version.engine.workers')} workers.`;
    const reason = speech.ground('version.engine.backend_reason');
    if (reason.value !== '') speech.say`Why not bpf: ${reason}.`;
    speech.suggest('desk --version', 'desk doctor');
    return true;
  },
};

export const devices: Intent = {
  id: 'devices',
  score: ({ question }) => (question.has('camera') ? 57 : 0),
  answer(speech) {
    const [cameras, ears] = [speech.ground('charge.sense.cam_n'), speech.ground('charge.sense.hear_n')];
    speech.say`There ${plural(cameras, 'is', 'are')} ${cameras} ${plural(cameras, 'camera', 'cameras')} and ${ears} audio capture ${plural(ears, 'device', 'devices')}.`;
    const holders = speech.ground('detection.findings[check=camera-or-microphone].length');
    speech.say`Findings about programs that hold one: ${holders}.`;
    sayUnjudged(speech, 'camera-or-microphone');
    speech.suggest('desk findings');
    return true;
  },
};

const WHO_SHE_IS =
  /^(?:are you (?:an? )?(?:ai|bot|robot|human|person|llm|real|machine)|who are you|wer bist du|qui es tu|quien eres|what are you)$/;
const WHAT_SHE_CAN =
  /\b(?:(?:what|which) .*\bare you (?:good )?for$|can i use you for|can you (?:do|answer|tell(?! me\b| us\b| whether\b| if\b)|tell (?:me|us)$)|can i ask(?: you)?$|may i ask(?: you)?$|are you allowed to|kannst du(?: eigentlich| denn| so| hier)*(?: alles)?(?: tun| machen)?$|(?:peux|sais) tu faire|puedes hacer)\b/;

export const help: Intent = {
  id: 'help',
  score: ({ question }) => {
    const brief = question.words.length < 4;
    if (question.says(WHO_SHE_IS) || question.says(WHAT_SHE_CAN)) return 60;
    if (question.has('help')) return brief ? 59 : 35;
    return question.has('cheer') && brief ? 31 : 0;
  },
  answer(speech) {
    speech.say`I am ${speech.ground('charge.she')}; I answer from what this desk measures, and change nothing.`;
    speech.say`Ask whether the desk is well, why it is not gold, what changed since a time, who listens on a port and whether that is allowed, what a process is and how it is wrapped, what was found or learned, about the gate, the law, the site, its certificate and mail, or what a word, field, check, command or key means.`;
    speech.say`Over HTTP: ${speech.ground('charge.talk.her')}.`;
    speech.suggest('desk think "is the desk well?"', 'desk status', 'desk help');
    return true;
  },
};

const HOW_OLD =
  /\b(?:how (?:old|fresh|recent)|up to date|stale|wie (?:alt|frisch)|veraltet|de quand datent)\b/;

const LAST_LOOK =
  /\b(?:when|how long ago) (?:did|have|has) (?:you|the desk|she|it) (?:last )?(?:look|check|sweep|measure|swept)|\b(?:numbers?|data|figures?|values?) (?:still )?(?:current|fresh|recent|live)\b|\b(?:last|latest|newest) (?:look|snapshot|measurement)\b/;

export const clock: Intent = {
  id: 'clock',
  score: ({ question }) => {
    if (question.says(/\b(?:what time is it|wie spat ist es|quelle heure est il|que hora es)\b/)) return 70;
    if (question.says(LAST_LOOK)) return 57.5;
    return question.says(HOW_OLD) && !question.names.some((name) => /^\p{L}+$/u.test(name)) ? 49 : 0;
  },
  answer(speech) {
    speech.say`The desk looked last at ${speech.ground('live.ts')}; that was ${speech.ground('live.age_ms')} ms old when you asked.`;
    return true;
  },
};

const UP =
  /\b(?:how long (?:has|have|is|are|was) .*(?:up|on|running|run|alive)|(?:since when|when) (?:is|was|did|has|do|does) .*(?:up|boot\w*|start\w*|run|runs|running|alive)|seit wann lauft|wie lange lauft|depuis (?:quand|combien de temps)|desde cuando|cuanto tiempo lleva)\b/;
const SERVICE = /\b(?:service|desk|daemon|you|dienst|hostess|servicio)\b/;
const MACHINE = /\b(?:machine|box|system|computer|rechner|server|maschine|serveur|maquina)\b/;

/** Since when the machine and the service run: nothing counts it, their first processes tell when they started. */
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
  answer(speech, { question }) {
    const ofMachine = question.says(MACHINE) || !question.says(SERVICE);
    const startOf = (pid: unknown): Ground | null => {
      const path = `processes[pid=${pid}].start`;
      return (speech.look(path) ?? null) === null ? null : speech.ground(path);
    };
    const init = ofMachine ? startOf(1) : null;
    if (ofMachine) speech.say`Nothing counts how long the machine is up.`;
    if (init !== null) speech.say`Its first process started at ${init}.`;
    const pid = speech.ground('charge.forever.pid');
    if (pid.value === null) speech.say`No loop of the service runs.`;
    else {
      const start = startOf(pid.value);
      speech.say`The service is process ${pid}.`;
      if (start !== null) speech.say`It started at ${start}.`;
    }
    speech.suggest('desk stats');
    return !ofMachine && pid.value !== null;
  },
};

/** What has an outcome, beside checks. */
const JUDGED = /\b(?:verdicts?|batch|pairs?|judg[e]?ments?|urteile?)\b/;

/** Checks by how they ended. */
export const outcomes: Intent = {
  id: 'outcomes',
  score: ({ question }) =>
    question.has('check', 'outcome') || (question.has('outcome') && question.says(JUDGED)) ? 60 : 0,
  answer(speech) {
    speech.say`Of the ${speech.ground('charge.check.mega_N')} pairs of check and subject of the last batch ${speech.ground('charge.check.pass')} passed, ${speech.ground('charge.check.fail')} failed and ${speech.ground('detection.counts.blind')} were blind.`;
    for (const row of speech.rows('detection.findings', 3))
      speech.say`Failed: ${speech.ground(`${row}.check`)}, ${speech.ground(`${row}.summary`)}.`;
    speech.suggest('desk stats', 'desk findings');
    return true;
  },
};

export const assistant: Intent = {
  id: 'assistant',
  score: ({ question }) => (question.has('assistant') ? 55 : 0),
  answer(speech) {
    speech.say`The assistant is to me: ${speech.ground('charge.system_run.assistant_role')}.`;
    const place = speech.ground('page.assistant.place');
    if (place.value === 'none') speech.say`Its place is ${place}: it is configured nowhere.`;
    else {
      const model = speech.ground('page.assistant.model');
      const where = plain(place.value === 'here' ? 'on this machine' : 'on another machine');
      speech.say`It runs ${where} (${place}), model ${model.value === '' ? plain('not named') : model}.`;
    }
    const pids = speech.ground('charge.security_learn.assistant_pids');
    speech.say`${pids} ${plural(pids, 'process holds', 'processes hold')} its port on this machine. No verdict depends on it.`;
    speech.suggest('desk consult "is the desk well?"');
    return true;
  },
};
