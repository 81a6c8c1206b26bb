/** How words of the glossary are called in German, Spanish and French, and in other words of English. */

/** The meaning is asked for: not what something is now, which is asked with the definite article. */
export const ASKS_MEANING =
  /\b(?:what (?:does|do) .*\b(?:mean|stand for)\b|what(?: is|s|'s) the (?:point|purpose) of|meaning of|what's an? |what exactly (?:is|are|counts)|what counts as|^what(?: is|s|'s) (?:cron|setuid|seccomp|swap|systemd|loopback|sudo|ptrace|e?bpf|root|uptime)\W*$|what is that exactly|soll ich mir (?:unter|dabei)|recouvre|le (?:terme|mot) |der begriff |el termino |que entend|what (?:is|are|s) (?:an? |meant by )|what (?:is|are|s) .*\b(?:good )?for[\s?]*$|what (?:does|do) (?!i\b|we\b|you\b|they\b).*\b(?:check|do|test|look (?:at|for)|cover|verify)\b|explain (?:the (?:word|term)|what)\b|define\b|was (?:bedeutet|bedeuten|heisst|heissen|prueft|pruft)\b|was (?:genau )?ist (?:genau )?(?:eine?n? |mit .*gemeint)|was meinst du mit|what (?:is|are|s) .{1,40} supposed to (?:be|mean)|que se entiende por|que entiendes por|qu.entend|was sind (?!die)|was versteht man unter|wofur|wozu|erklar\w* (?:mir )?(?:(?:was|den begriff|das wort)|(?!die |den |das |diese|warum|wie ))|que significa\w*|que quiere decir|que es una? |que son (?!los|las)|para que sirve\w*|que comprueba|explica(?:me)? (?:el termino|la palabra|(?!el |la |los |las |est|ese|por))|que veut dire|que signifie\w*|que veulent dire|qu.est.ce qu.(?:e c.est qu.)?une? |c.est quoi|a quoi ser\w*|que verifie|explique\w*(?:[ -](?:moi|nous))? (?:ce que|le terme|le mot|(?!le |la |les |ce |cette |pourquoi |comment ))|bedeutet)/u;

/** Words of the glossary by how else they are called; a longer name first. */
const CALLED: readonly (readonly [word: string, pattern: RegExp])[] = [
  [
    'public listener',
    /\b(?:public|offentlich\w*|publi\w+) (?:listener|lauscher|port|socket|listening)\w*|\b(?:listener|lauscher|port|socket|ecoute|puerto|escucha)\w*\b.{0,25}\b(?:public|publica|publico|publics|publiques?|offentlich\w*)\b/u,
  ],
  [
    'local listener',
    /\b(?:local|loopback|lokale?[rsn]?|locales?) (?:listener|lauscher|port|socket)\w*|\b(?:listener|lauscher|port|socket|ecoute|puerto|escucha)\w*\b.{0,25}\b(?:local|locale|locaux|locales|lokal|loopback)\b/u,
  ],
  ['first use', /\b(?:first use|erste[rn]? gebrauch|primer uso|premiere utilisation)\b/u],
  ['learning window', /\b(?:learning window|lernfenster|ventana de aprendizaje|fenetre d.apprentissage)\b/u],
  ['baseline generation', /\b(?:generation|generationen|generations|generacion|generaciones)\b/u],
  [
    'hygiene gate',
    /\b(?:hygiene|hygienic) (?:gate|check)\b|\bgates?\b|\bhygiene-?(?:gate|kontrolle|prufung)\b|\bcontrol de higiene\b|\bcontrole d.hygiene\b/u,
  ],
  [
    'exception',
    /\b(?:accepted|exception\w*|ausnahme\w*|angenommen\w*|akzeptiert\w*|excepcion\w*|aceptad\w*|acceptees?|acceptes?)\b/u,
  ],
  [
    'hidden process',
    /\b(?:hidden process\w*|versteckte[rn]? prozess\w*|proceso\w* oculto\w*|processus caches?)\b/u,
  ],
  ['hidden port', /\b(?:hidden ports?|versteckte[rn]? port\w*|puertos? ocultos?|ports? caches?)\b/u],
  [
    'startup entry',
    /\b(?:startup entr\w+|autostart-?eintrag\w*|entradas? de (?:arranque|inicio)|entrees? de demarrage)\b/u,
  ],
  [
    'baseline',
    /\b(?:baseline|linea (?:de )?base|etat de reference|ligne de base|grundlinie|referenzstand)\b/u,
  ],
  ['LD_PRELOAD', /\bld_preload\b/u],
  ['uid 0', /\buid ?0\b/u],
  ['severity', /\b(?:severity|schwere(?:grad)?|gravedad|gravite|severidad)\b/u],
  ['finding', /\b(?:findings?|befund\w*|hallazgo\w*|constats?|constatation\w*)\b/u],
  ['wrap', /\b(?:wrapped|wrap|confinement|confined|eingesperrt\w*|confinad\w*|confines?|aislad\w*)\b/u],
  ['fried', /\b(?:zombie\w*|zombi\w*)\b/u],
  [
    'load average',
    /\bload average\b|\blast(?:durchschnitt|mittel\w*)\b|\bcarga (?:media|promedio)\b|\bcharge moyenne\b/u,
  ],
  ['swap', /\b(?:swap\w*|auslagerung\w*|espacio de intercambio|memoire d.echange)\b/u],
  [
    'ephemeral port',
    /\b(?:ephemeral|ephemere[rn]?|ephemerer?|efimer\w*|fluchtig\w*) (?:ports?|puertos?)\b|\b(?:puertos?|ports?) (?:efimer\w*|ephemeres?)\b/u,
  ],
  [
    'systemd unit',
    /\b(?:systemd[ -]?(?:unit\w*|einheit\w*)|unidad\w* (?:de )?systemd|unites? (?:de )?systemd)\b/u,
  ],
  ['kernel module', /\b(?:kernel[ -]?modul\w*|modulos? del (?:kernel|nucleo)|modules? (?:du )?noyau)\b/u],
  ['kernel thread', /\b(?:kernel[ -]?thread\w*|hilos? del (?:kernel|nucleo)|threads? (?:du )?noyau)\b/u],
  [
    'resident memory',
    /\b(?:resident memory|rss|residente\w* speicher|memoria residente|memoire residente)\b/u,
  ],
  ['quiet time', /\b(?:quiet time|ruhezeit|tiempo de silencio|periode de silence)\b/u],
  ['state folder', /\b(?:state (?:folder|directory)|zustandsordner|carpeta de estado|dossier d.etat)\b/u],
  [
    'configuration file',
    /\b(?:config(?:uration)? file|konfigurationsdatei|(?:archivo|fichero) de configuracion|fichier de configuration)\b/u,
  ],
  ['firewall', /\b(?:firewall|cortafuegos|pare.feu)\b/u],
  ['certificate', /\b(?:zertifikat\w*|certificados?|certificats?)\b/u],
  ['capability', /\b(?:capabilit\w+|capacidad(?:es)? del (?:kernel|nucleo))\b/u],
  ['namespace', /\b(?:namespaces?|namensra\w+|espacios? de nombres|espaces? de noms)\b/u],
  ['inode', /\b(?:inodes?|inodos?|inoeuds?)\b/u],
  ['setuid', /\b(?:setuid|suid|set-user-id)\b/u],
  ['seccomp', /\bseccomp\b/u],
  ['cron', /\bcron\b/u],
  ['daemon', /\b(?:daemons?|demonios?|demons?)\b/u],
  ['socket', /\bsockets?\b/u],
  ['uptime', /\b(?:uptime|betriebszeit|tiempo de actividad)\b/u],
  ['rootkit', /\brootkits?\b/u],
  ['loopback', /\bloopback\b/u],
  ['quarantine', /\b(?:quarantine|quarantane|cuarentena|quarantaine)\b/u],
  ['law', /\b(?:law|gesetz|ley|loi)\b/u],
  ['scar', /\b(?:scars?|narben?|cicatri\w*)\b/u],
  ['blind', /\b(?:blind|ciego|aveugle)\b/u],
  ['avenue', /\b(?:avenues?|avenida\w*)\b/u],
  ['listener', /\b(?:listeners?|lauscher\w*|ecoutes?)\b/u],
  ['port', /\b(?:ports?|puertos?)\b/u],
];

/** The word of the glossary that a text names; null without one. */
export const wordFor = (text: string): string | null =>
  CALLED.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
