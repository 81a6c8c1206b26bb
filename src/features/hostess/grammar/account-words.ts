/** Words between conditions of accounts, units and packages, in the form of `words.ts`. */
export const ACCOUNT_WORDS = `
table accounts: accts|acct|accs
  accounts|nutzerkonten
  ctas
  comptes utilisateurs
word not: anyone but|anybody but|someone but|somebody but|any user but|any account but|other users than|besides|beside|but no|but without|but cannot|but can t|but don t|but doesn t|but aren t|but isn t|but never|other than|w/o
  ausser noch|anderes als|anders als|anderer als|andere als|anderen als|abgesehen von
  ademas de|a parte de|aparte de|mas que
  a part|en dehors de|autre que|d autre que|d autre qu|autre qu|autres que|sauf|hormis|excepte
filler: anyone|anybody|somebody|someone|else|another|but have|but has|but are|but is|w/|w
  aber|jemand|irgendjemand|irgendwer|gibts|gibt s|habts|sonst|noch jemand|man
  pero|alguien|alguien mas|quien mas
  mais|quelqu un|quelqu un d|existent
trait systemd: unit|units|systemd timers
  unit|units|einheiten
  unidad|unidades
  unite|unites
trait person-account: human users|human accounts|real users|real accounts|regular users|normal users|non system users|non-system users|personal accounts|human user
  menschliche benutzer|menschliche nutzer|echte benutzer|echte nutzer|normale benutzer|normale nutzer|personliche konten
  usuarios humanos|usuarios reales|usuarios normales|cuentas personales|cuentas humanas
  utilisateurs humains|vrais utilisateurs|utilisateurs reels|utilisateurs normaux|comptes personnels
trait expired-account: account expired|accounts expired|accounts have expired|account has expired|accounts that have expired|accounts are expired|account is expired|expired users|users expired|users have expired
  konto abgelaufen|konten abgelaufen|konten sind abgelaufen|konto ist abgelaufen|abgelaufene benutzer|benutzer abgelaufen
  cuenta ha caducado|cuentas han caducado|cuentas caducaron|cuenta esta caducada|cuentas estan caducadas|usuarios caducados
  compte a expire|comptes ont expire|compte est expire|comptes sont expires|utilisateurs expires
trait rights: people have root access|people have root|people with root access|people have admin rights|people are admins|administrator|an administrator
  leute haben root-rechte|administrator|ein administrator
  personas tienen root|administradora|administrador|una administradora
  personnes ont les droits root|administratrice|administrateur
trait sudo: people have sudo|people with sudo|run sudo|allowed to run sudo|allowed to use sudo|able to sudo|sudo right|sudoer|in sudoers|in the sudoers|in the sudoers file|listed in sudoers|sudoers list|sudo users
  leute haben sudo|personen haben sudo|leute mit sudo|sudo ausfuhren|sudo verwenden|sudo-zugriff|sudo zugang|sudo-zugang|sudo berechtigung|sudo-berechtigung|sudo-recht|sudoer|in sudoers|in der sudoers|zu sudo berechtigt
  personas tienen sudo|hacer sudo|ejecutar sudo|utilizar sudo|privilegios de sudo|permiso de sudo|en sudoers|acceso a sudo
  personnes ont sudo|executer sudo|faire sudo|faire du sudo|se servir de sudo|privileges sudo|dans sudoers|acces a sudo|le droit d utiliser sudo
trait never-logged-in: never used|were never used|unused
  nie benutzt|nie benutzt wurden|unbenutzt|ungenutzt
  nunca usadas|nunca se usaron|sin usar
  jamais utilises|jamais servi|inutilises
trait can-log-in: allowed to use ssh|may use ssh|can use ssh|use ssh
  ssh benutzen|ssh nutzen|ssh verwenden
  usar ssh|utilizar ssh
  utiliser ssh
trait keys: keys are authorized|authorized ssh keys
  schlussel sind autorisiert
  llaves estan autorizadas|claves estan autorizadas
  cles sont autorisees
column last_login: logged on
  angemeldet
  se conecto
  s est il connecte|s est elle connectee|se sont ils connectes|s est on connecte
trait keys: with a key|with keys|with a ssh key|with an ssh key|by key|using a key|using keys|with key
  mit schlussel|mit schlusseln|mit einem schlussel|mit ssh schlussel|per schlussel|uber schlussel
  con llave|con llaves|con clave ssh|con una llave|con una clave ssh|por llave
  avec une cle|avec des cles|par cle|avec une cle ssh|par cle ssh
trait no-password: w/o password|w/o a password|but no password|but without a password|but without password|with no password
  aber kein passwort
  pero sin contrasena|y sin contrasena
  mais sans mot de passe|mais pas de mot de passe
trait by-password: password login
  passwort login
  acceso por contrasena
  connexion par mot de passe
trait locked: banned users|users are banned|banned accounts|accounts are banned|blocked users|users are blocked|blocked accounts|accounts are blocked|locked out
  gesperrte|ausgesperrt|gesperrte benutzer|gesperrte konten
  vetados|cuentas bloqueadas
  bannis|comptes bloques
filler: who of
  wer von
  quien de
  qui de
`;
