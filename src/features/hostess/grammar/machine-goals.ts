/** Goals that are about the machine rather than the desk: accounts, packages, the certificate, programs and ports. */
import { type Goal, row } from './goal.ts';
import { said } from './tables.ts';

export const MACHINE_GOALS: readonly Goal[] = [
  row('vouch', 'vouch', 'startup', {
    ...{ lines: ['desk startup --all', 'desk secure learn once'], command: 'startup' },
    note: said(
      'You cannot vouch by name: a package or the baseline vouches; learn the entry, or accept its finding',
      'Von Hand bürgen können Sie nicht: das tut ein Paket oder die Baseline; lernen Sie den Eintrag, oder nehmen Sie seinen Befund an',
      'No se puede avalar a mano: avala un paquete o la línea base; aprenda la entrada, o acepte su hallazgo',
      'On ne peut pas se porter garant soi-même : un paquet ou la référence le fait ; apprenez l’entrée, ou acceptez son constat',
    ),
  }),
  row('package-of', 'show', 'package owner_of', {
    ...{ outside: true, lines: ['desk packages'], command: 'packages' },
    note: said(
      'The desk does not answer that for one file; the package manager does: dpkg -S FILE or rpm -qf FILE',
      'Für eine einzelne Datei beantwortet der Desk das nicht; der Paketmanager schon: dpkg -S DATEI oder rpm -qf DATEI',
      'El desk no lo responde para un archivo; el gestor de paquetes sí: dpkg -S ARCHIVO o rpm -qf ARCHIVO',
      'Le desk ne le dit pas pour un fichier ; le gestionnaire de paquets si : dpkg -S FICHIER ou rpm -qf FICHIER',
    ),
  }),
  row('packages', 'show run', 'package', { lines: ['desk packages'], command: 'packages' }),
  row('lock-account', 'fix remove kill off', 'account', {
    ...{ outside: true, lines: ['desk accounts --all'], command: 'accounts' },
    note: said(
      'The desk changes no accounts: look with desk accounts who it is and what runs as it, then lock it with usermod -L NAME or remove its line with vipw',
      'Der Desk ändert keine Konten: sehen Sie mit desk accounts nach, wer es ist und was damit läuft, und sperren Sie es mit usermod -L NAME oder entfernen Sie die Zeile mit vipw',
      'El desk no cambia cuentas: mire con desk accounts quién es y qué ejecuta, y bloquéela con usermod -L NOMBRE o quite su línea con vipw',
      'Le desk ne change aucun compte : regardez avec desk accounts qui c’est et ce qu’il exécute, puis verrouillez-le avec usermod -L NOM ou retirez sa ligne avec vipw',
    ),
  }),
  row('accounts', 'show', 'account', { lines: ['desk accounts'], command: 'accounts' }),
  row('startup', 'show', 'startup', { lines: ['desk startup', 'desk startup --all'], command: 'startup' }),
  row('certificate', 'fix change', 'certificate', {
    ...{ outside: true, lines: ['desk public'], command: 'public' },
    note: said(
      'Renew it where your web server gets it, for example with certbot renew; the desk only probes it, and renews none but the one it makes for its remote listener',
      'Erneuern Sie es dort, wo Ihr Webserver es bekommt, etwa mit certbot renew; der Desk prüft es nur und erneuert allein das eigene seines Remote-Listeners',
      'Renuévelo donde su servidor web lo obtiene, por ejemplo con certbot renew; el desk solo lo sondea, y renueva únicamente el propio de su listener remoto',
      'Renouvelez-le là où votre serveur web l’obtient, par exemple avec certbot renew ; le desk ne fait que le sonder, et ne renouvelle que celui de son écoute distante',
    ),
  }),
  row('kill', 'kill remove', 'thing', {
    ...{ outside: true, lines: ['desk av close once'], command: 'av close' },
    note: said(
      'The desk ends only what listens on a banned port; end others yourself: systemctl stop NAME, or kill PID',
      'Der Desk beendet nur, was auf einem verbotenen Port lauscht; anderes beenden Sie selbst: systemctl stop NAME oder kill PID',
      'El desk solo termina lo que escucha en un puerto prohibido; termine lo demás usted: systemctl stop NOMBRE o kill PID',
      'Le desk n’arrête que ce qui écoute sur un port interdit ; arrêtez le reste vous-même : systemctl stop NOM ou kill PID',
    ),
  }),
  row('close-port', 'kill', 'port', {
    ...{ outside: true, keys: ['banned.also'] },
    note: said(
      'The desk closes only banned ports, and also = [{port}] under [banned] of desk.toml bans one; stop the program that holds another one',
      'Der Desk schließt nur verbotene Ports, und also = [{port}] unter [banned] in desk.toml verbietet einen; beenden Sie sonst das Programm, das ihn hält',
      'El desk solo cierra puertos prohibidos, y also = [{port}] bajo [banned] en desk.toml prohíbe uno; si es otro, detenga el programa que lo tiene',
      'Le desk ne ferme que les ports interdits, et also = [{port}] sous [banned] dans desk.toml en interdit un ; sinon, arrêtez le programme qui le tient',
    ),
  }),
  row('firewall', 'kill off', 'firewall', {
    ...{ outside: true, lines: ['desk findings'] },
    note: said(
      'The desk blocks no addresses and has no firewall; nftables or ufw do',
      'Der Desk sperrt keine Adressen und hat keine Firewall; das tun nftables oder ufw',
      'El desk no bloquea direcciones ni tiene cortafuegos; lo hacen nftables o ufw',
      'Le desk ne bloque pas d’adresses et n’a pas de pare-feu ; nftables ou ufw le font',
    ),
  }),
  row('rights', 'remove off fix change', 'rights', {
    ...{ outside: true, lines: ['desk accounts'], command: 'accounts' },
    note: said(
      'The desk changes no rights: desk accounts shows where they come from; take a user out of a group with gpasswd -d USER GROUP, or change the rule with visudo',
      'Der Desk ändert keine Rechte: desk accounts zeigt, woher sie kommen; nehmen Sie einen Benutzer mit gpasswd -d NAME GRUPPE aus einer Gruppe, oder ändern Sie die Regel mit visudo',
      'El desk no cambia derechos: desk accounts muestra de dónde vienen; saque a un usuario de un grupo con gpasswd -d USUARIO GRUPO, o cambie la regla con visudo',
      'Le desk ne change aucun droit : desk accounts montre d’où ils viennent ; retirez un utilisateur d’un groupe avec gpasswd -d NOM GROUPE, ou changez la règle avec visudo',
    ),
  }),
];

/** Before all that end programs. */
export const CLOSE_FINDING: Goal = row('close-finding', 'kill remove', 'finding', {
  ...{ lines: ['desk scar check', 'desk findings'], command: 'scar check' },
  note: said(
    'A finding closes by itself when its check passes again; what to do is its remedy, in desk findings ID',
    'Ein Befund schließt sich von selbst, wenn seine Prüfung wieder besteht; was zu tun ist, steht als remedy in desk findings ID',
    'Un hallazgo se cierra solo cuando su comprobación vuelve a pasar; qué hacer está en su remedy, en desk findings ID',
    'Un constat se ferme de lui-même quand son contrôle réussit à nouveau ; ce qu’il faut faire est son remedy, dans desk findings ID',
  ),
});
