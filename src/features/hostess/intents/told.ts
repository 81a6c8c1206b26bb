/** Questions that one sentence of the documentation answers, or that no record answers; some of them sound like another question. */
import { type Said, said } from '../grammar/tables.ts';

export interface Told {
  readonly asks: RegExp;
  readonly not?: RegExp;
  readonly says: Said;
  /** False: it is not known. */
  readonly known: boolean;
  /** Paths of the documentation that it rests on. */
  readonly grounds?: readonly string[];
  /** Those that are said behind it. */
  readonly quotes?: readonly string[];
  readonly suggests?: readonly string[];
}

const PAGE = '(?:pages?|dashboard|website|seite|oberflache|pagina|page web|tablero)';

export const TOLD: readonly Told[] = [
  {
    asks: /\b(?:used|did\b.*\buse|ran|benutzt|verwendet|ausgefuhrt|usado|uso|utilise|last|letzte[rns]?|ultim[oa]|dernier\w*|log|history|verlauf|since when|gave|granted|seit wann|gegeben|desde cuando|dio|depuis quand|donne)\b.*\bsudo\b|\bsudo\b.*\b(?:used|today|yesterday|benutzt|verwendet|usado|utilise|log|history|verlauf|gegeben|bekommen)\b/,
    not: /\b(?:can|may|could|logged|log in|how do i (?:give|remove)|kann|darf|puede|peut|angemeldet|conect\w*|connecte\w*|users? with|accounts? with|package|version|installed)\b/,
    known: false,
    says: said(
      'I do not know: who used sudo, since when an account has it and who gave it is in no record, only who has it now; journalctl -t sudo shows its uses',
      'Das weiß ich nicht: wer sudo benutzt hat, seit wann ein Konto es hat und wer es ihm gab, steht in keinem Datensatz, nur wer es jetzt hat; journalctl -t sudo zeigt, wofür es benutzt wurde',
      'No lo sé: quién usó sudo, desde cuándo lo tiene una cuenta y quién se lo dio no está en ningún registro, solo quién lo tiene ahora; journalctl -t sudo muestra sus usos',
      'Je ne sais pas : qui a utilisé sudo, depuis quand un compte l’a et qui l’a donné n’est dans aucun relevé, seulement qui l’a maintenant ; journalctl -t sudo montre ses usages',
    ),
    suggests: ['desk accounts'],
  },
  {
    asks: /\b(?:should|shouldn t|sollte\w*|deberia\w*|devrai\w*)\b.*\b(?:have|haben|tener|avoir)\b.*\b(?:sudo|root|admin)\b|\b(?:sudo|root|admin\w*)\b.*\b(?:haben|tener|avoir)? ?(?:sollte\w*|deberia\w*|devrai\w*)\b/,
    known: false,
    says: said(
      'No record says who should have which rights, only who has them now',
      'Kein Datensatz sagt, wer welche Rechte haben sollte, nur wer sie jetzt hat',
      'Ningún registro dice quién debería tener qué derechos, solo quién los tiene ahora',
      'Aucun relevé ne dit qui devrait avoir quels droits, seulement qui les a maintenant',
    ),
    suggests: ['desk accounts'],
  },
  {
    asks: /^[¿ ]*(?:what|which|was|welche\w*|que|qu|quel\w*)\b.*\b(?:learn\w*|new|added|in|between|gelernt|neu|zwischen|aprend\w*|entre|appris\w*)\b.*\b(?:generation|generacion) \d+/,
    not: /\b(?:how|held|when|wie|wann|como|cuando|comment|quand)\b/,
    known: false,
    says: said(
      'The rows of a generation are in no record that I read: desk baseline diff with two numbers compares two generations',
      'Die Zeilen einer Generation stehen in keinem Datensatz, den ich lese: desk baseline diff mit zwei Nummern vergleicht zwei Generationen',
      'Las filas de una generación no están en ningún registro que lea: desk baseline diff con dos números compara dos generaciones',
      'Les lignes d’une génération ne sont dans aucun relevé que je lis : desk baseline diff avec deux numéros compare deux générations',
    ),
    suggests: ['desk baseline list', 'desk baseline diff'],
  },
  {
    asks: /\b(?:auto(?:matic\w*)? ?-?learn\w*|learn\w*\b.*\b(?:automatically|by itself|on its own|by yourself)|lern\w*\b.*\b(?:automatisch|von selbst|selbst|allein)|aprend\w*\b.*\b(?:automaticamente|sol[oa]|por si)|appren\w*\b.*\b(?:automatiquement|tout seul|seul|de lui meme))\b/,
    not: /\b(?:how (?:do|can)|did|was|generation|hat)\b/,
    known: true,
    says: said(
      'Only the first generation is learned by itself, and, with auto: system under [learning] of the law, programs of the system; desk law show shows whether that is set. All else is learned with desk secure learn once',
      'Von selbst wird nur die erste Generation gelernt, und mit auto: system unter [learning] des Gesetzes Programme des Systems; desk law show zeigt, ob das gesetzt ist. Alles andere lernt desk secure learn once',
      'Por sí sola solo se aprende la primera generación y, con auto: system bajo [learning] de la ley, los programas del sistema; desk law show muestra si está puesto. Lo demás se aprende con desk secure learn once',
      'Seule la première génération est apprise d’elle-même et, avec auto: system sous [learning] de la loi, les programmes du système ; desk law show montre si c’est réglé. Le reste s’apprend avec desk secure learn once',
    ),
    grounds: ['words[word=baseline].meaning'],
    suggests: ['desk law show', 'desk baseline list'],
  },
  {
    asks: /\b(?:what|was|que|qu)\b.*\b(?:happens?|passiert|geschieht|pasa|sucede|passe|arrive)\b.*\b(?:config\w*|konfig\w*|desk\.toml)\b.*\b(?:broken|invalid|wrong|errors?|kaputt|ungultig|falsch|fehler\w*|rota|invalida|errores|cassee?|invalide|erreurs?)\b/,
    known: true,
    says: said(
      'At a start, an invalid configuration ends the service. At a reload it is logged, the previous one stays active, and the desk is not ok until the file is corrected; desk config check shows every error',
      'Beim Start beendet eine ungültige Konfiguration den Dienst. Beim Neuladen wird sie protokolliert, die vorige bleibt aktiv, und der Desk ist nicht ok, bis die Datei korrigiert ist; desk config check zeigt jeden Fehler',
      'Al iniciar, una configuración inválida termina el servicio. Al recargar se registra, la anterior sigue activa y el desk no está ok hasta que se corrija el archivo; desk config check muestra cada error',
      'Au démarrage, une configuration invalide arrête le service. Au rechargement, elle est journalisée, la précédente reste active, et le desk n’est pas ok tant que le fichier n’est pas corrigé ; desk config check montre chaque erreur',
    ),
    grounds: ['commands[name="config check"].summary'],
    suggests: ['desk config check'],
  },
  {
    asks: /^(?:which|what|welche|que|cuales|quelles?|list|show)\b.*\b(?:keys|options|settings|schlussel|optionen|einstellungen|claves|opciones|ajustes|cles|options|reglages)\b.*\b(?:can (?:i|be)|set|exist|there|config\w*|gibt es|setzen|einstellen|hay|puedo|existen|y a t il|puis je|regler)\b/,
    not: /\b(?:ssh|api|token|sshd|users?|accounts?|benutzer|konten|\w+\.\w+|alerts?|alarme?|alertas?|mail|site|theme|changed|which key)\b/,
    known: true,
    says: said(
      'docs/configuration.md, Every key, lists all keys of the configuration with their defaults; desk query finds them too',
      'docs/configuration.md, Every key, nennt alle Schlüssel der Konfiguration mit ihren Vorgaben; auch desk query findet sie',
      'docs/configuration.md, Every key, enumera todas las claves de la configuración con sus valores por defecto; desk query también las encuentra',
      'docs/configuration.md, Every key, donne toutes les clés de la configuration avec leurs valeurs par défaut ; desk query les trouve aussi',
    ),
    grounds: ['keys.length'],
    suggests: ['desk query "documentation where kind = key"', 'desk config check'],
  },
  {
    asks: /\b(?:allow|unban|permit|open|free|accept|except|erlaub\w*|entsperr\w*|freigeb\w*|zulass\w*|permit\w*|desbloque\w*|autoris\w*|debloqu\w*|autorizar)\b.*\b8766\b|\b(?:rid of|lift|remove|end)\b.*\bban\b.*\b8766\b|\b8766\b.*\b(?:erlauben|entsperren|freigeben|zulassen)\b/,
    not: /\b(?:is|ist|esta|est|was|why|warum)\b/,
    known: true,
    says: said(
      'Port 8766 is always banned: neither a key of the configuration nor an entry [[listen]] of the law can allow it. An entry [[except]] with check = "banned-listener" only prevents that the desk ends what listens there',
      'Port 8766 ist immer verboten: weder ein Schlüssel der Konfiguration noch ein Eintrag [[listen]] des Gesetzes kann ihn erlauben. Ein Eintrag [[except]] mit check = "banned-listener" verhindert nur, dass der Desk beendet, was dort lauscht',
      'El puerto 8766 está siempre prohibido: ni una clave de la configuración ni una entrada [[listen]] de la ley puede permitirlo. Una entrada [[except]] con check = "banned-listener" solo evita que el desk termine lo que escucha allí',
      'Le port 8766 est toujours interdit : ni une clé de la configuration ni une entrée [[listen]] de la loi ne peut l’autoriser. Une entrée [[except]] avec check = "banned-listener" empêche seulement que le desk arrête ce qui y écoute',
    ),
    grounds: ['law.banned', 'checks[id=banned-listener].id'],
    suggests: ['desk law show'],
  },
  {
    asks: /\b(?:what|was|que|qu)\b.*\b(?:happens?|passiert|geschieht|pasa|sucede|passe|arrive)\b.*\b(?:banned|forbidden|verboten\w*|gesperrt\w*|prohibid[oa]s?|interdit\w*)\b/,
    known: true,
    says: said(
      'What listens on a banned port is a finding of the check banned-listener, and banned.shut_down decides whether the desk ends it:',
      'Was auf einem verbotenen Port lauscht, ist ein Befund der Prüfung banned-listener, und banned.shut_down entscheidet, ob der Desk es beendet (englisch):',
      'Lo que escucha en un puerto prohibido es un hallazgo de la comprobación banned-listener, y banned.shut_down decide si el desk lo termina (en inglés):',
      'Ce qui écoute sur un port interdit est un constat du contrôle banned-listener, et banned.shut_down décide si le desk l’arrête (en anglais) :',
    ),
    grounds: ['checks[id=banned-listener].id', 'config.banned.shut_down'],
    quotes: ['keys[key=banned.shut_down].meaning'],
    suggests: ['desk law show', 'desk config check'],
  },
  {
    asks: /\ball ?= ?\(/,
    known: true,
    says: said(
      'A rule of sudoers: who may run which commands. A % before the name is a group; then the hosts, in brackets the user and group to run as, and the commands; ALL is any',
      'Eine Regel in sudoers: wer welche Befehle ausführen darf. Ein % vor dem Namen ist eine Gruppe; dann die Rechner, in Klammern Benutzer und Gruppe, als die es läuft, und die Befehle; ALL ist jeder',
      'Una regla de sudoers: quién puede ejecutar qué órdenes. Un % ante el nombre es un grupo; luego las máquinas, entre paréntesis el usuario y grupo con que se ejecuta, y las órdenes; ALL es cualquiera',
      'Une règle de sudoers : qui peut lancer quelles commandes. Un % devant le nom est un groupe ; puis les machines, entre parenthèses l’utilisateur et le groupe d’exécution, et les commandes ; ALL est n’importe lequel',
    ),
    quotes: ['words[word=sudo].meaning'],
    suggests: ['desk accounts'],
  },
  {
    asks: /\b(?:is|are|ist|sind|es|esta|est|any|gibt es|hay|y a t il)\b.*\b(?:config\w*|konfig\w*|settings file|desk\.toml)\b.*\b(?:valid\w*|correct|ok|okay|fine|errors?|wrong|gultig|richtig|korrekt|fehler\w*|valida|correcta|errores|correcte|erreurs?)\b|\b(?:errors?|fehler|errores|erreurs?)\b.*\b(?:in|dans|en) (?:the |my |your |der |la |ta |tu |deiner )?(?:config\w*|konfig\w*|desk\.toml)\b/,
    not: /\b(?:sshd?|nginx|apache|how|wie|como|comment)\b/,
    known: false,
    says: said(
      'What a service runs with was valid when it was read; whether the file is valid now is in no record: desk config check shows what is wrong with it',
      'Womit ein Dienst läuft, war beim Lesen gültig; ob die Datei jetzt gültig ist, steht in keinem Datensatz: desk config check zeigt, was daran falsch ist',
      'Aquello con lo que funciona un servicio era válido al leerlo; si el archivo es válido ahora no está en ningún registro: desk config check muestra qué tiene mal',
      'Ce avec quoi un service tourne était valide à la lecture ; aucun relevé ne dit si le fichier est valide maintenant : desk config check montre ce qui n’y va pas',
    ),
    grounds: ['commands[name="config check"].summary'],
    suggests: ['desk config check'],
  },
  {
    asks: new RegExp(
      `\\b(?:(?:any(?:one|body)|some(?:one|body)|who|how many (?:people|users|clients|browsers|viewers))(?: else)?\\b.*\\b(?:watch\\w*|look\\w*|view\\w*|see\\w*|open|connected|us(?:e|es|ing))\\b.*\\b${PAGE}|(?:wer|jemand|wie viele (?:leute|benutzer|clients|browser))\\b.*\\b(?:schau\\w*|sieht|betrachte\\w*|offen|verbunden|zuschau\\w*)\\b.*\\b${PAGE}|\\b(?:wer|jemand|wie viele leute)\\b.*\\b${PAGE}\\b.*\\b(?:offen|geoffnet|an)\\b|(?:quien|alguien|cuantas? (?:personas|gente))\\b.*\\b(?:viendo|mirando|abierta|conectad\\w*)\\b.*\\b${PAGE}|(?:qui|quelqu un|combien de (?:personnes|gens))\\b.*\\b(?:regarde\\w*|consulte\\w*|voit|ouverte?|connecte\\w*)\\b.*\\b${PAGE})\\b|\\b(?:is|are) (?:anyone|anybody|someone|others?)(?: else)? (?:watching|viewing|looking)\\b(?! at (?:me|my)\\b)`,
    ),
    not: /\b(?:can|may|could|allowed|darf|kann|puede|peut|port|site|process\w*)\b/,
    known: false,
    says: said(
      'I do not know: no record counts who has the page open. Who may read it is decided by access.group',
      'Das weiß ich nicht: kein Datensatz zählt, wer die Seite offen hat. Wer sie lesen darf, bestimmt access.group',
      'No lo sé: ningún registro cuenta quién tiene abierta la página. Quién puede leerla lo decide access.group',
      'Je ne sais pas : aucun relevé ne compte qui a la page ouverte. Qui peut la lire est décidé par access.group',
    ),
    quotes: ['keys[key=access.group].meaning'],
  },
  {
    asks: /\b(?:(?:last|latest|when|successful|is there|are there|do you (?:make|have|take)|does the desk (?:make|take)|how often)\b.*\b(?:backups?|backed up)|(?:letzte[srn]?|wann|gibt es|machst du|wie oft)\b.*\b(?:backups?|sicherung\w*|gesichert)|(?:ultim[ao]|cuando|hay|haces|cada cuanto)\b.*\b(?:copias? de seguridad|copia|respaldo|backup)|(?:derniere|dernier|quand|y a t il|fais tu|tu fais)\b.*\b(?:sauvegardes?|backup))\b/,
    not: /\b(?:how (?:do|can|should|to)|wie (?:kann|mache|sichere|spiele|stelle)|como (?:puedo|hago|se)|comment|process\w*|script|jobs?|aufgaben?|tareas?|taches?|finding\w*|cron|\w+-agent|helper|running|laufen|lauft|timer|service)\b/,
    known: false,
    says: said(
      'I do not know of any: the desk makes no backups of its own data, and backups of others are not recorded. To make one, stop the service and copy its state folder with baseline.key, and the folder of desk.toml',
      'Davon weiß ich nichts: der Desk macht keine Backups seiner Daten, und Backups anderer sind nicht aufgezeichnet. Für ein Backup halten Sie den Dienst an und kopieren seinen Zustandsordner mit baseline.key und den Ordner von desk.toml',
      'No sé de ninguna: el desk no hace copias de sus datos, y las de otros no están registradas. Para hacer una, detenga el servicio y copie su carpeta de estado con baseline.key, y la de desk.toml',
      'Je n’en connais aucune : le desk ne sauvegarde pas ses données, et les sauvegardes d’autres ne sont pas enregistrées. Pour en faire une, arrêtez le service et copiez son dossier d’état avec baseline.key, et celui de desk.toml',
    ),
    quotes: ['words[word="state folder"].meaning'],
  },
  {
    asks: /\b(?:restor\w*|get back|bring back|recover\w*|import|migrat\w*|move|transfer)\b.*\b(?:backups?|your (?:data|database|state)|(?:the )?desk (?:database|data|state)|(?:the )?desk to (?:a|an|another|my) |state folder)\b|\b(?:spiele?|spielt|stelle?|hole?|lade?)\b.*\b(?:backups?|sicherung\w*|datensicherung)\b.*\b(?:ein|her|zuruck)\b|\b(?:wiederherstell\w*|einspiel\w*|zuruckspiel\w*|umzieh\w*)\b.*\b(?:backups?|sicherung\w*|desk|daten)\b|\b(?:backups?|sicherung\w*|desk|daten)\b.*\b(?:wiederherstell\w*|einspiel\w*|zuruckspiel\w*|umzieh\w*)\b|\b(?:restaur\w*|recuper\w*|mover|migrar)\b.*\b(?:copia\w*|respaldo\w*|backup|desk a otr\w*|tus datos)\b|\b(?:restaur\w*|recuper\w*|deplacer|migrer)\b.*\b(?:sauvegarde\w*|backup|tes donnees|desk (?:vers|sur) un\w* autre)\b/,
    not: /\b(?:generation|baseline|quarantine|linea base)\b/,
    known: true,
    says: said(
      'No command does it: stop the service (systemctl stop desk), put the copies of its state folder, with desk.db and baseline.key, and of the folder of desk.toml in their places, and start it again. desk baseline restore is something else: it goes back to older learned rows',
      'Kein Befehl tut das: Halten Sie den Dienst an (systemctl stop desk), legen Sie die Kopien seines Zustandsordners, mit desk.db und baseline.key, und des Ordners von desk.toml an ihre Plätze, und starten Sie ihn wieder. desk baseline restore ist etwas anderes: es geht zu früher Gelerntem zurück',
      'Ninguna orden lo hace: detenga el servicio (systemctl stop desk), ponga las copias de su carpeta de estado, con desk.db y baseline.key, y de la de desk.toml en su sitio, e inícielo de nuevo. desk baseline restore es otra cosa: vuelve a lo aprendido antes',
      'Aucune commande ne le fait : arrêtez le service (systemctl stop desk), remettez à leur place les copies de son dossier d’état, avec desk.db et baseline.key, et de celui de desk.toml, puis relancez-le. desk baseline restore est autre chose : il revient à ce qui a été appris avant',
    ),
    quotes: ['words[word="state folder"].meaning'],
  },
  {
    asks: /\blaw\.toml\b|\b(?:law|policy) files?\b|\b(?:(?:what|which|how)\b.*\b(?:goes in|belongs in|into|write|edit|configure|change|set|define|put)\b.*\b(?:the |your |a )?law)\b|\b(?:gesetzesdatei|datei (?:des|mit dem) gesetz\w*)\b|\bwas\b.*\bgesetz\b.*\b(?:einstell\w*|regeln|andern|eintragen|festlegen|schreiben)\b|\b(?:archivo|fichero) (?:de )?(?:la )?ley\b|\bfichier (?:de )?(?:la )?loi\b|\b(?:que|como)\b.*\b(?:configur\w*|escrib\w*|defin\w*|poner|pone)\b.*\bley\b|\b(?:que|comment|quoi)\b.*\b(?:configur\w*|ecri\w*|defini\w*|mettre|regler)\b.*\bloi\b/,
    not: /\b(?:errors?|valid|invalid|rejected|check\b.*\blaw|\d{2,}|accept\w*|in force)\b/,
    known: true,
    says: said(
      'law.toml is beside the configuration file, and you write it: [[listen]] allows listeners, [[except]] excepts what a check reports, [thresholds] sets limits such as disk_free_percent. desk law show shows what is in force, desk law check finds errors; more in docs/law.md',
      'law.toml liegt neben der Konfigurationsdatei, und Sie schreiben es: [[listen]] erlaubt Listener, [[except]] nimmt aus, was eine Prüfung meldet, [thresholds] setzt Grenzen wie disk_free_percent. desk law show zeigt, was gilt, desk law check findet Fehler; mehr in docs/law.md',
      'law.toml está junto al archivo de configuración y lo escribe usted: [[listen]] permite puertos a la escucha, [[except]] exceptúa lo que avisa una comprobación, [thresholds] fija límites como disk_free_percent. desk law show muestra lo que rige, desk law check encuentra errores; más en docs/law.md',
      'law.toml est à côté du fichier de configuration, et vous l’écrivez : [[listen]] autorise des écoutes, [[except]] excepte ce qu’un contrôle signale, [thresholds] fixe des limites comme disk_free_percent. desk law show montre ce qui est en vigueur, desk law check trouve les erreurs ; plus dans docs/law.md',
    ),
    quotes: ['words[word=law].meaning'],
    suggests: ['desk law show', 'desk law check', 'desk law show --default'],
  },
  {
    asks: /\b(?:weekly|monthly|every (?:week|month)|each (?:week|month)|once a (?:week|month)|per week)\b.*\b(?:reports?|summar\w+|digests?|e?-?mails?|overview|message)\b|\b(?:reports?|summar\w+|digests?|e?-?mails?|overview)\b.*\b(?:weekly|monthly|every (?:week|month)|each (?:week|month)|once a (?:week|month))\b|\b(?:wochen|monats)(?:bericht|ubersicht|zusammenfassung)\w*|\b(?:wochentlich\w*|monatlich\w*|jede woche|jeden monat|einmal (?:pro|die) woche)\b.*\b(?:bericht\w*|zusammenfassung\w*|ubersicht|mail\w*)\b|\b(?:bericht\w*|zusammenfassung\w*|ubersicht|mail)\b.*\b(?:wochentlich|monatlich|jede woche|jeden monat|pro woche)\b|\b(?:informes?|resumen\w*|correo)\b.*\b(?:semanal\w*|mensual\w*|cada (?:semana|mes)|por semana)\b|\b(?:cada (?:semana|mes))\b.*\b(?:informes?|resumen)\b|\b(?:rapports?|resumes?|bilan|courriel|mail)\b.*\b(?:hebdomadaires?|mensuels?|chaque (?:semaine|mois)|par semaine)\b|\b(?:chaque (?:semaine|mois))\b.*\b(?:rapport|resume|bilan)\b/,
    known: true,
    says: said(
      'There is none for a week or month: the digest, alerts.digest in desk.toml, is sent once a day, and desk diff shows at any time what has changed since a time',
      'Für Woche oder Monat gibt es keinen: die Zusammenfassung, alerts.digest in desk.toml, wird einmal am Tag gesendet, und desk diff zeigt jederzeit, was sich seit einer Zeit geändert hat',
      'No lo hay por semana o mes: el resumen, alerts.digest en desk.toml, se envía una vez al día, y desk diff muestra en cualquier momento lo que cambió desde una fecha',
      'Il n’y en a pas par semaine ou par mois : le résumé, alerts.digest dans desk.toml, est envoyé une fois par jour, et desk diff montre à tout moment ce qui a changé depuis une date',
    ),
    quotes: ['keys[key=alerts.digest.to].meaning', 'keys[key=alerts.digest.at].meaning'],
    suggests: ['desk diff 7d'],
  },
  {
    asks: /\b(?:(?:do|does|can|will|could) (?:you|it|the desk|desk|this)\b.*\b(?:work|run|support\w*|install\w*)\b.*\b(?:windows|mac ?os|osx|freebsd|openbsd|bsd|solaris|android)|(?:which|what) (?:operating systems?|os|oses|platforms?|distros?|distributions?)\b.*\b(?:support\w*|work\w*|run\w*|need)|(?:lauft|laufst|unterstutzt|funktioniert)\b.*\b(?:windows|mac ?os|freebsd|bsd)|welche[sn]? (?:betriebssystem\w*|distribution\w*|plattform\w*)\b.*\b(?:unterstutz\w*|lauf\w*|geht)|(?:funciona|funcionas|corre|soporta\w*)\b.*\b(?:windows|mac ?os|freebsd|bsd)|(?:en )?que (?:sistemas? operativos?|distribuciones|plataformas)\b.*\b(?:soporta\w*|funciona\w*|corre)|(?:marche|fonctionne|tourne|supporte)\w*\b.*\b(?:windows|mac ?os|freebsd|bsd)|(?:sur )?quels? (?:systemes?(?: d exploitation)?|distributions?|plateformes?)\b.*\b(?:support\w*|fonctionne\w*|tourne\w*|marche\w*))\b/,
    known: true,
    says: said(
      'Linux only, with Node 20.17 or newer and glibc 2.28 or newer, on x64 and arm64. More in README.md and docs/install.md',
      'Nur Linux, mit Node 20.17 oder neuer und glibc 2.28 oder neuer, auf x64 und arm64. Mehr in README.md und docs/install.md',
      'Solo Linux, con Node 20.17 o posterior y glibc 2.28 o posterior, en x64 y arm64. Más en README.md y docs/install.md',
      'Linux seulement, avec Node 20.17 ou plus récent et glibc 2.28 ou plus récent, sur x64 et arm64. Plus dans README.md et docs/install.md',
    ),
    grounds: ['words[word=desk].meaning'],
  },
  {
    asks: /\b(?:(?:write|add|make|create|define|have|build|program) (?:my|our|your|an?|some) (?:own |custom |new )+checks?|custom checks?|own checks?|eigene[nrs]? (?:prufung|check)\w*|(?:comprobacion\w*|controles?|chequeos?) propi[oa]s?|propi[oa]s? (?:comprobacion\w*|controles?)|(?:propres|mes|nos|propre) controles?|controles? (?:personnalises?|propres?))\b/,
    known: true,
    says: said(
      'No: checks of your own cannot be added. What can be set are thresholds, exceptions and allowed listeners of the law, in law.toml',
      'Nein: eigene Prüfungen lassen sich nicht hinzufügen. Einstellen lassen sich Schwellen, Ausnahmen und erlaubte Listener des Gesetzes, in law.toml',
      'No: no se pueden añadir comprobaciones propias. Se pueden fijar umbrales, excepciones y puertos permitidos de la ley, en law.toml',
      'Non : on ne peut pas ajouter ses propres contrôles. On peut régler les seuils, exceptions et écoutes autorisées de la loi, dans law.toml',
    ),
    grounds: ['words[word=law].meaning'],
    suggests: ['desk law show'],
  },
  {
    asks: /\bwhat (?:do|does) (?:the |these |your )*severities mean|\b(?:what|which|list|how many) (?:are )?(?:the )?(?:levels? of )?severit(?:y|ies)(?: levels?)?\b.*\b(?:there|exist|have|use|mean|are|possible)|\bsever\w+ (?:levels?|scale)\b|\b(?:levels|kinds|degrees) of (?:severity|findings?)\b|\bdifference\b.*\b(?:critical|high|medium|low|warning|severe)\b.*\b(?:critical|high|medium|low|warning|finding)s?\b|\bwelche (?:schweregrade?|schwere(?:n|stufen)?|stufen)\b|\bunterschied\b.*\b(?:kritisch\w*|critical|high|hoch|mittel|medium|low|niedrig|warnung\w*)\b.*\b(?:kritisch\w*|critical|high|hoch|mittel|medium|low|niedrig|warnung\w*|befund\w*)\b|\b(?:que|cuales son los) (?:niveles|grados)(?: de gravedad)?\b|\bque gravedades\b|\bdiferencia\b.*\b(?:critic[oa]|critical|high|alt[oa]|medium|medi[oa]|low|baj[oa]|aviso|advertencia)\b.*\b(?:critic[oa]|critical|high|alt[oa]|medium|medi[oa]|low|baj[oa]|hallazgo)s?\b|\bquels? (?:niveaux|degres)(?: de gravite)?\b|\bquelles gravites\b|\bdifference\b.*\b(?:critique|elevee?|moyenn?e?|faible|avertissement)\b.*\b(?:critique|elevee?|moyenn?e?|faible|constat)s?\b|^(?:was (?:bedeutet|heisst)|what does) (?:kritisch|critical|warning|warnung|high|hoch)(?: (?:mean|here|bei dir))?\W*$|^(?:que significa) (?:critico|aviso)\W*$|^que (?:veut dire|signifie) (?:critique|avertissement)\W*$/,
    not: /\b(?:and|und|y|et) (?:an? |eine[mn]? |una? |une? )?(?:findings?|befund\w*|hallazgos?|constats?)\W*$/,
    known: true,
    says: said(
      'A finding has one of four severities. There is no severity warning: desk check reports WARNING from --warn on and CRITICAL from --crit on; alerts are sent from alerts.least on',
      'Ein Befund hat eine von vier Schweren. Eine Schwere Warnung gibt es nicht: desk check meldet WARNING ab --warn und CRITICAL ab --crit; Alarme werden ab alerts.least gesendet',
      'Un hallazgo tiene una de cuatro gravedades. No existe una gravedad aviso: desk check da WARNING desde --warn y CRITICAL desde --crit; las alertas se envían desde alerts.least',
      'Un constat a l’une de quatre gravités. Il n’y a pas de gravité avertissement : desk check donne WARNING à partir de --warn et CRITICAL à partir de --crit ; les alertes sont envoyées à partir de alerts.least',
    ),
    quotes: ['words[word=severity].meaning', 'words[word=scar].meaning'],
    suggests: ['desk help check'],
  },
  {
    asks: /\b(?:colou?rs?|red|green|orange|yellow|amber|farben?|rote[srn]?|rot|grune[srn]?|grun|gelbe?[srn]?|colores|color|roj[oa]s?|verdes?|amarill[oa]s?|couleurs?|rouges?|verte?s?|jaunes?)\b.*\b(?:mean\w*|page|stand for|what is it|what (?:is|s) that|bedeut\w*|heisst|seite|symbol|significa\w*|pagina|veut dire|veulent dire|signifi\w*)\b|\b(?:what|was|que|qu)\b.*\b(?:colou?rs?|red (?:thing|dot|badge|box|icon|mark|symbol|bar)|farben|rote[sr]? (?:ding|punkt|symbol|kasten|balken)|colores|cosa roja|punto rojo|couleurs|truc rouge|point rouge)\b/,
    not: /\b(?:change|set|theme|dark|andere|andern|cambi\w*|changer|kernel|port \d+|gate)\b/,
    known: true,
    says: said(
      'On the pages a colour says how well it is:',
      'Auf den Seiten sagt eine Farbe, wie gut es steht (englisch):',
      'En las páginas, un color dice cómo está (en inglés):',
      'Sur les pages, une couleur dit comment ça va (en anglais) :',
    ),
    quotes: ['fields[path=detection.verdict.tone].meaning'],
    suggests: ['desk status', 'desk findings'],
  },
  {
    asks: /\b(?:is it|is that|would it be|it is|how) (?:a )?(?:bad|dangerous|risky|unsafe|insecure|a problem|a risk|serious|ok|okay|safe|fine|wrong|normal)\b.*\b(?:as root|root (?:runs|owns|starts)|under root|(?:run|runs|running) (?:by|with) root|with root rights)\b|\b(?:schlimm|gefahrlich|riskant|ein problem|bedenklich|okay|ok|normal|sicher)\b.*\b(?:als root|unter root|root lauft|von root)\b|\b(?:malo|peligroso|arriesgado|grave|un problema|un riesgo|normal|seguro)\b.*\b(?:como root|con root|bajo root)\b|\b(?:grave|dangereux|risque|mauvais|mal|un probleme|normal)\b.*\b(?:en root|comme root|en tant que root|sous root|avec root)\b/,
    known: false,
    says: said(
      'No check judges that a program runs as root; I only know what it means: a mistake in it, or an attack on it, then has all rights',
      'Keine Prüfung beurteilt, dass ein Programm als root läuft; ich weiß nur, was es bedeutet: ein Fehler darin oder ein Angriff darauf hat dann alle Rechte',
      'Ninguna comprobación juzga que un programa corra como root; solo sé qué significa: un fallo suyo, o un ataque, tiene entonces todos los derechos',
      'Aucun contrôle ne juge qu’un programme tourne en root ; je sais seulement ce que cela veut dire : une erreur, ou une attaque, a alors tous les droits',
    ),
    quotes: ['words[word=root].meaning'],
    suggests: ['desk query "processes where uid = 0"'],
  },
  {
    asks: /\b(?:keep|store|save|hold|retain|retention|delete|erase|clear|purge|remove|longer|how big|speicher\w*|behalt\w*|aufbewahr\w*|losch\w*|langer|guard\w*|conserv\w*|borr\w*|elimin\w*|gard\w*|supprim\w*|effac\w*)\b.*\b(?:history|historie|verlauf|historial|historique|samples|past values)\b|\b(?:history|historie|verlauf|historial|historique)\b.*\b(?:kept|longer|retention|deleted?|erased?|langer|behalten|aufbewahrt|gespeichert|geloscht|guardad\w*|conserva\w*|borra\w*|gardee?|conservee?|supprim\w*)\b/,
    not: /\b(?:how (?:long|far)|since when|go back|browser|shell|bash|questions?|mail|finding \w{16})\b/,
    known: true,
    says: said(
      'Figures over time are kept for seven days, changes up to the newest two thousand of each kind, and rows of the newest hundred generations of the baseline. No key of the configuration changes that, and no command deletes the history',
      'Messwerte über die Zeit bleiben sieben Tage, Änderungen bis zu den neuesten zweitausend jeder Art, und die Zeilen der neuesten hundert Generationen der Baseline. Kein Schlüssel der Konfiguration ändert das, und kein Befehl löscht den Verlauf',
      'Las cifras en el tiempo se guardan siete días, los cambios hasta los dos mil más nuevos de cada tipo, y las filas de las cien generaciones más nuevas de la línea base. Ninguna clave de la configuración lo cambia, y ninguna orden borra el historial',
      'Les mesures dans le temps sont gardées sept jours, les changements jusqu’aux deux mille plus récents de chaque sorte, et les lignes des cent générations les plus récentes de la référence. Aucune clé de la configuration ne le change, et aucune commande n’efface l’historique',
    ),
    grounds: ['words[word="state folder"].meaning'],
    suggests: ['desk history', 'desk diff 7d'],
  },
  {
    asks: /\b(?:what|which) (?:privileges?|rights|permissions|capabilities) (?:do|does) (?:you|it|the desk|desk) (?:need|require|have)|\bwhy (?:do|does) (?:you|it|the desk) (?:need|require|run as) root|\bwelche (?:rechte|privilegien) (?:brauchst|braucht|benotigst|benotigt|hast)\b|\b(?:warum|wieso|wofur) (?:brauchst du|braucht (?:es|er|der desk)) root|\bque (?:permisos|derechos|privilegios) (?:necesitas|necesita|tienes)\b|\b(?:por que|para que) necesitas? root|\b(?:quels (?:droits|privileges)|de quels (?:droits|privileges)) (?:as tu besoin|te faut il|il faut|faut il|avez vous besoin)|\bpourquoi (?:as tu besoin de|faut il|il te faut) root/,
    known: true,
    says: said(
      'Only root may read the processes of all users in full. As another user the desk works and sees less: desk doctor shows what it cannot see and what would cure that; more in docs/privileges.md',
      'Nur root darf die Prozesse aller Benutzer ganz lesen. Als anderer Benutzer arbeitet der Desk und sieht weniger: desk doctor zeigt, was er nicht sehen kann und was das behebt; mehr in docs/privileges.md',
      'Solo root puede leer del todo los procesos de todos los usuarios. Como otro usuario el desk funciona y ve menos: desk doctor muestra qué no puede ver y qué lo remedia; más en docs/privileges.md',
      'Seul root peut lire entièrement les processus de tous les utilisateurs. Sous un autre utilisateur, le desk marche et voit moins : desk doctor montre ce qu’il ne peut pas voir et ce qui y remédie ; plus dans docs/privileges.md',
    ),
    grounds: ['words[word=root].meaning'],
    suggests: ['desk doctor'],
  },
  {
    asks: /\b(?:fewer|less|too many|so many|reduce|reducing|limit the (?:number|amount))\b.*\b(?:alerts?|alarms?|notifications?|warnings?|messages|findings)\b|\b(?:weniger|zu viele?|so viele|reduzier\w*)\b.*\b(?:alarme?|alerts|benachrichtigung\w*|warnung\w*|meldungen|befunde)\b|\b(?:menos|demasiad[oa]s?|tant[oa]s|reducir)\b.*\b(?:alertas?|alarmas?|avisos?|notificaci\w+|hallazgos)\b|\b(?:moins|trop|tant|reduire)\b.*\b(?:alertes?|alarmes?|notifications?|avertissements?|constats)\b/,
    not: /\b(?:than|als|que (?:ayer|hoy)|hier|yesterday|today|why|how many)\b/,
    known: true,
    says: said(
      'For fewer alerts: raise alerts.least in desk.toml, the least severity that is sent; accept what is fine with desk accept ID --why REASON, or learn it with desk secure learn once; for a time, desk quiet holds them back',
      'Für weniger Alarme: erhöhen Sie alerts.least in desk.toml, die kleinste Schwere, die gesendet wird; nehmen Sie an, was in Ordnung ist, mit desk accept ID --why REASON, oder lernen Sie es mit desk secure learn once; für eine Zeit hält desk quiet sie zurück',
      'Para menos alertas: suba alerts.least en desk.toml, la gravedad mínima que se envía; acepte lo que está bien con desk accept ID --why REASON, o apréndalo con desk secure learn once; por un tiempo, desk quiet las retiene',
      'Pour moins d’alertes : augmentez alerts.least dans desk.toml, la gravité minimale envoyée ; acceptez ce qui est bien avec desk accept ID --why REASON, ou apprenez-le avec desk secure learn once ; pour un temps, desk quiet les retient',
    ),
    quotes: ['keys[key=alerts.least].meaning'],
    suggests: ['desk findings', 'desk quiet', 'desk help accept'],
  },
  {
    asks: /\b(?:run|execute|start|call|trigger)\b.*\b(?:command|script|program|hook)\b.*\b(?:when|on|if|for|after)\b.*\b(?:findings?|alerts?|problems?|something)\b|\b(?:befehl|skript|script|programm)\b.*\b(?:ausfuhr\w*|start\w*|aufruf\w*)\b.*\b(?:wenn|bei|falls)\b|\b(?:wenn|bei|falls)\b.*\b(?:befund\w*|alarm\w*|problem\w*)\b.*\b(?:befehl|skript|script|programm)\b|\b(?:ejecut\w*|lanz\w*)\b.*\b(?:orden|comando|script|programa)\b.*\b(?:cuando|si|al)\b|\b(?:execut\w*|lanc\w*)\b.*\b(?:commande|script|programme)\b.*\b(?:quand|si|lorsqu\w*)\b/,
    known: true,
    says: said(
      'Yes: a target of alerts can be a command, in desk.toml a table [[alerts.to]] with kind = "command"; more in docs/alerts.md, Targets. The desk runs none by itself otherwise',
      'Ja: ein Ziel von Alarmen kann ein Befehl sein, in desk.toml eine Tabelle [[alerts.to]] mit kind = "command"; mehr in docs/alerts.md, Targets. Sonst führt der Desk keinen aus',
      'Sí: un destino de alertas puede ser una orden, en desk.toml una tabla [[alerts.to]] con kind = "command"; más en docs/alerts.md, Targets. Por lo demás el desk no ejecuta ninguna',
      'Oui : une cible d’alertes peut être une commande, dans desk.toml une table [[alerts.to]] avec kind = "command" ; plus dans docs/alerts.md, Targets. Sinon le desk n’en exécute aucune',
    ),
    quotes: ['keys[key=alerts.to.kind].meaning'],
    suggests: ['desk alert test'],
  },
  {
    asks: /\b(?:reset|start over|start from scratch|begin again|from zero|factory)\b.*\b(?:everything|baseline|desk|all|it|learn\w*|scratch)\b|^how (?:do|can) i (?:start (?:from scratch|over)|reset)\b|\b(?:zurucksetz\w*|setze?\b.*\bzuruck|von vorne?|neu anfang\w*|bei null)\b.*\b(?:desk|baseline|alles|anfang\w*|beginn\w*)?|\b(?:empezar|empiezo|reinici\w* todo|restablec\w*)\b.*\b(?:de cero|todo|desk|linea base)\b|\b(?:reinitialis\w*|recommenc\w*|repartir (?:de|a) zero)\b|\b(?:delete|remove|drop|discard) (?:(?:the|my|our|this|whole|entire|current|old) )*baseline\b|^(?:how (?:do|can|to|should|would)\b.*)?\b(?:rebuild|re-?create|reset|clear|wipe|erase|empty)\b.*\bbaseline\b|\b(?:setze?n?|erstelle?n?|baue?n?|lege?n?|mache?n?|leere?n?|losche?n?)\b.*\bbaseline\b(?: \w+)* (?:neu|leer)\b|\bbaseline (?:ganz |komplett )?(?:neu (?:setzen|aufsetzen|erstellen|anlegen|aufbauen|machen)|leeren|loschen)\b|\b(?:reinici\w*|restable\w*|borr\w*|vaci\w*|rehacer|rehago|recre\w*|resete\w*)\b.*\b(?:baseline|linea (?:de )?base)\b|\b(?:vider|vide|effac\w*|refaire|refais|recre\w*|remettre|remets)\b.*\b(?:baseline|ligne de base|reference)\b/,
    not: /\b(?:older|previous|earlier|generation\w*|altere\w*|fruhere\w*|vorige\w*|anterior\w*|precedent\w*|password|token|failed|process\w*|service|dienst|port|quiet|finding\w*|theme|rotation|counter)\b/,
    known: true,
    says: said(
      'What was learned starts over with desk baseline restore 0, an empty baseline, and desk secure learn once. No command empties the rest: that is in the state folder',
      'Das Gelernte beginnt neu mit desk baseline restore 0, einer leeren Baseline, und desk secure learn once. Den Rest leert kein Befehl: er liegt im Zustandsordner',
      'Lo aprendido empieza de nuevo con desk baseline restore 0, una línea base vacía, y desk secure learn once. Ninguna orden vacía lo demás: está en la carpeta de estado',
      'Ce qui est appris recommence avec desk baseline restore 0, une référence vide, et desk secure learn once. Aucune commande ne vide le reste : il est dans le dossier d’état',
    ),
    quotes: ['words[word="state folder"].meaning'],
    grounds: ['words[word=baseline].meaning'],
    suggests: ['desk baseline list', 'desk help baseline'],
  },
  {
    asks: /\b(?:language|translat\w*|in (?:german|english|spanish|french)|auf (?:deutsch|englisch|spanisch|franzosisch)|sprache|idioma|en (?:espanol|ingles|aleman|frances|anglais|allemand|espagnol)|langue)\b.*\b(?:pages?|dashboard|interface|ui|seite|oberflache|stell\w*|umstell\w*|pagina|interfaz)\b|\b(?:pages?|dashboard|interface|ui|seite|oberflache|pagina|interfaz)\b.*\b(?:language|in (?:german|english|spanish|french)|auf (?:deutsch|englisch|spanisch|franzosisch)|sprache|idioma|en (?:espanol|ingles|aleman|frances|anglais|allemand|espagnol)|langue|translated)\b/,
    not: /\b(?:query language|model|site)\b/,
    known: true,
    says: said(
      'The pages, findings and documents are in English, and no key changes that; I answer in English, German, Spanish and French, in the language of the question',
      'Die Seiten, Befunde und Dokumente sind englisch, und kein Schlüssel ändert das; ich antworte auf Deutsch, Englisch, Spanisch und Französisch, in der Sprache der Frage',
      'Las páginas, hallazgos y documentos están en inglés, y ninguna clave lo cambia; yo respondo en español, inglés, alemán y francés, en el idioma de la pregunta',
      'Les pages, constats et documents sont en anglais, et aucune clé ne le change ; je réponds en français, anglais, allemand et espagnol, dans la langue de la question',
    ),
    grounds: ['words[word=hostess].meaning'],
  },
  {
    asks: /\b(?:what|was|que|qu)\b.*\b(?:numbers?|flags?|symbols?|icons?|marks?|badges?|dots?|letters?|zahlen?|symbole?|zeichen|punkte?|numeros?|iconos?|simbolos?|chiffres|nombres|icones?|symboles?)\b.* (?:next to|beside|behind|in front of|neben|hinter|vor|junto a|al lado de|detras de|a cote (?:de|d|du|des)|derriere|devant) /,
    known: false,
    says: said(
      'I do not see the pages, so I do not know which mark is meant: docs/pages.md says where each part of them comes from; ask me for a word that is on the page',
      'Ich sehe die Seiten nicht und weiß daher nicht, welches Zeichen gemeint ist: docs/pages.md sagt, woher jeder Teil kommt; fragen Sie mich nach einem Wort, das auf der Seite steht',
      'No veo las páginas, así que no sé qué marca es: docs/pages.md dice de dónde viene cada parte; pregúnteme por una palabra que esté en la página',
      'Je ne vois pas les pages et ne sais donc pas quelle marque est visée : docs/pages.md dit d’où vient chaque partie ; demandez-moi un mot qui est sur la page',
    ),
  },
];
