/** Facts of the desk itself: whether quiet time is on, when it last looked; what the machine serves, and what its certificate covers. */
import { part, plain } from '../answer-builder.ts';
import { said } from '../grammar/tables.ts';
import type { Fact } from './fact.ts';

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

export const OWN_FACTS: readonly Fact[] = [QUIET, LOOKED, PURPOSE, COVERS];
