/** What a person wants to do, in four languages: the command or key first, then what the documentation says of it. */

import { literal } from '../../../base/literal.ts';
import { type AnswerBuilder, type Plain, part, plain } from '../answer-builder.ts';
import { quoted } from '../paths.ts';
import { ASKS_FEATURE, FEATURES } from './feature-goals.ts';
import { GOALS, type Goal } from './goal-table.ts';
import { spentIn, type Thing, thingsIn, type Verb, verbsIn } from './goal-words.ts';
import type { Reading } from './read.ts';
import { type Said, said } from './tables.ts';
import type { Language } from './vocabulary.ts';

/** Asks how to do something. */
const HOW: Readonly<Record<Language, RegExp>> = {
  en: /\bhow (?:do|can|could|to|should|would|must|might|does one|d)\b|\bhow$|\bwhat (?:do|should|must|can) (?:i|we) (?:have to |need to )?do\b|\b(?:which|what|what s the|is there a) (?:desk )?command\b|\bcommand (?:to|for|that)\b|\bwhere (?:do|can|should|must|would) (?:i|we)\b|\b(?:is there a|a|the|any) (?:\p{L}+ )?way to\b|(?<!\bdo )(?<!\bdid )\b(?:i|we) (?:want|need|would like|d like) to\b|\b(?:steps|instructions) (?:to|for)\b|\bwhat (?:key|setting|option)\b|\bwhere (?:are|is) the (?:logs?|log files?|configuration|config file)\b|^(?:can|could|may) (?:i|we|one)\b/u,
  de: /\b(?:wie|womit|wodurch) (?:\p{L}+ )?(?:ich|man|wir|sich)\b|\bwie \p{L}+ (?:der|die|das|den) desk\b|\bwas (?:muss|soll|kann|mache|tue) (?:ich|man|wir)\b|\b(?:welche[rsnm]?|einen|den) (?:befehl|kommando)\b|\bwo (?:ist|sind|liegt|liegen) (?:das|die) (?:logs?|protokolle?|konfiguration)\b|\bwo (?:\p{L}+ )(?:ich|man|wir)\b|\b(?:ich|wir) (?:will|mochte|wollen|mochten)\b|^(?:kann|darf) (?:ich|man)\b/u,
  es: /^(?:y |pero |hola )?como (?!esta\b|estan\b|va\b|se llama|es\b|son\b)|\bcomo (?:puedo|puede|podemos|hago|hacemos|debo|se puede)\b|\bque (?:hago|debo hacer|tengo que hacer|hay que hacer|comando|orden)\b|\bcon que (?:comando|orden)\b|\bcual es (?:el comando|la orden)\b|\bdonde estan los (?:logs|registros)\b|\bdonde \p{L}+[aei]r\b|\bdonde (?:puedo|pongo|configuro|veo|anado|cambio|defino)\b|\b(?:quiero|quisiera|necesito) \p{L}+r\b|^(?:puedo|se puede|podria)\b/u,
  fr: /\bcomment (?!va\b|vas\b|ca va|s appelle|est\b|sont\b|allez)|\bque (?:dois je|faut il|puis je|faire)\b|\b(?:quelle|la) commande\b|\bou \p{L}+(?:er|re|ir)\b|\bou sont les (?:logs|journaux)\b|\bou (?:puis je|est ce que je|faut il|dois je|configure|je)\b|\b(?:je veux|je voudrais|j aimerais) \p{L}+r\b|^(?:puis je|peut on|est ce que je peux)\b/u,
};
/** Asks for a number or a state, not for a way. */
const NOT_HOW =
  /\bhow (?:do|did|does) (?:you|she|it|the desk|they) (?!accept|handle me)|\bhow (?:would|can|do|could) (?:you|i|we) (?:know|tell (?:if|whether|that)|describe|rate)\b|\bshould (?:i|we) (?:worry|be)\b|\bsee\b.*\bagain\b|\b(?:give|make) you\b|\byou (?:can ?not|not|could not) see\b/;

/** What is undone is said without "how" too. */
const UNDO: Readonly<Record<Language, RegExp>> = {
  en: /^(?:please )?(?:undo|revert|roll back|rollback|take back|forget)\b/,
  de: /\b(?:ruckgangig|zurucknehmen|nimm\b.*\bzuruck)|^(?:bitte )?vergiss\b/,
  es: /^(?:por favor )?(?:deshac\w*|deshaz|revert\w*|revierte|olvida)\b/,
  fr: /^(?:annul\w*|oublie|revenir en arriere|defai\w*)\b/,
};

/** Asks her to do it. */
const POLITE =
  /^(?:please )?(?:can|could|would|will) you\b|^(?:bitte )?(?:kannst|konntest|wurdest) du\b|^konnten sie\b|^(?:me )?(?:puedes|podrias|puede usted)\b|^(?:peux tu|tu peux|pourrais tu|pouvez vous|est ce que tu peux)\b/u;
/** What she may be asked to do, and a command does. */
const DONE =
  /^(?:quiet|unquiet|alert-test|backup|accept|unaccept|restore|learn|stop-service|restart|update|uninstall|isolate|sites)$/;

/** Names what is to be done without asking how. */
const TELEGRAM =
  /^(?:(?:please|bitte|por favor|s il (?:te|vous) plait) )?(?:mute|silence|snooze|quiet|pause|acknowledge|ack|dismiss|back ?up|export|stummschalten|quittiere\w*|bestatige\w*|backup|sichere\w*|exportiere\w*|silenciar?|silencia|respalda\w*|exporta\w*|sauvegarde\w*|exporte\w*|acquitte\w*|(?:benachrichtigungen|alarme|alerts?|befunde?) (?:stumm\w*|abschalten|ausschalten|quittieren|exportieren)|uninstall|deinstall\w*|desinstal\w*|get (?:the )?output|output as|set ?up|setting up|give me an? token|gib mir (?:ein|einen) token|dame un token|donne moi un jeton|exclude|exempt|configur\w*|konfigurier\w*|raise|lower|increase|decrease|erhohe|senke|sube|baja|augmente\w*|baisse\w*|(?:i|we) need an? (?:new )?token|ich brauche (?:einen|ein) token|necesito un token|il me faut un jeton|token (?:for|fur|para|pour))(?= |$)|^\p{L}+ integration$/u;

/** Asks where a file of the desk is. */
const LOCATES: Readonly<Record<Language, RegExp>> = {
  en: /^(?:(?:and |please |so )?where (?:is|are|s|do you (?:keep|store|save|put)|can i find|do i find|does (?:the desk|it|desk) (?:keep|store|save|put))|(?:in )?(?:which|what) (?:file|folder|directory)|(?:path|location) (?:of|to)\b|(?:\p{L}+ )?(?:config\w*|settings|database|log|state)(?: file| folder| directory)? (?:path|location)$)/u,
  de: /^(?:(?:und |bitte )?wo (?:ist|sind|liegt|liegen|steht|finde ich|finde|speicherst du|speichert)|(?:in )?(?:welche[rsm]?) (?:datei|ordner|verzeichnis)|(?:pfad|speicherort) )/u,
  es: /^(?:y )?(?:donde (?:esta|estan|se guarda\w*|guardas?|queda|encuentro|puedo encontrar)|en que (?:archivo|fichero|carpeta|directorio)|(?:ruta|ubicacion) )/u,
  fr: /^(?:et )?(?:ou (?:est|sont|se trouve\w*|trouver|puis je trouver|trouve|stockes)|dans quel (?:fichier|dossier|repertoire)|(?:chemin|emplacement) |quel est le chemin)/u,
};

const PATH = /(?<!\S)~?\/[\w*][\w./*-]*/;

/** Without punctuation, which words may have around them. */
const bare = (text: string): string =>
  text
    .replace(/[¿¡?!"“”„«»(),;:]+|\.(?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Words of a question that name its goal, or what is done. */
export const isSpent = (text: string, word: string): boolean => {
  const spent = spentIn(bare(text));
  return spent.some((phrase) => phrase.split(' ').includes(word) || phrase === word);
};

/** More than by one thing, less than by two. */
const KNOWN_BY_VERB = 1.5;

/** How well a goal is what these verbs and things say: by how many of its things; -1 where it is not. */
export function fitOf(goal: Goal, verbs: ReadonlySet<Verb>, things: ReadonlySet<Thing>): number {
  if (goal.verbs !== '' && !goal.verbs.split(' ').some((verb) => verbs.has(verb as Verb))) return -1;
  const groups = goal.things === '' ? [] : goal.things.split(' ');
  const all = groups.every((group) => group.split('/').some((thing) => things.has(thing as Thing)));
  // What is done is enough to know the goal.
  if (groups.length === 0) return KNOWN_BY_VERB;
  return all ? groups.length : -1;
}

/** It goes before a query that the question could be read as: "can you mute the alerts", "can I run it without root". */
export const isEarly = ({ id }: Goal, plain: string): boolean =>
  /^(?:rootless|other-port|threshold|alert-threshold|sql|accept|exclude|alert-level)$/.test(id) ||
  POLITE.test(bare(plain));

/** A goal of which only the thing is named. */
const isFeature = (goal: Goal): boolean => goal.verbs === '';
const FEATURE_IDS: ReadonlySet<string> = new Set(FEATURES.map(({ id }) => id));
/** Asks for something to be sent when something is so. */
const ALERT_ME =
  /^(?:alert|warn|notify|ping|mail|e-?mail|message) (?:me|us)\b|^tell (?:me|us) when\b|^(?:warne|benachrichtige|alarmiere|informiere) mich\b|^(?:avisa\w*|alerta\w*|notifica\w*)\b.*\bcuando\b|^(?:previens|prevenez|avertis|avertissez|alerte|alertez)\b/u;
const FEW_WORDS = 5;
const ASKS =
  /\d|^(?:which|what|who|how|when|where|why|is|are|was|were|any|last|welche\w*|was|wer|wie|wann|wo|ist|sind|war|que|cual\w*|quien|cuando|donde|quel\w*|qui|quand|ou)\b/u;
/** The name of a feature, and little else. */
const isBrief = (plain: string): boolean => plain.split(' ').length <= FEW_WORDS && !ASKS.test(plain);

/** Asks how something is done with the desk, or whether it has or does something. */
export const asksOfDesk = ({ language }: Reading, text: string): boolean => {
  const plain = bare(text);
  return (
    (HOW[language].test(plain) && !NOT_HOW.test(plain)) || ASKS_FEATURE.test(plain) || OF_DESK.test(plain)
  );
};
const OF_DESK =
  /\b(?:the desk|hostess desk|this tool|der desk|dem desk|den desk|el desk|le desk|du desk|del desk)\b/;

/** Asks how to do something, or whether the desk does something: not what there is now. */
const STRICT =
  /^(?:(?:and |so |but |und |y |et )?how (?:do|can|could|to|should|would) (?!(?:i |we |one |you )?(?:know|tell|see|find out|describe|rate|fix|feel|stand)\b)|(?:does|can|could|will) (?:the desk|desk|hostess desk|this tool) |wie (?:kann|konnte|muss|soll) (?:ich|man) |wie (?:richte|mache|stelle|setze|bekomme|bringe|binde|verbinde|benutze|konfiguriere|andere) (?:ich|man) |(?:kann|hat) (?:der )?desk |como (?:puedo|se puede|hago|configuro|pongo|instalo|cambio) |(?:puede|tiene) (?:el )?desk |comment (?:puis je|peut on|faire|configurer|mettre|changer|installer|utiliser) )/u;
export const asksStrictly = (text: string): boolean => STRICT.test(bare(text));

/** The goal of a question; null where it has none. `plain`: without marks and capitals. */
export function goalOf({ language, slots }: Reading, text: string): Goal | null {
  const goal = goalIn(language, text);
  // The desk does not remove another program.
  const isOther =
    goal?.id === 'uninstall' && slots.some(({ part }) => part === 'program' || part === 'stranger');
  return isOther ? null : goal;
}

function goalIn(language: Language, text: string): Goal | null {
  const plain = bare(text);
  const undo = UNDO[language].test(plain);
  const how = HOW[language].test(plain) && !NOT_HOW.test(plain);
  const where = !undo && !how && LOCATES[language].test(plain);
  const polite = !undo && !how && !where && POLITE.test(plain);
  const asks = undo || where || how || polite || TELEGRAM.test(plain) || ALERT_ME.test(plain);
  const brief = !asks && !ASKS_FEATURE.test(plain) && isBrief(plain);
  const feature = !asks && (brief || ASKS_FEATURE.test(plain));
  if (!asks && !feature) return null;
  const [verbs, named] = [verbsIn(plain), thingsIn(plain)];
  const things = PATH.test(plain) ? new Set([...named, 'path' as const]) : named;
  if (undo && ![...verbs].some((verb) => verb === 'restore' || verb === 'remove' || verb === 'forget'))
    return null;
  let [best, most]: [Goal | null, number] = [null, -1];
  for (const goal of GOALS) {
    if (polite && !DONE.test(goal.id)) continue;
    if (feature ? !FEATURE_IDS.has(goal.id) : undo && isFeature(goal)) continue;
    if (brief && /^(?:alert-threshold|rootless)$/.test(goal.id)) continue;
    const fit =
      where && !/^(?:config-file|state-folder|logs)$/.test(goal.id) ? -1 : fitOf(goal, verbs, things);
    if (fit > most && (!undo || /^(?:unaccept|restore|forget)$/.test(goal.id))) [best, most] = [goal, fit];
  }
  return best;
}

const DOCUMENTED = said(
  'The documentation says:',
  'Die Dokumentation sagt (englisch):',
  'La documentación dice (en inglés):',
  'La documentation dit (en anglais) :',
);
const LEARN = said(
  'For everything that runs now:',
  'Für alles, was jetzt läuft:',
  'Para todo lo que se ejecuta ahora:',
  'Pour tout ce qui tourne maintenant :',
);
const ONE = said('For one finding:', 'Für einen Befund:', 'Para un hallazgo:', 'Pour un constat :');
const BACK = said(
  'I change nothing; this goes back to generation',
  'Ich ändere nichts; das geht zurück zu Generation',
  'No cambio nada; esto vuelve a la generación',
  'Je ne change rien ; ceci revient à la génération',
);
const NOTHING = said(
  'There is no earlier generation to go back to: desk baseline list shows those that are kept',
  'Es gibt keine frühere Generation: desk baseline list zeigt, welche da sind',
  'No hay ninguna generación anterior: desk baseline list muestra las que hay',
  'Il n’y a pas de génération précédente : desk baseline list montre celles qui existent',
);
export const IN_CONFIG = said(
  'In the configuration, desk.toml:',
  'In der Konfiguration, desk.toml:',
  'En la configuración, desk.toml:',
  'Dans la configuration, desk.toml :',
);
const RELOAD = said(
  'Then check it with desk config check and reload the service (systemctl reload desk)',
  'Danach mit desk config check prüfen und den Dienst neu laden (systemctl reload desk)',
  'Después compruébela con desk config check y recargue el servicio (systemctl reload desk)',
  'Ensuite, vérifiez avec desk config check et rechargez le service (systemctl reload desk)',
);
const MORE = said('More in', 'Mehr in', 'Más en', 'Plus dans');
const NOW = said('Now:', 'Jetzt:', 'Ahora:', 'Maintenant :');
const HTTP = said('Over HTTP:', 'Über HTTP:', 'Por HTTP:', 'Par HTTP :');
const PORT = said('It is the port', 'Es geht um den Port', 'Se trata del puerto', 'Il s’agit du port');

/** Where each part of a line is read from, by its name in `goal-table.ts`. */
const VALUES: Readonly<Record<string, readonly [path: string, without: string]>> = {
  '{id}': ['detection.findings[0].id', 'ID'],
  '{held}': ['generations[0].number', 'NEW'],
  '{before}': ['generations[1].number', 'OLD'],
};

/** A port, pid or id of what is meant. */
const NAMES_ONE = /\d/;

/** Goals that need a finding. */
const TAKES_FINDING = /^(?:accept|accept-while|explain|end-exception)$/;
const NO_FINDING = said(
  'No open finding is about',
  'Kein offener Befund handelt von',
  'Ningún hallazgo abierto trata de',
  'Aucun constat ouvert ne parle de',
);

/** The open finding that a number of the text is in, as port, pid or id; null where none is, and where no number names one. */
function findingAbout(
  out: AnswerBuilder,
  text: string,
  names: readonly string[],
): { readonly id: string | null; readonly number: string } | null {
  const number =
    /(?<![\p{L}\d.:])(?:[0-9a-f]{16}|\d{2,})(?![\p{L}\d.])(?! ?(?:h|m|min|hours?|days?|minutes?|stunden|tage|minuten|horas|dias|minutos|heures|jours)\b)/u.exec(
      text,
    )?.[0] ?? names[0];
  if (number === undefined) return null;
  const findings =
    out.read<readonly { readonly id: string; readonly summary: string }[]>('detection.findings') ?? [];
  const whole = new RegExp(`(?<![\\p{L}\\d])${literal(number)}(?![\\p{L}\\d])`, 'u');
  const found = findings.find(({ id, summary }) => id === number || whole.test(summary));
  return { id: found?.id ?? null, number };
}

/** A command line, with values of this desk in it. */
function lineOf(out: AnswerBuilder, line: string): Plain {
  const at = /\{\w+\}/.exec(line);
  if (at === null) return plain(line);
  const [path, without] = VALUES[at[0]] as readonly [string, string];
  const value = out.read(path) === undefined ? plain(without) : out.ground(path);
  return part`${plain(line.slice(0, at.index))}${value}${lineOf(out, line.slice(at.index + at[0].length))}`;
}

const SPAN =
  /(?<![\p{L}\d])(half an|halbe?n?|media|demi|une demi|an?|one|eine[nr]?|una?|une?|\d{1,3}) ?(m|min\w*|h|hours?|stunden?|horas?|heures?|d|days?|tage?n?|tag|dias?|jours?)(?![\p{L}\d])/u;

/** The line with the time that the text names: "for an hour" is 1h. */
function spanned(out: AnswerBuilder, line: string, text: string): string {
  const [, many = '', unit = ''] = SPAN.exec(text) ?? [];
  if (unit === '') return line.replace('{span}', 'TIME');
  const isHalf = /^(?:half|halb|media|demi|une demi)/.test(many);
  const letter = isHalf || unit.startsWith('m') ? 'm' : /^[dtj]/.test(unit) ? 'd' : 'h';
  out.put('computed', { figure: isHalf ? 30 : Number(many) || 1 });
  return line.replace('{span}', `${out.ground('computed.figure').value}${letter}`);
}

/** A line that can be suggested: complete. */
const complete = (line: string): boolean => !/\b[A-Z]{2,}\b|…|\{/.test(line);

/** The note with the port that the text names: "also = [23]". */
export const noteIn = (note: string, text: string): string =>
  note.replace('{port}', /(?<![\d.:/])\d{1,5}(?![\d.:/])/.exec(text)?.[0] ?? 'PORT');

/** False where it is not done here, or cannot be reached. */
export function sayGoal(
  out: AnswerBuilder,
  goal: Goal,
  language: Language,
  plainText: string,
  /** Programs and the like that the question names. */
  names: readonly string[] = [],
): boolean {
  const told = (texts: Said): Plain => plain(noteIn(texts[language], plainText));
  const { id, lines = [], command, keys = [], endpoint, note, outside, word, more } = goal;
  if (/\{before\}/.test(lines[0] ?? '') && out.read('generations[1].number') === undefined) {
    out.ground('generations.length');
    out.say`${told(NOTHING)}.`;
    out.suggest('desk baseline list');
    return false;
  }
  // The first finding that is open may be another than the one that is meant.
  const isNamed = NAMES_ONE.test(plainText) || (TAKES_FINDING.test(id) && names.length > 0);
  const about = isNamed && TAKES_FINDING.test(id) ? findingAbout(out, plainText, names) : null;
  if (about?.id === null) {
    out.ground('detection.findings.length');
    out.say`${told(NO_FINDING)} ${plain(about.number)}.`;
  }
  const meant = about?.id ?? null;
  if (meant !== null)
    for (const column of ['id', 'summary']) out.ground(`detection.findings[id=${meant}].${column}`);
  const filled = (line: string): string => (isNamed ? line.replace('{id}', meant ?? 'ID') : line);
  const shown = lines.map((line) =>
    lineOf(out, id === 'quiet' ? spanned(out, line, plainText) : filled(line)),
  );
  if (outside) {
    if (word !== undefined) out.ground(`words[word=${quoted(word)}].meaning`);
    if (note !== undefined) out.say`${told(note)}.`;
  } else if (keys.length > 0) {
    const all = keys.map((key) => out.ground(`keys[key=${quoted(key)}].key`));
    out.say`${told(IN_CONFIG)} ${out.join(all)}.`;
    if (note !== undefined) out.say`${told(note)}.`;
  } else if (shown.length > 0) {
    const joined = out.join(shown);
    if (id === 'learn') out.say`${told(LEARN)} ${joined}.`;
    else if (id === 'accept') out.say`${told(ONE)} ${joined}.`;
    else out.say`${joined}.`;
    if (id === 'restore') out.say`${told(BACK)} ${out.ground('generations[1].number')}.`;
    if (note !== undefined) out.say`${told(note)}.`;
  } else if (note !== undefined) out.say`${told(note)}.`;
  sayPort(out, plainText, told(PORT));
  const path = id === 'exclude' ? PATH.exec(plainText)?.[0] : undefined;
  if (path !== undefined) out.say`Here: ${plain(path)}.`;
  sayDocumentation(out, goal, told, language === 'en');
  if (id === 'learn') out.say`${told(ONE)} ${lineOf(out, filled('desk accept {id} --why REASON'))}.`;
  if (keys.length > 0 && !outside) {
    out.say`${told(RELOAD)}.`;
    out.suggest('desk config check');
  }
  if (endpoint !== undefined) {
    const summary = out.ground(`endpoints[name=${quoted(endpoint)}].summary`);
    out.say`${told(HTTP)} ${out.ground(`endpoints[name=${quoted(endpoint)}].name`)} (${summary}).`;
  }
  if (more !== undefined) out.say`${told(MORE)} docs/${plain(more[0])}, ${plain(more[1])}.`;
  for (const line of lines) if (complete(line)) out.suggest(line);
  if (/restore|compare/.test(id)) {
    const before = out.read('generations[1].number');
    if (before !== undefined && id === 'restore') out.suggest(`desk baseline restore ${before}`);
    out.suggest('desk baseline list');
  }
  const found = out.read<string>('detection.findings[0].id');
  const takesOne = /^(?:learn|accept|end-exception)$/.test(id);
  if (takesOne && isNamed) out.suggest('desk findings');
  else if (found !== undefined && takesOne)
    out.suggest(`desk accept ${found} --why "why it is fine"`, 'desk findings');
  if (id === 'quiet') out.suggest('desk quiet', 'desk quiet end');
  if (command !== undefined) out.suggest(`desk help ${command.split(' ')[0]}`);
  return (
    !outside ||
    /^(?:logs|stop-service|restart|alert-rule)$/.test(id) ||
    word !== undefined ||
    endpoint !== undefined
  );
}

function sayDocumentation(
  out: AnswerBuilder,
  { command, keys = [], outside }: Goal,
  told: (texts: Said) => Plain,
  english: boolean,
): void {
  let lead = english ? plain('') : part`${told(DOCUMENTED)} `;
  if (keys.length > 0) {
    const known = keys.filter((key) => out.read(`keys[key=${quoted(key)}].meaning`) !== '');
    const meanings = known.map(
      (key) => part`${plain(key)}: ${out.ground(`keys[key=${quoted(key)}].meaning`)}`,
    );
    if (meanings.length > 0) {
      out.say`${lead}${plain(meanings.map(({ text }) => text).join('; '))}.`;
      lead = plain('');
    }
    for (const key of keys) {
      const now = out.read(`config.${key}`);
      const inList = Array.isArray(out.read(`config.${key.split('.')[0]}`));
      if (typeof now === 'number' && !inList)
        out.say`${told(NOW)} ${plain(key)} = ${out.ground(`config.${key}`)}.`;
    }
  }
  if (command === undefined) return;
  out.ground(`commands[name=${quoted(command)}].usage`);
  const summary = out.ground(`commands[name=${quoted(command)}].summary`);
  if (!outside && keys.length === 0) out.say`${lead}${summary}.`;
  else out.say`${lead}desk ${plain(command)}: ${summary}.`;
}

/** A number of the question that is a desk port. */
function sayPort(out: AnswerBuilder, plainText: string, lead: Plain): void {
  for (const [number] of plainText.matchAll(/(?<![\d.:])\d{1,5}(?![\d.:])/g)) {
    const row = `page.ports[port=${Number(number)}]`;
    if (out.read(`${row}.name`) !== undefined)
      out.say`${lead} ${out.ground(`${row}.port`)} (${out.ground(`${row}.name`)}).`;
  }
}

/** Says a goal by its name. */
export function sayGoalOf(out: AnswerBuilder, id: string, language: Language): boolean {
  const goal = GOALS.find((one) => one.id === id);
  if (goal === undefined) throw new Error(`no goal is called ${id}`);
  return sayGoal(out, goal, language, '');
}
