/** Whether a program is installed, in which version, and whether it runs. */
import type { Installed, InstalledPackage } from '../../../desk/packages.ts';
import { valueText } from '../../../query/text.ts';
import { type AnswerBuilder, type Plain, part, plain } from '../answer-builder.ts';
import { otherNamesOf } from '../families.ts';
import { type Said, said } from '../grammar/tables.ts';
import { installedAsked } from '../installed-asked.ts';
import type { Intent, Query } from '../intent.ts';
import { writtenIn } from '../knowledge.ts';
import { quoted } from '../paths.ts';
import type { Named } from '../process-rows.ts';

const MOST_SHOWN = 3;

/** What programs are called in packages. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  docker: ['docker.io', 'docker-ce', 'docker-engine', 'moby-engine'],
  node: ['nodejs'],
  'node.js': ['nodejs'],
  chrome: ['google-chrome-stable', 'google-chrome'],
  'google-chrome': ['google-chrome-stable'],
  postgres: ['postgresql'],
  apache: ['apache2', 'httpd'],
  httpd: ['apache2'],
  ssh: ['openssh-client', 'openssh-server', 'openssh'],
  sshd: ['openssh-server', 'openssh'],
  mysql: ['mysql-server', 'default-mysql-server'],
  mariadb: ['mariadb-server'],
  redis: ['redis-server'],
  java: ['default-jre', 'default-jdk', 'openjdk'],
  go: ['golang', 'golang-go'],
  vscode: ['code'],
  bind: ['bind9'],
  cups: ['cups-daemon'],
};

const bare = (name: string): string => name.toLowerCase().replace(/:\w+$/, '');
/** "gcc-12", "python3", "postgresql-15" are the program in a version. */
const isVersionOf = (name: string, program: string): boolean =>
  name === program || (name.startsWith(program) && /^-?\d[\d.]*$/.test(name.slice(program.length)));

interface Found {
  readonly found: readonly InstalledPackage[];
  readonly related: readonly InstalledPackage[];
  readonly total: number;
}

/** Packages of a program, and others that have its name as a part of theirs. */
export function foundIn({ packages }: Installed, name: string): Found {
  const names = [name, ...(CALLED[name] ?? [])];
  const found = packages.filter((one) => names.some((program) => isVersionOf(bare(one.name), program)));
  // The program itself before its versions.
  const sorted = [...found].sort((a, b) => a.name.length - b.name.length);
  const related = packages.filter(
    (one) =>
      !found.includes(one) &&
      bare(one.name)
        .split(/[-_.+]/)
        .includes(name),
  );
  return {
    found: sorted.slice(0, MOST_SHOWN),
    related: related.slice(0, MOST_SHOWN),
    total: packages.length,
  };
}

const UNKNOWN = said('I do not know', 'Das weiß ich nicht', 'No lo sé', 'Je ne sais pas');
const UNREAD = said(
  'which packages are installed could not be read',
  'welche Pakete installiert sind, war nicht zu lesen',
  'no se pudo leer qué paquetes están instalados',
  'les paquets installés n’ont pas pu être lus',
);
const NO_TIME = said(
  'when and by whom a package was installed, updated or removed is not recorded',
  'wann ein Paket installiert, aktualisiert oder entfernt wurde, ist nicht aufgezeichnet',
  'cuándo se instaló, actualizó o quitó un paquete no está registrado',
  'quand un paquet a été installé, mis à jour ou retiré n’est pas enregistré',
);
const NONE = said('No package called', 'Kein Paket namens', 'Ningún paquete llamado', 'Aucun paquet nommé');
const IS_NOT = said('is installed', 'ist installiert', 'está instalado', 'n’est installé');
const WITHOUT = said(
  'what came without a package is not listed',
  'was ohne Paket kam, ist nicht verzeichnet',
  'lo que llegó sin paquete no figura',
  'ce qui est venu sans paquet n’est pas listé',
);
const NEAR = said('Nearest packages', 'Ähnliche Pakete', 'Paquetes parecidos', 'Paquets proches');
const NO_PACKAGE = said('Not as a package', 'Nicht als Paket', 'No como paquete', 'Pas en tant que paquet');
const RUNS = said('It runs now', 'Es läuft jetzt', 'Se ejecuta ahora', 'Il tourne maintenant');
const RUNNING = said('but this runs', 'aber es läuft', 'pero se ejecuta', 'mais ceci tourne');
const STILL = said(
  'no process of that name runs now',
  'kein Prozess dieses Namens läuft jetzt',
  'ahora no se ejecuta ningún proceso con ese nombre',
  'aucun processus de ce nom ne tourne maintenant',
);
const VERSION = said(
  'its version is not known',
  'die Version ist nicht bekannt',
  'su versión no se conoce',
  'sa version n’est pas connue',
);
const COUNT = said(
  'packages are installed',
  'Pakete sind installiert',
  'paquetes están instalados',
  'paquets sont installés',
);
const NO_LIST = said(
  'Their names are not listed here: ask for one of them, or dpkg -l or rpm -qa lists all',
  'Ihre Namen werden hier nicht aufgezählt: fragen Sie nach einem davon; dpkg -l oder rpm -qa zählt alle auf',
  'Sus nombres no se enumeran aquí: pregunte por uno; dpkg -l o rpm -qa los enumera todos',
  'Leurs noms ne sont pas listés ici : demandez-en un ; dpkg -l ou rpm -qa les liste tous',
);
const YES = said('Yes', 'Ja', 'Sí', 'Oui');

/** What runs of a program, by its name or another one that it has. */
function processNamed({ processes }: Query['context'], name: string): Named | null {
  const names = [name, ...processes.versions(name), ...otherNamesOf(name)];
  return names.flatMap((one) => processes.named([one]))[0] ?? null;
}

/** The processes of the program that was asked for: the next question may be whether it runs. */
export function processesOf({ context, question }: Query): string | null {
  const name = installedAsked(question.text)?.name ?? null;
  if (name === null) return null;
  const [column, value] = processNamed(context, name) ?? ['comm', name];
  return `processes where ${column} = ${valueText(value)}`;
}

/** A running program of the name; null without one. */
function running(out: AnswerBuilder, { context }: Query, name: string): Plain | null {
  const one = processNamed(context, name);
  if (one === null) return null;
  const row = `processes[${one[0]}=${quoted(one[1])}][0]`;
  const path = out.read(`${row}.executable`) ? part`${out.ground(`${row}.executable`)} ` : plain('');
  return part`${path}(pid ${out.ground(`${row}.pid`)})`;
}

const list = (out: AnswerBuilder, path: string): Plain =>
  out.join(
    out
      .rows(path, MOST_SHOWN)
      .map((row) => part`${out.ground(`${row}.name`)} ${out.ground(`${row}.version`)}`),
  );

const NOTHING: Installed = { packages: [], unread: [], trouble: '' };

export const installed: Intent = {
  id: 'installed',
  score: ({ question, context, installed: known, found: compared }) => {
    const wanted = installedAsked(question.text);
    if (wanted === null) return 0;
    // The comparison of their files has counted them too.
    if (
      (wanted.wants === 'count' || wanted.wants === 'list') &&
      (known ?? NOTHING).packages.length === 0 &&
      compared !== null
    )
      return 0;
    const { name, isSaid } = wanted;
    if (isSaid || name === null) return 96;
    const { found, related } = foundIn(known ?? NOTHING, name);
    return found.length + related.length + context.processes.named([name]).length > 0 ? 96 : 0;
  },
  answer(out, asked) {
    const told = (texts: Said): Plain => plain(texts[out.language]);
    const { name, wants } = installedAsked(asked.question.text) ?? { name: null, wants: 'when' as const };
    const isOfAll = wants === 'count' || wants === 'list';
    if (isOfAll && asked.installed && asked.installed.packages.length > 0) {
      out.put('installed', foundIn(asked.installed, ''));
      out.say`${out.ground('installed.total')} ${told(COUNT)}.`;
      if (wants === 'list') out.say`${told(NO_LIST)}.`;
      return true;
    }
    if (isOfAll) {
      out.say`${told(UNKNOWN)}: ${told(UNREAD)}.`;
      return false;
    }
    if (wants === 'when' || name === null) {
      out.say`${told(UNKNOWN)}: ${told(NO_TIME)}.`;
      out.suggest('desk packages');
      return false;
    }
    const runs = running(out, asked, name);
    const known = asked.installed ?? null;
    if (known === null || known.trouble !== '' || known.packages.length === 0) {
      out.say`${told(UNKNOWN)}: ${told(UNREAD)}.`;
      if (runs !== null) out.say`${told(RUNS)}: ${runs}.`;
      return false;
    }
    out.put('installed', foundIn(known, name));
    const total = out.ground('installed.total');
    if (out.read('installed.found.length') !== 0) {
      const found = list(out, 'installed.found');
      if (wants === 'version') out.say`${found}.`;
      else out.say`${told(YES)}: ${found}.`;
      if (runs !== null) out.say`${told(RUNS)}: ${runs}.`;
      else out.say`${plain(capital(STILL[out.language]))}.`;
      return true;
    }
    const quote = plain(`"${writtenIn(asked.question.text, name) ?? name}"`);
    const none = part`${told(NONE)} ${quote} ${told(IS_NOT)} (${total})`;
    if (runs !== null) {
      const version = wants === 'version' ? part`; ${told(VERSION)}` : plain('');
      out.say`${told(NO_PACKAGE)}: ${none}, ${told(RUNNING)}: ${runs}${version}.`;
      return true;
    }
    const isSure = known.unread.length === 0;
    const near =
      out.read('installed.related.length') === 0
        ? plain('')
        : part` ${told(NEAR)}: ${list(out, 'installed.related')}.`;
    // A program may be here without a package: no flat no.
    const begin = isSure ? none : part`${told(UNKNOWN)}: ${none}`;
    out.say`${begin}, ${told(STILL)}; ${told(WITHOUT)}.${near}`;
    return isSure && wants !== 'version';
  },
};

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
