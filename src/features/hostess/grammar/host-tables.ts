/** Tables of the machine as it is set up: accounts, what starts by itself, files of packages, the certificate of the site. */
import { type Asked, both, is, said, type Trait } from './table.ts';

/** A trait that no path of a record can choose. */
const where = (query: string, words: Trait['words'], opposite?: string): Trait => ({
  query,
  words,
  step: null,
  ...(opposite !== undefined && { opposite }),
});

export const HOST_TABLES: Readonly<Record<string, Asked>> = {
  accounts: {
    noun: both(['account', 'accounts'], ['Konto', 'Konten'], ['cuenta', 'cuentas'], ['compte', 'comptes']),
    label: 'name',
    select: 'name, uid, login, rights, shell, last_login, last_from',
    root: null,
    rooted: [],
    orders: { newest: '-last_login' },
    facets: { user: 'name', shell: 'shell' },
    columns: ['last_login', 'shell', 'home', 'groups', 'keys', 'uid'],
    numbers: ['uid', 'keys'],
    user: ['name', 'name'],
    traits: {
      'can-log-in': where(
        'login is not none',
        said('that can log in', 'die sich anmelden können', 'que pueden entrar', 'qui peuvent se connecter'),
        'cannot-log-in',
      ),
      'cannot-log-in': where(
        'login is none',
        said(
          'that cannot log in',
          'die sich nicht anmelden können',
          'que no pueden entrar',
          'qui ne peuvent pas se connecter',
        ),
        'can-log-in',
      ),
      rights: where(
        'rights is not none',
        said(
          'with rights beyond their own files',
          'mit Rechten über die eigenen Dateien hinaus',
          'con derechos más allá de sus archivos',
          'avec des droits au-delà de leurs fichiers',
        ),
        'no-rights',
      ),
      'no-rights': where(
        'rights is none',
        said(
          'without rights beyond their own files',
          'ohne Rechte über die eigenen Dateien hinaus',
          'sin derechos más allá de sus archivos',
          'sans droits au-delà de leurs fichiers',
        ),
        'rights',
      ),
      sudo: where(
        'rights starts "sudo: "',
        said('with sudo rights', 'mit sudo-Rechten', 'con permisos de sudo', 'avec des droits sudo'),
        'no-sudo',
      ),
      'no-sudo': where(
        '(not rights starts "sudo: " and uid != 0)',
        said(
          'without sudo rights that are not root',
          'ohne sudo-Rechte, die nicht root sind',
          'sin permisos de sudo que no son root',
          'sans droits sudo et qui ne sont pas root',
        ),
        'sudo',
      ),
      'no-password': is(
        'password',
        'empty',
        said('without a password', 'ohne Passwort', 'sin contraseña', 'sans mot de passe'),
      ),
      'login-shell': where(
        'not (shell ends nologin or shell ends "/false" or shell ends "/sync")',
        said(
          'with a login shell',
          'mit einer Anmeldeshell',
          'con una shell de inicio de sesión',
          'avec un shell de connexion',
        ),
      ),
      'password-set': is(
        'password',
        'set',
        said('with a password', 'mit einem Passwort', 'con contraseña', 'avec un mot de passe'),
      ),
      'service-account': where(
        'uid > 0 and uid < 1000',
        said('of services', 'von Diensten', 'de servicios', 'de services'),
      ),
      'person-account': where(
        'uid >= 1000 and uid < 65534',
        said(
          'of people (uid from 1000)',
          'von Menschen (uid ab 1000)',
          'de personas (uid desde 1000)',
          'de personnes (uid à partir de 1000)',
        ),
      ),
      'never-logged-in': where(
        'last_login is none',
        said(
          'without a recorded login',
          'ohne aufgezeichnete Anmeldung',
          'sin ninguna entrada registrada',
          'sans connexion enregistrée',
        ),
      ),
      'by-password': where(
        'login contains password',
        said(
          'that log in with a password',
          'die sich mit Passwort anmelden',
          'que entran con contraseña',
          'qui se connectent par mot de passe',
        ),
      ),
      locked: is(
        'password',
        'locked',
        said(
          'whose password is locked',
          'mit gesperrtem Passwort',
          'con la contraseña bloqueada',
          'au mot de passe verrouillé',
        ),
      ),
      'expired-account': where(
        'expired',
        said('that have expired', 'die abgelaufen sind', 'que han caducado', 'qui ont expiré'),
      ),
      keys: where(
        'keys > 0',
        said('with SSH keys', 'mit SSH-Schlüsseln', 'con llaves SSH', 'avec des clés SSH'),
      ),
    },
  },
  startup: {
    noun: both(
      ['startup entry', 'startup entries'],
      ['Starteintrag', 'Starteinträge'],
      ['entrada de inicio', 'entradas de inicio'],
      ['entrée de démarrage', 'entrées de démarrage'],
    ),
    label: 'path',
    select: 'path, place, name, runs, user, when, vouched, package, severity, changed',
    root: null,
    rooted: [],
    orders: { newest: '-changed', oldest: 'changed', worst: '-severity' },
    facets: { user: 'user', severity: 'severity', place: 'place', voucher: 'vouched' },
    columns: ['changed', 'runs', 'vouched'],
    numbers: [],
    user: ['user', 'name'],
    traits: {
      unvouched: where(
        'vouched in (none, changed)',
        said(
          'that no package vouches for',
          'für die kein Paket bürgt',
          'sin paquete que responda',
          'sans garant',
        ),
        'vouched',
      ),
      vouched: where(
        'not vouched in (none, changed)',
        said(
          'that something vouches for',
          'für die etwas bürgt',
          'con paquete que responde',
          'avec un garant',
        ),
        'unvouched',
      ),
      cron: where(
        // A variable of a crontab is an entry, and no job.
        '(place contains cron or place = "at-job") and not place = "cron-access" and not when = "for every job of this file"',
        said('of cron', 'von cron', 'de cron', 'de cron'),
      ),
      boot: where(
        '(when contains "at boot" or when contains "@reboot" or path contains ".wants/" or path contains ".requires/")',
        said('at boot', 'beim Booten', 'al arrancar', 'au boot'),
      ),
      'at-login': where(
        '(when contains "logs in" or when contains "login")',
        said('at login', 'bei der Anmeldung', 'al iniciar sesión', 'à la connexion'),
      ),
      enabled: where(
        '(path contains ".wants/" or path contains ".requires/")',
        said(
          'enabled in systemd',
          'in systemd aktiviert',
          'de arranque habilitado en systemd',
          'à démarrage activé dans systemd',
        ),
      ),
      timer: where(
        'path ends ".timer"',
        said('that are timers', 'die Timer sind', 'que son timers', 'qui sont des timers'),
      ),
      'set-uid': where(
        'place = "privileged-program"',
        said(
          'with set-user-ID, set-group-ID or capabilities',
          'mit set-user-ID, set-group-ID oder Capabilities',
          'con set-user-ID, set-group-ID o capabilities',
          'avec set-user-ID, set-group-ID ou capabilities',
        ),
      ),
      systemd: where(
        'place starts systemd',
        said('of systemd', 'von systemd', 'de systemd', 'de systemd'),
        'no-systemd',
      ),
      'no-systemd': where(
        'not place starts systemd',
        said('not of systemd', 'nicht von systemd', 'que no son de systemd', 'hors systemd'),
        'systemd',
      ),
    },
  },
  packages: {
    noun: both(
      ['file that differs from its package', 'files that differ from their packages'],
      ['Datei, die von ihrem Paket abweicht', 'Dateien, die von ihren Paketen abweichen'],
      ['archivo que difiere de su paquete', 'archivos que difieren de sus paquetes'],
      ['fichier qui diffère de son paquet', 'fichiers qui diffèrent de leurs paquets'],
    ),
    label: 'path',
    select: 'path, package, version, severity, changed',
    root: null,
    rooted: [],
    orders: { newest: '-changed', oldest: 'changed', worst: '-severity' },
    facets: { severity: 'severity', package: 'package' },
    columns: ['changed'],
    numbers: [],
    user: null,
    traits: {},
  },
  certificates: {
    noun: both(
      ['certificate', 'certificates'],
      ['Zertifikat', 'Zertifikate'],
      ['certificado', 'certificados'],
      ['certificat', 'certificats'],
    ),
    label: 'subject',
    select: 'subject, issuer, valid_to, days, verified, problem',
    root: null,
    rooted: [],
    orders: {},
    facets: {},
    columns: ['valid_to', 'days', 'issuer', 'names', 'verified'],
    numbers: ['days'],
    user: null,
    traits: {},
  },
};
