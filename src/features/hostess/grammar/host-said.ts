/** Says answers about logins, passwords, SSH, what a program is for, its package, and when it was started. */
import { type Plain, part, plain } from '../answer-builder.ts';
import type { Plan } from './plan.ts';
import { MOST_SHOWN, ROOT } from './sentences.ts';
import { SpanTelling } from './span-said.ts';

const SECOND = 'second';

export class HostTelling extends SpanTelling {
  override say(near: string | null = null): boolean {
    const { notes, language } = this.plan;
    if (notes?.first !== undefined) this.out.say`${plain(notes.first[language])}.`;
    const known = super.say(near);
    const isAlways = this.plan.kind === 'counted' || this.plan.kind === 'password';
    if (notes?.last !== undefined && (isAlways || this.total > 0))
      this.out.say`${plain(notes.last[language])}.`;
    return known;
  }

  protected override kind(kind: Plan['kind']): boolean {
    switch (kind) {
      case 'logins':
        return this.#logins();
      case 'password':
        return this.#password();
      case 'ssh-login':
        return this.#sshLogin();
      case 'purpose':
        return this.#purpose();
      case 'package-of':
        return this.#packageOf();
      case 'restarted':
        return this.#restarted();
      case 'shared-uid':
        return this.#sharedUid();
      case 'every':
        return this.#every();
      case 'noted':
        return false;
      case 'file-changed':
        return this.#fileChanged();
      default:
        return super.kind(kind);
    }
  }

  #logins(): boolean {
    const { rows } = this.record;
    if (rows.length === 0) {
      this.out
        .say`${this.p('No login is recorded', 'Keine Anmeldung ist aufgezeichnet', 'No hay ninguna entrada registrada', 'Aucune connexion n’est enregistrée')}${this.#named()} (${this.totalGround()}).`;
      return false;
    }
    const list = rows.slice(0, MOST_SHOWN).map((_, at) => {
      const from = this.has(at, 'last_from')
        ? part`, ${this.p('from', 'von', 'desde', 'depuis')} ${this.cell(at, 'last_from')}`
        : plain('');
      return part`${this.cell(at, 'name')}: ${this.cell(at, 'last_login')}${from}`;
    });
    this.out
      .say`${this.p('Last login', 'Letzte Anmeldung', 'Última entrada', 'Dernière connexion')}: ${plain(list.map(({ text }) => text).join('; '))}.`;
    return false;
  }

  #sharedUid(): boolean {
    const shared = this.record.rows.flatMap((row, at) => (Number(row['count()']) > 1 ? [at] : []));
    const total = this.out.ground(`${ROOT}.total`);
    if (shared.length === 0) {
      this.out
        .say`${this.no}: ${this.p('no two accounts have the same uid', 'keine zwei Konten haben dieselbe uid', 'no hay dos cuentas con el mismo uid', 'aucun compte ne partage son uid')} (${total}).`;
      return true;
    }
    const list = shared.map((at) => {
      const count = this.out.ground(`${ROOT}.rows[${at}].count()`);
      return part`uid ${this.out.ground(`${ROOT}.rows[${at}].uid`)}: ${count} ${this.noun(Number(count.value))}`;
    });
    this.out.say`${plain(list.map(({ text }) => text).join('; '))}.`;
    return true;
  }

  /** The rows are those that do not have it. */
  #every(): boolean {
    const total = this.totalGround();
    if (this.record.undecided.rows > 0) {
      this.out.say`${this.unknown} (${total}).`;
      return false;
    }
    if (this.total === 0) {
      this.out
        .say`${this.yes} (${total}): ${this.p('all are', 'alle sind', 'todas son', 'tous sont')} ${this.noun(2)}${this.conditions()}.`;
      return true;
    }
    this.out
      .say`${this.no}: ${total} ${this.p('are not', 'sind es nicht', 'no lo son', 'ne le sont pas')}${this.conditions()}: ${this.rows()}.`;
    return true;
  }

  #named(): Plain {
    const { name } = this.plan;
    return name === null ? plain('') : part` ${this.p('of', 'von', 'de', 'de')} ${plain(name)}`;
  }

  #password(): boolean {
    if (this.record.rows.length === 0) {
      this.list(false);
      return false;
    }
    const password = this.has(0, 'password') ? part`${this.cell(0, 'password')}` : plain('');
    const name = this.cell(0, 'name');
    const set = this.has(0, 'password_set')
      ? part`, ${this.p('set on', 'gesetzt am', 'puesta el', 'défini le')} ${this.cell(0, 'password_set')}`
      : this.plan.column === 'password_set'
        ? this.p(
            ', when it was set is not recorded',
            ', wann es gesetzt wurde, ist nicht aufgezeichnet',
            ', cuándo se puso no está registrado',
            ', quand il a été défini n’est pas enregistré',
          )
        : plain('');
    switch (this.record.rows[0]?.password) {
      case 'set':
        this.out
          .say`${this.plan.column === 'password_set' ? plain('') : part`${this.yes}: `}${name} ${this.p('has a password', 'hat ein Passwort', 'tiene contraseña', 'a un mot de passe')}${set}.`;
        return true;
      case 'locked':
        this.out
          .say`${this.no}: ${this.p('the password of', 'das Passwort von', 'la contraseña de', 'le mot de passe de')} ${name} ${this.p('is locked, none is accepted', 'ist gesperrt, keines wird angenommen', 'está bloqueada, no se acepta ninguna', 'est verrouillé, aucun n’est accepté')} (${password}).`;
        return true;
      case 'empty':
        this.out
          .say`${this.no}: ${this.p('the password of', 'das Passwort von', 'la contraseña de', 'le mot de passe de')} ${name} ${this.p('is empty, none is asked for', 'ist leer, es wird keines verlangt', 'está vacía, no se pide ninguna', 'est vide, aucun n’est demandé')} (${password}).`;
        return true;
      default:
        this.out
          .say`${this.unknown}: ${this.p('the password entry could not be read', 'der Eintrag des Passworts war nicht lesbar', 'la entrada de la contraseña no se pudo leer', 'l’entrée du mot de passe n’a pas pu être lue')} (${name}).`;
        return false;
    }
  }

  /** What an account has to log in with, and what the settings of the SSH server say. */
  #sshLogin(): boolean {
    if (this.second !== null) {
      this.out.put(SECOND, this.second);
      if (!this.#sshAccount()) return false;
    }
    const { rows } = this.record;
    const login = this.second?.rows[0]?.login;
    const isByKeys = Array.isArray(login) && login.length > 0 && !login.includes('password');
    // What it says of passwords is no matter then.
    if (rows.length === 0 && isByKeys && this.plan.name !== 'root') return true;
    if (rows.length === 0) {
      this.out
        .say`${this.p('No line of the SSH server’s configuration that was read sets', 'Keine gelesene Zeile der Konfiguration des SSH-Servers setzt', 'Ninguna línea leída de la configuración del servidor SSH fija', 'Aucune ligne lue de la configuration du serveur SSH ne règle')} ${plain(String(this.plan.column))} (${this.out.ground(`${ROOT}.total`)}): ${this.p('then its own default holds, which is not read; sshd -T shows it', 'dann gilt seine Vorgabe, die nicht gelesen wird; sshd -T zeigt sie', 'entonces vale su valor por defecto, que no se lee; sshd -T lo muestra', 'alors sa valeur par défaut vaut, qui n’est pas lue ; sshd -T la montre')}.`;
      return this.second !== null;
    }
    const list = rows
      .slice(0, MOST_SHOWN)
      .map((_, at) => part`${this.cell(at, 'runs')} (${this.cell(at, 'path')})`);
    this.out
      .say`${this.p('The SSH server is set to', 'Der SSH-Server ist eingestellt auf', 'El servidor SSH tiene', 'Le serveur SSH est réglé sur')}: ${this.join(list, rows.length > MOST_SHOWN)}.`;
    return true;
  }

  /** False where there is no such account. */
  #sshAccount(): boolean {
    const row = this.second?.rows[0];
    const name = plain(String(this.plan.name));
    if (row === undefined) {
      this.out
        .say`${this.no} (${this.out.ground(`${SECOND}.total`)}): ${this.p('there is no account called', 'es gibt kein Konto namens', 'no hay ninguna cuenta llamada', 'il n’y a pas de compte nommé')} ${name}.`;
      return false;
    }
    // What is none is left out of a row.
    const at = (column: string) =>
      row[column] === undefined || row[column] === null
        ? this.p('unknown', 'unbekannt', 'desconocido', 'inconnu')
        : this.out.ground(`${SECOND}.rows[0].${column}`);
    const { login } = row;
    if (login === null) {
      this.out
        .say`${this.unknown}: ${this.p('how', 'wie', 'cómo', 'comment')} ${at('name')} ${this.p('can log in could not be read', 'sich anmelden kann, war nicht lesbar', 'puede entrar no se pudo leer', 'peut se connecter n’a pas pu être lu')}.`;
      return true;
    }
    if (Array.isArray(login) && login.length === 0) {
      this.out
        .say`${this.plan.denied ? this.yes : this.no}: ${at('name')} ${this.p('has nothing to log in with', 'hat nichts zum Anmelden', 'no tiene con qué entrar', 'n’a rien pour se connecter')} (${this.p('password', 'Passwort', 'contraseña', 'mot de passe')}: ${at('password')}; ${this.p('SSH keys', 'SSH-Schlüssel', 'llaves SSH', 'clés SSH')}: ${at('keys')}).`;
      return true;
    }
    const isForbidden = this.#isForbidden(login);
    // By password was asked, and it has none.
    const hasNone = this.plan.conditions.length > 0 && Array.isArray(login) && !login.includes('password');
    const head = hasNone
      ? this.heads()[1]
      : this.plan.denied
        ? isForbidden
          ? this.yes
          : this.p('Not by the account', 'Nicht durch das Konto', 'No por la cuenta', 'Pas par le compte')
        : isForbidden
          ? this.p(
              'No, as its server is set',
              'Nein, so ist sein Server eingestellt',
              'No, así está configurado su servidor',
              'Non, d’après le réglage de son serveur',
            )
          : this.p(
              'Yes, as far as the account goes',
              'Ja, soweit es am Konto liegt',
              'Sí, en lo que toca a la cuenta',
              'Oui, pour ce qui est du compte',
            );
    this.out
      .say`${head}: ${at('name')} ${this.p('logs in with', 'meldet sich an mit', 'entra con', 'se connecte avec')} ${at('login')}.`;
    return true;
  }

  /** Whether one line alone forbids it: of several, those of a Match block may not hold. */
  #isForbidden(login: unknown): boolean {
    const lineOf = (key: string): string | null => {
      const all = this.record.rows.map(({ runs }) => String(runs)).filter((runs) => runs.includes(key));
      return all.length === 1 ? (all[0] ?? null) : null;
    };
    const isNo = (key: string): boolean => new RegExp(`${key}\\s+no\\b`, 'i').test(lineOf(key) ?? '');
    const isOnlyPassword = Array.isArray(login) && login.length === 1 && login[0] === 'password';
    return (
      (this.plan.name === 'root' && isNo('PermitRootLogin')) ||
      (isOnlyPassword && isNo('PasswordAuthentication'))
    );
  }

  #purpose(): boolean {
    const second = this.second;
    this.out.put(SECOND, second);
    const name = plain(`"${String(this.plan.name)}"`);
    const processes = second?.rows ?? [];
    if (this.record.rows.length > 0)
      this.out.say`${this.p('Account', 'Konto', 'Cuenta', 'Compte')}: ${this.row(0)}.`;
    if (processes.length > 0) {
      const at = (place: number, column: string) => this.out.ground(`${SECOND}.rows[${place}].${column}`);
      const [first] = processes;
      const isKernel = first?.kind === 'kernel';
      const path =
        typeof first?.executable === 'string' && first.executable !== ''
          ? part`, ${at(0, 'executable')}`
          : plain('');
      const user =
        typeof first?.uid === 'number' ? part`, ${this.userNamed(first.uid, at(0, 'uid'))}` : plain('');
      const kernel = isKernel
        ? this.p(
            ', a thread of the kernel',
            ', ein Thread des Kernels',
            ', un hilo del kernel',
            ', un thread du noyau',
          )
        : plain('');
      if (isKernel) at(0, 'kind');
      const more = processes.length > 1 ? part` (${this.out.ground(`${SECOND}.total`)})` : plain('');
      this.out
        .say`${this.p('Process', 'Prozess', 'Proceso', 'Processus')}${more}: ${at(0, 'comm')} (pid ${at(0, 'pid')}${path}${user}${kernel}).`;
    }
    if (this.record.rows.length + processes.length > 0) return false;
    this.out
      .say`${this.p('There is no account and no process called', 'Es gibt kein Konto und keinen Prozess namens', 'No hay ninguna cuenta ni proceso con el nombre', 'Il n’y a ni compte ni processus nommé')} ${name} (${this.out.ground(`${ROOT}.total`)}).`;
    return false;
  }

  #packageOf(): boolean {
    this.out.put(SECOND, this.second);
    const { rows } = this.record;
    const isOwn = rows.findIndex(({ path }) => path === this.plan.name);
    if (isOwn >= 0) {
      this.out.say`${this.cell(isOwn, 'package')}: ${this.row(isOwn)}.`;
      return true;
    }
    const [altered] = this.second?.rows ?? [];
    if (altered !== undefined) {
      const at = (column: string) => this.out.ground(`${SECOND}.rows[0].${column}`);
      this.out
        .say`${at('package')} ${at('version')}: ${at('path')} ${this.p('differs from it', 'weicht davon ab', 'difiere de él', 'en diffère')}.`;
      return true;
    }
    this.out
      .say`${this.unknown}: ${this.p('the package of a file is recorded only where the file starts something by itself, or differs from its package; dpkg -S or rpm -qf with its path shows it', 'das Paket einer Datei ist nur aufgezeichnet, wo sie etwas von selbst startet oder von ihrem Paket abweicht; dpkg -S oder rpm -qf mit ihrem Pfad zeigt es', 'el paquete de un archivo solo está registrado si arranca algo por sí solo o difiere de su paquete; dpkg -S o rpm -qf con su ruta lo muestra', 'le paquet d’un fichier n’est enregistré que s’il démarre quelque chose tout seul ou diffère de son paquet ; dpkg -S ou rpm -qf avec son chemin le montre')}.`;
    if (rows.length === 0) {
      this.out.ground(`${ROOT}.total`);
      return false;
    }
    this.out
      .say`${this.p('What starts it', 'Was es startet', 'Lo que lo inicia', 'Ce qui le démarre')}: ${this.rows()}.`;
    return false;
  }

  #fileChanged(): boolean {
    this.out.put(SECOND, this.second);
    const [altered] = this.second?.rows ?? [];
    if (altered !== undefined) {
      const at = (column: string) => this.out.ground(`${SECOND}.rows[0].${column}`);
      this.out
        .say`${this.yes}: ${at('path')} ${this.p('differs from its package', 'weicht von seinem Paket ab', 'difiere de su paquete', 'diffère de son paquet')} (${at('package')} ${at('version')}), ${this.columnWord('changed')} ${at('changed')}.`;
      return true;
    }
    if (this.record.rows.length > 0 && this.has(0, 'changed')) {
      this.out.say`${this.columnWord('changed')}: ${this.cell(0, 'changed')}, ${this.row(0)}.`;
      return true;
    }
    this.out
      .say`${this.unknown}: ${this.p('changes are recorded only of files that start something by themselves, or differ from their package', 'Änderungen sind nur bei Dateien aufgezeichnet, die etwas von selbst starten oder von ihrem Paket abweichen', 'los cambios solo se registran de archivos que arrancan algo por sí solos o difieren de su paquete', 'les changements ne sont enregistrés que pour les fichiers qui démarrent quelque chose tout seuls ou diffèrent de leur paquet')} (${this.out.ground(`${ROOT}.total`)}).`;
    return false;
  }

  /** When the process that runs now was started, and whether that was in the time that was asked for. */
  #restarted(): boolean {
    const { moment } = this.plan;
    const start = this.record.rows[0]?.start;
    if (moment === null || typeof start !== 'string') return this.when();
    const ms = Date.parse(start);
    const isIn =
      moment.how === 'until'
        ? ms < moment.ms
        : ms >= moment.ms && (moment.untilMs === null || ms < moment.untilMs);
    const isLater = !isIn && moment.untilMs !== null && ms >= moment.untilMs;
    // A start before the last one may have been in that time.
    const head = isIn ? this.yes : isLater ? this.unknown : this.no;
    this.out.say`${head}: ${this.row(0)}, ${this.columnWord('start')} ${this.cell(0, 'start')}.`;
    return true;
  }
}
