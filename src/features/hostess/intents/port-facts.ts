/** Whether something may listen on a port where nothing does, and what is encrypted: what the rules say, and what is not read. */
import { plain } from '../answer-builder.ts';
import { said } from '../grammar/tables.ts';
import type { Query } from '../intent.ts';
import { type Fact, none } from './fact.ts';

const NOTHING = said(
  'Nothing listens on port {port} now',
  'Auf Port {port} lauscht jetzt nichts',
  'Nada escucha ahora en el puerto {port}',
  'Rien n’écoute sur le port {port} maintenant',
);
const IS_BANNED = said(
  'the law bans it',
  'das Gesetz verbietet ihn',
  'la ley lo prohíbe',
  'la loi l’interdit',
);
const IS_ALLOWED = said(
  'the law allows it ([[listen]])',
  'das Gesetz erlaubt ihn ([[listen]])',
  'la ley lo permite ([[listen]])',
  'la loi l’autorise ([[listen]])',
);
const BY_BASELINE = said(
  'no rule of the law bans or allows it: a listener there beyond loopback would be a finding, unless the baseline knows it',
  'keine Regel des Gesetzes verbietet oder erlaubt ihn: ein Listener dort über Loopback hinaus wäre ein Befund, außer die Baseline kennt ihn',
  'ninguna regla de la ley lo prohíbe ni lo permite: algo que escuche allí más allá de loopback sería un hallazgo, salvo que la línea base lo conozca',
  'aucune règle de la loi ne l’interdit ni ne l’autorise : une écoute au-delà de loopback y serait un constat, sauf si la baseline la connaît',
);

/** The one port that is named, where nothing listens. */
const idlePort = ({ question, reading, context }: Query): number | null => {
  const [port, ...more] = question.entities.ports;
  const [number, ...others] = reading.slots
    .filter(({ part }) => part === 'number')
    .map(({ value }) => Number(value));
  const named = port ?? number;
  const isOne = more.length === 0 && (others.length === 0 || port !== undefined);
  const isPort = named !== undefined && Number.isInteger(named) && named > 0 && named < 65_536;
  return isOne && isPort && !context.listeners.some((one) => one.port === named) ? named : null;
};

const PORT_ALLOWED: Fact = {
  asks: /^[¿ ]*(?:(?:is|are|may|can|would|does|darf|durfte|ist|ware|kann|esta|puede|es|est ce que|est|le port|el puerto|der port|port)\b.*\b(?:allow\w*|permit\w*|ok|okay|fine|legal|listen|open|offnen|lauschen|erlaubt\w*|zugelassen|zulassig|in ordnung|escuchar|abrir|permitid\w*|autoriz\w*|ecouter|ouvrir|autoris\w*|permis\w*))\b/,
  not: /\b(?:who|which|what|wer|welche\w*|quien|que programa|qui|is (?:port )?\d+ open|open\?|still open|ist (?:port )?\d+ offen|how|wie|como|comment|firewall|cortafuegos|pare feu|site|reachable|erreichbar)\b/,
  where: (asked) => MAY.test(asked.question.plain) && idlePort(asked) !== null,
  tell(out, told, asked) {
    const port = idlePort(asked) as number;
    const banned = out.read<readonly number[]>('law.banned') ?? [];
    const listen = out.read<readonly { readonly port?: number }[]>('law.listen') ?? [];
    out.say`${plain(told(NOTHING).replace('{port}', String(port)))} (${out.ground(`listeners[port=${port}].length`)}).`;
    const [at, allowed] = [banned.indexOf(port), listen.findIndex((one) => one.port === port)];
    if (at >= 0) out.ground(`law.banned[${at}]`);
    else if (allowed >= 0) out.ground(`law.listen[${allowed}].port`);
    out.say`${plain(capital(told(at >= 0 ? IS_BANNED : allowed >= 0 ? IS_ALLOWED : BY_BASELINE)))}.`;
    out.suggest('desk law show');
    return true;
  },
};
const MAY =
  /\b(?:allow\w*|permit\w*|may|darf|durfte|erlaubt\w*|zugelassen|zulassig|permitid\w*|puede|autoriz\w*|autoris\w*|permis\w*)\b/;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const ENCRYPTED: Fact = {
  asks: /\b(?:disks?|drives?|ssds?|home|homes|partitions?|volumes?|folders?|director(?:y|ies)|files?|filesystems?|swap|sd[a-z]\d?|nvme\w*|platten?|festplatten?|laufwerke?|verzeichnis\w*|ordner|dateien|partition(?:en)?|discos?|particion(?:es)?|carpetas?|archivos|disques?|dossiers?|fichiers)\b.*\b(?:encrypt\w*|verschlussel\w*|cifrad\w*|encriptad\w*|chiffr\w*|crypte\w*|luks)\b|\b(?:encrypt\w*|verschlussel\w*|cifrad\w*|encriptad\w*|chiffr\w*|crypte\w*)\b.*\b(?:disks?|drives?|home|homes|partitions?|platten?|festplatten?|discos?|disques?)\b/,
  not: /\b(?:site|website|certificate|tls|https|how (?:do|can|to)|wie (?:kann|verschlussele)|como (?:puedo|cifro)|comment|desk|hostess|you|your|baseline|database|store[ds]?)\b/,
  tell: none(
    said(
      'whether disks, folders or files are encrypted is not read; lsblk -f shows LUKS',
      'ob Platten, Ordner oder Dateien verschlüsselt sind, wird nicht gelesen; lsblk -f zeigt LUKS',
      'si los discos, carpetas o archivos están cifrados no se lee; lsblk -f muestra LUKS',
      'le chiffrement des disques, dossiers ou fichiers n’est pas lu ; lsblk -f montre LUKS',
    ),
    'desk vitals',
  ),
};

export const PORT_FACTS: readonly Fact[] = [PORT_ALLOWED, ENCRYPTED];
