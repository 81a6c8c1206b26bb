/** Facts of the desk itself: whether quiet time is on, when it last looked; what the machine serves, and what its certificate covers. */
import { LISTENER_ROLES } from '../../../config/schema.ts';
import { part, plain } from '../answer-builder.ts';
import { sayGoalOf } from '../grammar/goals.ts';
import { plainOf } from '../grammar/read.ts';
import { type Said, said } from '../grammar/tables.ts';
import type { Question } from '../understand.ts';
import { type Fact, none, unknown } from './fact.ts';
import { BANNED, IS_BANNED, LISTENING } from './machine-facts.ts';

const QUIET_ON = said(
  'Quiet time is on: only critical findings alert until',
  'Die Ruhezeit läuft: nur kritische Befunde melden sich bis',
  'El tiempo de silencio está activo: solo avisan los hallazgos críticos hasta',
  'Le temps calme est actif : seuls les constats critiques alertent jusqu’à',
);
const QUIET_OFF = said(
  'No: there is no quiet time now, so findings alert. In quiet time critical ones would still alert',
  'Nein: jetzt ist keine Ruhezeit, Befunde melden sich also. In einer Ruhezeit würden sich kritische trotzdem melden',
  'No: ahora no hay tiempo de silencio, así que los hallazgos avisan. En él los críticos avisarían igualmente',
  'Non : il n’y a pas de temps calme maintenant, les constats alertent donc. Pendant celui-ci les critiques alerteraient quand même',
);

const QUIET: Fact = {
  asks: /\b(?:is|are|am|ist|sind|esta|hay|est|y a t il)\b.*\b(?:quiet(?: time| mode)?|silent|silenced|muted?|ruhezeit|ruhe|stumm\w*|silencio|silenciad[oa]s?|temps calme|mode silencieux|silence)\b/,
  not: /\b(?:how|wie|como|comment|mean\w*|bedeutet|significa|signifie|what (?:is|are)|was ist|que es|process\w*|fan|lufter)\b/,
  tell(out, told) {
    out.suggest('desk quiet');
    if (out.read('page.alerts.quiet') === null) {
      out.ground('page.alerts.quiet');
      out.say`${plain(told(QUIET_OFF))}.`;
    } else
      out.say`${plain(told(QUIET_ON))} ${out.ground('page.alerts.quiet.until')} (${out.ground('page.alerts.quiet.why')}).`;
    return true;
  },
};

const LAST_LOOK = said(
  'The last sweep was at',
  'Zuletzt geprüft wurde um',
  'La última comprobación fue a las',
  'La dernière vérification a eu lieu à',
);
const LOOKS =
  '(?:check(?:ed|s)?|scan(?:ned|s)?|sweep|look(?:ed)?|verif\\w*|geprueft|gepruft|prufung|gescannt|geschaut|comprob\\w+|revis\\w+|analiz\\w+|escane\\w+|verifie\\w*|analyse\\w*|controle\\w*|scan)';
const LAST =
  '(?:last|latest|most recent|zuletzt|letzte[rnms]?|ultim[oa]|por ultima vez|dernier\\w*|derniere fois)';

const LOOKED: Fact = {
  asks: new RegExp(
    `\\b(?:when|wann|cuando|quand|how long ago|a quelle heure)\\b.*(?:\\b${LAST}\\b.*\\b${LOOKS}\\b|\\b${LOOKS}\\b.*\\b${LAST}\\b)`,
  ),
  not: /\b(?:packages?|pakete?|paquetes?|paquets?|sites?|website|webseite|startup|accounts?|mails?|certificat\w*|zertifikat\w*|updates?|logs?|disk|backup|baseline|gate)\b/,
  tell(out, told) {
    out.say`${plain(told(LAST_LOOK))} ${part`${out.ground('live.ts')}`}.`;
    out.suggest('desk status');
    return true;
  },
};

const NO_PURPOSE = said(
  'What this machine is for is not recorded',
  'Wofür diese Maschine da ist, ist nicht aufgezeichnet',
  'Para qué sirve esta máquina no está registrado',
  'À quoi sert cette machine n’est pas enregistré',
);
const SERVES = said(
  'Programs that can be reached from outside',
  'Programme, die von außen erreichbar sind',
  'Programas accesibles desde fuera',
  'Programmes joignables de l’extérieur',
);
const SERVES_NOTHING = said(
  'No program can be reached from outside',
  'Kein Programm ist von außen erreichbar',
  'Ningún programa es accesible desde fuera',
  'Aucun programme n’est joignable de l’extérieur',
);
const MACHINE =
  '(?:this|the|my|our|dieser?|der|die|das|mein|este|esta|el|la|ce|cette|le|la) (?:server|machine|box|computer|host|rechner|maschine|kiste|servidor|maquina|equipo|ordenador|serveur|ordinateur)';

const PURPOSE: Fact = {
  asks: new RegExp(
    `\\bwhat (?:does|do) (?:${MACHINE}|it) (?:actually |even )?do\\b|\\bwhat (?:is|s) ${MACHINE} (?:used |actually )*for\\b|\\bwhat is the (?:purpose|role|job) of ${MACHINE}|\\bwas (?:macht|tut) ${MACHINE}\\b|\\b(?:wofur|wozu) (?:ist|dient) ${MACHINE}|\\bque hace ${MACHINE}|\\bpara que (?:sirve|es) ${MACHINE}|\\bque fait ${MACHINE}|\\ba quoi sert ${MACHINE}`,
  ),
  asksWhat: true,
  not: /\b(?:now|right now|gerade|ahora|slow|boot\w*|start\w*|when|wenn|if)\b/,
  where: ({ reading }) => reading.slots.every(({ part: one }) => one !== 'program'),
  tell(out, told) {
    out.say`${plain(told(NO_PURPOSE))}.`;
    const rows = out.rows('listeners[scope=public]', MOST_SHOWN);
    const count = out.ground('listeners[scope=public].length');
    const list = rows.map((row) => {
      const program = out.ground(`${row}.executable`);
      return part`${program.value === '' ? plain('?') : program} (${out.ground(`${row}.port`)})`;
    });
    if (list.length === 0) out.say`${plain(told(SERVES_NOTHING))} (${count}).`;
    else out.say`${plain(told(SERVES))} (${count}): ${out.join(list, count.value)}.`;
    out.suggest('desk query listeners', 'desk query "startup where path contains wants"');
    return true;
  },
};
const MOST_SHOWN = 6;

const CERTIFICATE_NAMES = said(
  'names of the certificate',
  'Namen des Zertifikats',
  'nombres del certificado',
  'noms du certificat',
);
const YES = said('Yes', 'Ja', 'Sí', 'Oui');
const NO = said('No', 'Nein', 'No', 'Non');
const CERTIFICATE_FOR =
  /\b(?:cert\w*|zertifikat\w*)\b.*\b(?:for|fur|para|pour|cover|covers|include|includes|incluye|inclut|enthalt)\b.*?(?<![\w.-])((?:www|[a-z\d-]+)(?:\.[a-z\d-]+)*)(?: (?:too|also|as well|auch|tambien|aussi))?[\s?!.]*$/;

const COVERS: Fact = {
  asks: CERTIFICATE_FOR,
  not: /\b(?:how|when|who|wie|wann|wer|como|cuando|quien|comment|quand|qui|long|days?|tage|dias|jours|year|add|get|issue\w*)\b/,
  where: ({ question: { plain: text }, context }) => {
    const name = CERTIFICATE_FOR.exec(text)?.[1] ?? '';
    return /^www$|\./.test(name) && context.read('site.certificate.names') !== undefined;
  },
  tell(out, told, { question }) {
    const asked = CERTIFICATE_FOR.exec(question.plain)?.[1] ?? '';
    const names = (out.read<readonly string[]>('site.certificate.names') ?? []).map((one) =>
      one.toLowerCase(),
    );
    const subject = String(out.read('site.certificate.subject')).replace(/^\*\.|^www\./, '');
    const host = asked === 'www' ? `www.${subject}` : asked;
    const covers = names.some(
      (one) => one === host || (one.startsWith('*.') && host.slice(host.indexOf('.') + 1) === one.slice(2)),
    );
    out.say`${plain(told(covers ? YES : NO))}: ${plain(told(CERTIFICATE_NAMES))}: ${out.ground('site.certificate.names')}.`;
    out.suggest('desk public');
    return true;
  },
};

const PERMITTED =
  '(?:allowed|permitted|allow|permit|erlaubt|zulassig|zugelassen|permitid[oa]|autorizad[oa]|autorisee?|permise?|permite|autorise)';
const MAY = '(?:may|can|could|darf|kann|puede|puedo|peut|est ce que .*\\bpeut|puis je)';
const LISTENS =
  '(?:listen\\w*|open|opened|used?|benutzen|nutzen|usar\\w*|utiliser\\w*|lausch\\w*|offen|geoffnet|benutzt|escuch\\w*|abiert[oa]|abrir\\w*|ecout\\w*|ouverte?|ouvrir)';
const LAW_ALLOWS = said('the law allows', 'das Gesetz erlaubt', 'la ley permite', 'la loi autorise');
const LEARNED = said(
  'the baseline knows',
  'die Baseline kennt',
  'la línea base conoce',
  'la référence connaît',
);
const NO_BAN = said(
  'the law does not ban port {port}; banned',
  'das Gesetz verbietet Port {port} nicht; verboten',
  'la ley no prohíbe el puerto {port}; prohibidos',
  'la loi n’interdit pas le port {port} ; interdits',
);
const NOT_ALLOWED = said(
  'neither an entry [[listen]] of the law nor the baseline allows port {port}',
  'weder ein Eintrag [[listen]] des Gesetzes noch die Baseline erlaubt Port {port}',
  'ni una entrada [[listen]] de la ley ni la línea base permite el puerto {port}',
  'ni une entrée [[listen]] de la loi ni la référence n’autorise le port {port}',
);

const REPORTED = said(
  'what listens there would be reported, not blocked',
  'was dort lauscht, würde gemeldet, nicht blockiert',
  'lo que escuche allí se notificaría, no se bloquearía',
  'ce qui y écoute serait signalé, pas bloqué',
);

interface Allowed {
  readonly ports: readonly number[];
  readonly protocol: string;
  readonly executable: string;
}

const OF_BANS = new RegExp(`\\b${BANNED}\\b`);
/** The one port of a question; "is 22 banned" has a number without a word. */
function portOf({ entities, text }: Question): number | null {
  const [port, other] = entities.ports;
  if (port !== undefined) return other === undefined ? port : null;
  const number = /^[^\d]*(?<![.\w])(\d{2,5})(?![.\w])[^\d]*$/.exec(text)?.[1];
  return number === undefined ? null : Number(number);
}

/** Whether something may listen on a port where nothing does. */
const MAY_LISTEN: Fact = {
  asks: new RegExp(`\\b(?:${PERMITTED}|${BANNED})\\b|^[¿ ]*${MAY}\\b.*\\b${LISTENS}\\b`),
  not: /^[¿ ]*(?:please |bitte |por favor )?(?:add|put|allow|permit|ban|block|forbid|autoris\w*|permite|permitir|autoriza\w*|bloque\w*)\b|\b(?:why|when|who|which|since|how|warum|wieso|wann|wer|welche\w*|seit|por que|cuando|quien|cual\w*|pourquoi|quand|qui|quel\w*|users?|root|log ?in|anmelden|now|gerade|ahora|maintenant|outside|aussen|fuera|firewall|was|war|findings?)\b/,
  where: ({ question, context }) => {
    const { entities } = question;
    const port = portOf(question);
    const forbids = OF_BANS.test(plainOf(question.text));
    return (
      port !== null &&
      entities.pids.length === 0 &&
      context.read('page.ports_known') !== false &&
      LISTENER_ROLES.every((role) => context.read(`config.listen.${role}.port`) !== port) &&
      (forbids || context.read(`listeners[port=${port}].length`) === 0)
    );
  },
  tell(out, told, { question, reading }) {
    const port = portOf(question) as number;
    // A service by name: the question has no number.
    out.put('computed', { port });
    const number = String(out.ground('computed.port').value);
    const of = (text: Said) => plain(told(text).replace('{port}', number));
    const forbids = OF_BANS.test(plainOf(question.text));
    const bans = out.read<readonly number[]>('law.banned') ?? [];
    const at = bans.indexOf(port);
    const law = out.read<readonly Allowed[]>('law.listen') ?? [];
    const gone =
      out.read<readonly { readonly kind: string; readonly text: string }[]>('baseline_diff.gone') ?? [];
    const asked = plainOf(question.text);
    const by = /\b(?:tcp|udp)\b/.exec(asked)?.[0];
    const allowing = law.flatMap(({ ports, protocol }, place) =>
      ports.includes(port) && (by ?? protocol) === protocol ? [place] : [],
    );
    const isOfPort = new RegExp(` ${by ?? '(?:tcp|udp)'} ${port} `);
    const learned = gone.findIndex(({ kind, text }) => kind === 'listener' && isOfPort.test(text));
    const now = part`${plain(told(LISTENING))}: ${out.ground(`listeners[port=${port}].length`)}`;
    out.suggest('desk law show', 'desk baseline diff');
    if (at >= 0) {
      out.ground(`law.banned[${at}]`);
      out.say`${plain(told(forbids ? YES : NO))}. ${of(IS_BANNED)}; ${now}.`;
      return true;
    }
    if (forbids) out.say`${plain(told(NO))}: ${of(NO_BAN)}: ${out.ground('law.banned')}; ${now}.`;
    if (forbids) return true;
    const list = allowing.map((place) => {
      const get = out.at(`law.listen[${place}]`);
      const program = get('executable');
      return part`${get('protocol')} ${get('ports')} (${get('scope')}${program.value === '' ? plain('') : part`, ${program}`}): ${get('why')}`;
    });
    // Of another program than that of the entry; "is ssh allowed" names the port.
    const named = /\d/.test(asked)
      ? reading.slots.filter(({ part: one }) => one === 'program' || one === 'stranger')
      : [];
    const isOther =
      named.length > 0 &&
      allowing.every((place) => {
        const { executable = '' } = law[place] ?? {};
        return executable !== '' && !named.some(({ value }) => executable.endsWith(`/${value}`));
      });
    if (list.length > 0)
      out.say`${plain(told(isOther ? NO : YES))}: ${plain(told(LAW_ALLOWS))} ${out.join(list)}; ${now}.`;
    else if (learned >= 0)
      out.say`${plain(told(YES))}: ${plain(told(LEARNED))} ${out.ground(`baseline_diff.gone[${learned}].text`)}; ${now}.`;
    else {
      out.ground('law.listen.length');
      const isJudged = out.ground('scar.a.generation').value !== 0;
      const judged = isJudged ? part`; ${plain(told(REPORTED))}` : plain('');
      out.say`${plain(told(NO))}: ${of(NOT_ALLOWED)}${judged}; ${now}.`;
    }
    return true;
  },
};

const STORED =
  '(?:home\\w*|disks?|drives?|ssd|swap|partition\\w*|folders?|director(?:y|ies)|files?|file ?systems?|volumes?|platten?|festplatten?|laufwerke?|ordner|\\w*verzeichnis\\w*|dateien?|dateisystem\\w*|discos?|carpetas?|directorios?|archivos?|particion\\w*|disques?|dossiers?|repertoires?|fichiers?|luks|machine|server|laptop|maquina|servidor|serveur|rechner)';
const CIPHERED =
  '(?:(?:un)?encrypt\\w*|luks|dm-crypt|fscrypt|ecryptfs|veracrypt|bitlocker|(?:un)?verschlussel\\w*|cifrad[oa]s?|encriptad[oa]s?|chiffre\\w*|crypte\\w*)';
const PATH = '(?<![\\w.])\\/[\\w./-]*';

/** Whether a disk or folder is encrypted. */
const ENCRYPTED: Fact = {
  asks: new RegExp(
    `\\b${CIPHERED}\\b.*(?:\\b${STORED}\\b|${PATH})|(?:\\b${STORED}\\b|${PATH}).*\\b${CIPHERED}\\b|\\bluks\\b`,
  ),
  not: /\b(?:desk|hostess|mails?|imap|sites?|website|certificat\w*|zertifikat\w*|connection\w*|verbindung\w*|traffic|tls|ssl|https|ports?|token|backups?|baseline|alerts?|passwor\w*|contrasena\w*|process\w*|ransom\w*|finding\w*)\b/,
  tell: none(
    said(
      'whether disks, partitions or folders are encrypted is not recorded; lsblk -f and cryptsetup status show it',
      'ob Platten, Partitionen oder Ordner verschlüsselt sind, ist nicht aufgezeichnet; lsblk -f und cryptsetup status zeigen es',
      'si los discos, particiones o carpetas están cifrados no está registrado; lsblk -f y cryptsetup status lo muestran',
      'si les disques, partitions ou dossiers sont chiffrés n’est pas enregistré ; lsblk -f et cryptsetup status le montrent',
    ),
    'desk vitals',
  ),
};

const LAW_FILE = said(
  'The law is in {file}, beside that file unless the path is absolute',
  'Das Gesetz ist in {file}, neben dieser Datei, wenn der Pfad nicht absolut ist',
  'La ley está en {file}, junto a ese archivo si la ruta no es absoluta',
  'La loi est dans {file}, à côté de ce fichier si le chemin n’est pas absolu',
);
const CONFIG = '(?:config\\w*|konfig\\w*|settings files?|desk\\.toml)';
const IN_USE =
  '(?:us(?:e|es|ing|ed)|read|reads|reading|load\\w*|active|path|benutz\\w*|nutz\\w*|verwend\\w*|lies\\w*|liest|gelesen|gelad\\w*|aktiv\\w*|pfad|usas?|usando|uso|utiliz\\w*|lees?|leyendo|cargad\\w*|ruta|utilis\\w*|lis|lit|charge\\w*|chemin)';

/** Which files hold the configuration and the law. */
const CONFIG_FILES: Fact = {
  asks: new RegExp(
    `\\b(?:which|what|where|welche\\w*|was|wo|que|cual\\w*|donde|quel\\w*|ou|show|zeig\\w*|muestra\\w*|montre\\w*)\\b.*(?:\\b${CONFIG}\\b.*\\b${IN_USE}\\b|\\b${IN_USE}\\b.*\\b${CONFIG}\\b)|^(?:where|wo|donde|ou)\\b.*\\b(?:your|deine?|tu|ta|the desk s|vom desk|des desk|del desk|du desk)\\b.*\\b${CONFIG}\\b|^(?:show|print|display|zeige?|muestra(?:me)?|montre)\\b.*\\b${CONFIG}[?!. ]*$`,
  ),
  not: /\b(?:keys?|options?|schlussel|claves?|cles?|errors?|wrong|valid|sshd?|nginx|apache|kernel|port|period|alerts?|packages?|process\w*|programs?|mail|site|changed|geandert|startup)\b/,
  tell(out, told) {
    sayGoalOf(out, 'config-file', out.language);
    out.say`${plain(told(LAW_FILE).replace('{file}', String(out.ground('config.law.file').value)))}.`;
    return true;
  },
};

const REVIEWED =
  '(?:(?:un)?approv\\w*|(?:un)?reviewed|(?:un)?confirmed|(?:un)?bestatig\\w*|aprueb\\w*|aprob\\w*|approuv\\w*|(?:un)?gepruft\\w*|genehmigt\\w*|freigegeben\\w*|aprobad[oa]s?|revisad[oa]s?|sin (?:aprobar|revisar)|confirmad[oa]s?|approuvee?s?|validee?s?|verifiee?s?|revues?)';
const A_BASELINE =
  '(?:baselines?|lineas? (?:de )?base|reference|ligne de base|generations?|generacion|grundlinie)';
const REVIEW = said(
  'A baseline is not approved but learned. What it learned by itself is to be reviewed, until desk baseline review --done; left to review now',
  'Eine Baseline wird nicht genehmigt, sondern gelernt. Was von selbst gelernt wurde, ist durchzusehen, bis desk baseline review --done; jetzt noch durchzusehen',
  'Una línea base no se aprueba, se aprende. Lo que aprendió por sí sola hay que revisarlo, hasta desk baseline review --done; por revisar ahora',
  'Une référence n’est pas approuvée mais apprise. Ce qu’elle a appris d’elle-même est à revoir, jusqu’à desk baseline review --done ; à revoir maintenant',
);

/** What it is that a baseline is not approved. */
const APPROVED: Fact = {
  asks: new RegExp(`\\b${A_BASELINE}\\b.*\\b${REVIEWED}\\b|\\b${REVIEWED}\\b.*\\b${A_BASELINE}\\b`),
  asksWhat: true,
  not: /\b(?:who|by whom|when|wer|von wem|wann|quien|cuando|qui|par qui|quand|list|programs?|programme?s?|programas?|process\w*|prozess\w*|proces\w*|deviat\w*|differ\w*|abweich\w*|entries|rows|findings?)\b/,
  tell(out, told) {
    out.say`${plain(told(REVIEW))}: ${out.ground('page.baseline.to_review')}.`;
    out.suggest('desk baseline review', 'desk baseline list');
    return true;
  },
};

const UNSOUND =
  '(?:tamper\\w*|valid|intact|verif(?:y|ies|ied)|manipul\\w*|integrity|corrupt\\w*|forged|gultig|unversehrt|verfalscht|integr[oa]|valida|intacta|alterad[oa]|valide|intacte?|falsifiee?)';
const SOUND = said(
  'Findings of the check baseline-tampered',
  'Befunde der Prüfung baseline-tampered',
  'Hallazgos de la comprobación baseline-tampered',
  'Constats du contrôle baseline-tampered',
);
const DIGEST = said(
  'the digest of the held generation is verified at the start and every hour',
  'die Prüfsumme der gültigen Generation wird beim Start und jede Stunde geprüft',
  'el resumen de la generación vigente se verifica al inicio y cada hora',
  'l’empreinte de la génération en vigueur est vérifiée au démarrage et chaque heure',
);

/** Whether the baseline was changed by others. */
const TAMPERED: Fact = {
  asks: new RegExp(`\\b${A_BASELINE}\\b.*\\b${UNSOUND}\\b|\\b${UNSOUND}\\b.*\\b${A_BASELINE}\\b`),
  not: /\b(?:how|what does|mean\w*|finding [\da-f]{16}|wie|bedeutet|como|comment|check\b)\b/,
  tell(out, told) {
    out.say`${plain(told(SOUND))}: ${out.ground('detection.findings[check=baseline-tampered].length')}; ${plain(told(DIGEST))}.`;
    out.suggest('desk baseline list');
    return true;
  },
};

const OWN_USER = said(
  'The desk runs as',
  'Der Desk läuft als',
  'El desk se ejecuta como',
  'Le desk tourne en tant que',
);
const NO_OWN_USER = said(
  'its own process is not among those that were read; desk doctor shows what it may do',
  'sein eigener Prozess ist nicht unter den gelesenen; desk doctor zeigt, was er darf',
  'su propio proceso no está entre los leídos; desk doctor muestra qué puede hacer',
  'son propre processus n’est pas parmi ceux qui ont été lus ; desk doctor montre ce qu’il peut',
);
const ITSELF = '(?:(?:the |der |el |le )?(?:desk|hostess)|you|du|tu|yourself)';
const RUNS = '(?:run|runs|running|lauft|laufst|laufen|corre|corres|ejecuta|ejecutas|tourne|tournes|tourner)';
const AS = '(?:as|under|als|unter|como|bajo|en|sous|comme)';
const USER =
  '(?:root|(?:which |what |welche[mr]? |que |quel )?(?:user|account|benutzer|konto|usuario|cuenta|utilisateur|compte))';

/** As which user the desk runs. */
const RUNS_AS: Fact = {
  asks: new RegExp(
    `\\b${ITSELF} (?:\\w+ )?${RUNS} (?:\\w+ )?${AS} ${USER}\\b|\\b${RUNS} (?:el |le |der )?(?:desk|du|tu) ${AS} ${USER}\\b|\\b${AS} ${USER} (?:do|does|lauft|laufst|corres?|tournes?|se ejecuta)\\b.*\\b${ITSELF}\\b`,
  ),
  not: /\b(?:why|need\w*|must|should|can|could|have to|warum|muss|soll|kann|braucht|por que|debe|puede|necesita|pourquoi|doit|peut|faut)\b/,
  tell(out, told, { context }) {
    const row = `processes[pid=${context.read('charge.forever.pid')}]`;
    const uid = out.read<number>(`${row}.uid`);
    out.suggest('desk doctor');
    if (uid === undefined) {
      out.say`${plain(unknown(told, NO_OWN_USER))}.`;
      return false;
    }
    const name = `users[uid=${uid}].name`;
    const user = out.read(name) === undefined ? plain('uid') : out.ground(name);
    out.say`${plain(told(OWN_USER))} ${user} (${out.ground(`${row}.uid`)}, pid ${out.ground('charge.forever.pid')}).`;
    return true;
  },
};

export const OWN_FACTS: readonly Fact[] = [
  ...[QUIET, LOOKED, PURPOSE, COVERS, MAY_LISTEN],
  ...[ENCRYPTED, CONFIG_FILES, APPROVED, TAMPERED, RUNS_AS],
];
