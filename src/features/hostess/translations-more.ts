/** More of `translations.ts`: ports and listeners, what was learned, the gate, the site and mail, processes, times. */
export const MORE_TRANSLATIONS = `
{0} is held by {1} (pid {2}).
  {0} hält {1} (pid {2}).
  {0} lo tiene {1} (pid {2}).
  {0} est tenu par {1} (pid {2}).
{0}: the holder is {1}.
  {0}: der Inhaber ist {1}.
  {0}: lo tiene {1}.
  {0} : le détenteur est {1}.
{0} {1} port {2}
  {0} {1} Port {2}
  {0} {1} puerto {2}
  {0} {1} port {2}
a program whose executable could not be read
  ein Programm, dessen Datei nicht zu lesen war
  un programa cuyo ejecutable no se pudo leer
  un programme dont l’exécutable n’a pas pu être lu
It is not allowed: {0}.
  Er ist nicht erlaubt (englisch): {0}.
  No está permitido (en inglés): {0}.
  Ce n’est pas autorisé (en anglais) : {0}.
It is allowed by the {0}{1}.
  Erlaubt durch: {0}{1}.
  Lo permite: {0}{1}.
  Autorisé par : {0}{1}.
It is allowed: it belongs to the {0} itself.
  Er ist erlaubt: er gehört zum {0} selbst.
  Está permitido: es del propio {0}.
  C’est autorisé : il appartient au {0} lui-même.
It is allowed: the {0} knows it.
  Er ist erlaubt: die {0} kennt ihn.
  Está permitido: lo conoce la {0}.
  C’est autorisé : la {0} le connaît.
No check objects to it, though neither law nor baseline name it.
  Keine Prüfung beanstandet ihn, obwohl ihn weder Gesetz noch Baseline nennen.
  Ninguna comprobación lo objeta, aunque ni la ley ni la línea base lo nombran.
  Aucun contrôle ne s’y oppose, bien que ni la loi ni la référence ne le nomment.
There is no port {0}; I cannot check it.
  Einen Port {0} gibt es nicht; ich kann ihn nicht prüfen.
  No existe el puerto {0}; no puedo comprobarlo.
  Il n’existe pas de port {0} ; je ne peux pas le vérifier.
Nothing listens on port {0}: {1} of {2} listeners.
  Auf Port {0} lauscht nichts: {1} von {2} Listenern.
  Nada escucha en el puerto {0}: {1} de {2} sockets.
  Rien n’écoute sur le port {0} : {1} sur {2} écoutes.
It is the desk port {0} and is down. {1}.
  Es ist der Desk-Port {0}, und er ist unten. Der Grund (englisch): {1}.
  Es el puerto del desk {0} y está caído. El motivo (en inglés): {1}.
  C’est le port du desk {0}, et il est arrêté. La raison (en anglais) : {1}.
Port {0} must stay down and is up.
  Port {0} muss unten bleiben und ist oben.
  El puerto {0} debe estar cerrado y está abierto.
  Le port {0} doit rester fermé et il est ouvert.
Whether port {0} is up could not be checked.
  Ob Port {0} oben ist, war nicht zu prüfen.
  No se pudo comprobar si el puerto {0} está abierto.
  Il n’a pas été possible de vérifier si le port {0} est ouvert.
Port {0} is down, as it must be (state {1}).
  Port {0} ist unten, wie es sein muss (Zustand {1}).
  El puerto {0} está cerrado, como debe ser (estado {1}).
  Le port {0} est fermé, comme il se doit (état {1}).
The law bans {0}.
  Das Gesetz verbietet {0}.
  La ley prohíbe {0}.
  La loi interdit {0}.
{0} of {1} desk ports are up.
  {0} von {1} Desk-Ports sind oben.
  {0} de {1} puertos del desk están activos.
  {0} des {1} ports du desk sont actifs.
Port {0} ({1}) is {2}{3}.
  Port {0} ({1}) ist {2}{3}.
  El puerto {0} ({1}) está {2}{3}.
  Le port {0} ({1}) est {2}{3}.
up
  oben
  activo
  actif
down
  unten
  caído
  arrêté
not known
  nicht bekannt
  desconocido
  inconnu
{0} holds no listener ({1}).
  {0} hält keinen Listener ({1}).
  {0} no tiene ningún socket a la escucha ({1}).
  {0} n’a aucune écoute ({1}).
{0} bound beyond loopback, distinct by protocol, port and executable.
  {0} über Loopback hinaus gebunden, nach Protokoll, Port und Programm unterschieden.
  {0} más allá de loopback, distintos por protocolo, puerto y ejecutable.
  {0} au-delà du loopback, distincts par protocole, port et exécutable.
listener is
  Listener ist
  socket a la escucha está
  écoute est liée
listeners are
  Listener sind
  sockets a la escucha están
  écoutes sont liées
{0} of {1} listeners are {2}.
  {0} von {1} Listenern: {2}.
  {0} de {1} sockets a la escucha: {2}.
  {0} sur {1} écoutes : {2}.
bound to loopback
  an Loopback gebunden
  en loopback
  liées au loopback
There are {0} listeners, {1} of them beyond loopback.
  Es gibt {0} Listener, {1} davon über Loopback hinaus.
  Hay {0} sockets a la escucha, {1} de ellos más allá de loopback.
  Il y a {0} écoutes, dont {1} au-delà du loopback.
Of {0} listeners those that a finding is about are not allowed; findings about listeners beyond loopback: {1}, on loopback: {2}, on banned ports: {3}.
  Von {0} Listenern sind die nicht erlaubt, zu denen es einen Befund gibt; Befunde zu Listenern über Loopback hinaus: {1}, auf Loopback: {2}, auf verbotenen Ports: {3}.
  De {0} sockets no están permitidos los que tienen un hallazgo; hallazgos más allá de loopback: {1}, en loopback: {2}, en puertos prohibidos: {3}.
  Sur {0} écoutes, celles qui ont un constat ne sont pas autorisées ; constats au-delà du loopback : {1}, sur loopback : {2}, sur des ports interdits : {3}.
The gate is at {0}: {1}, GOD {2}.
  Das Gate steht auf {0}: {1}, GOD {2}.
  El gate está en {0}: {1}, GOD {2}.
  La porte est à {0} : {1}, GOD {2}.
It has not run yet.
  Es ist noch nicht gelaufen.
  Aún no se ha ejecutado.
  Elle n’a pas encore tourné.
It ran last at {0}.
  Es lief zuletzt um {0}.
  Se ejecutó por última vez a las {0}.
  Elle a tourné pour la dernière fois à {0}.
{0}, {1}: {2}.
  {0}, {1} (englisch): {2}.
  {0}, {1} (en inglés): {2}.
  {0}, {1} (en anglais) : {2}.
Its last step
  Sein letzter Schritt
  Su último paso
  Sa dernière étape
The first step that failed
  Der erste Schritt, der scheiterte
  El primer paso que falló
  La première étape qui a échoué
The last recorded run that failed was at {0}, with {1} scars.
  Der letzte aufgezeichnete Lauf, der scheiterte, war um {0}, mit {1} Scars.
  La última ejecución registrada que falló fue a las {0}, con {1} scars.
  Le dernier passage enregistré qui a échoué date de {0}, avec {1} scars.
Nothing is learned yet: generation {0}, the empty one, is held.
  Noch ist nichts gelernt: es gilt Generation {0}, die leere.
  Aún no se ha aprendido nada: rige la generación {0}, la vacía.
  Rien n’est encore appris : la génération {0}, la vide, est en vigueur.
Generation {0} is held, learned at {1}.
  Es gilt Generation {0}, gelernt um {1}.
  Rige la generación {0}, aprendida a las {1}.
  La génération {0} est en vigueur, apprise à {1}.
It knows {0} identities, {1} of them seen again since, and has {2} rows.
  Sie kennt {0} Identitäten, {1} davon seither wieder gesehen, und hat {2} Zeilen.
  Conoce {0} identidades, {1} de ellas vistas de nuevo, y tiene {2} filas.
  Elle connaît {0} identités, dont {1} revues depuis, et a {2} lignes.
{0} generations are kept: {1}.
  {0} Generationen werden aufbewahrt: {1}.
  Se conservan {0} generaciones: {1}.
  {0} générations sont gardées : {1}.
{0} running {1} not in it; {2} would be new.
  {0} laufende {1} nicht darin; {2} wären neu.
  {0} {1} en ejecución; {2} nuevas.
  {0} {1} ; {2} seraient nouvelles.
identity is
  Identität ist
  identidad no está en ella
  identité en cours n’y est pas
identities are
  Identitäten sind
  identidades no están en ella
  identités en cours n’y sont pas
row
  Zeile
  fila
  ligne
rows
  Zeilen
  filas
  lignes
Learning would be refused now: {0}.
  Lernen würde jetzt abgelehnt (englisch): {0}.
  Ahora se rechazaría aprender (en inglés): {0}.
  Un apprentissage serait refusé maintenant (en anglais) : {0}.
{0} should be reviewed.
  {0} sollten durchgesehen werden.
  {0} por revisar.
  {0} à revoir.
Nothing is left to review ({0}).
  Nichts ist mehr durchzusehen ({0}).
  No queda nada por revisar ({0}).
  Il ne reste rien à revoir ({0}).
A learning window is open.
  Ein Lernfenster ist offen.
  Hay una ventana de aprendizaje abierta.
  Une fenêtre d’apprentissage est ouverte.
I do not know: no site is configured, so no certificate is checked.
  Das weiß ich nicht: keine Website ist konfiguriert, also wird kein Zertifikat geprüft.
  No lo sé: no hay ningún sitio configurado, así que no se comprueba ningún certificado.
  Je ne sais pas : aucun site n’est configuré, donc aucun certificat n’est vérifié.
I do not know: no certificate was seen at {0}. {1}.
  Das weiß ich nicht: bei {0} war kein Zertifikat zu sehen. Der Grund (englisch): {1}.
  No lo sé: no se vio ningún certificado en {0}. El motivo (en inglés): {1}.
  Je ne sais pas : aucun certificat n’a été vu sur {0}. La raison (en anglais) : {1}.
The certificate of {0} has ended at {1}, days left: {2}.
  Das Zertifikat von {0} ist um {1} abgelaufen, verbleibende Tage: {2}.
  El certificado de {0} caducó el {1}, días restantes: {2}.
  Le certificat de {0} a expiré le {1}, jours restants : {2}.
The certificate of {0}, signed by {1}, lasts {2} more {3}, until {4}.
  Das Zertifikat von {0}, ausgestellt von {1}, gilt noch {2} {3}, bis {4}.
  El certificado de {0}, emitido por {1}, dura {2} {3} más, hasta {4}.
  Le certificat de {0}, émis par {1}, est valable encore {2} {3}, jusqu’au {4}.
day
  Tag
  día
  jour
days
  Tage
  días
  jours
Its chain {0}.
  Seine Kette: {0}.
  Su cadena: {0}.
  Sa chaîne : {0}.
verifies
  gültig
  válida
  valide
does not verify: {0}
  ungültig (englisch): {0}
  no válida (en inglés): {0}
  invalide (en anglais) : {0}
That is not good: it should verify and last longer, so renew it.
  Das ist nicht gut: es sollte gültig sein und länger halten; erneuern Sie es.
  No está bien: debería ser válido y durar más; renuévelo.
  Ce n’est pas bon : il devrait être valide et durer plus longtemps ; renouvelez-le.
No site is configured; the embedded public page takes its place.
  Keine Website ist konfiguriert; die eingebaute öffentliche Seite tritt an ihre Stelle.
  No hay ningún sitio configurado; la página pública incluida ocupa su lugar.
  Aucun site n’est configuré ; la page publique intégrée le remplace.
The site {0} did not answer.
  Die Website {0} hat nicht geantwortet.
  El sitio {0} no respondió.
  Le site {0} n’a pas répondu.
The site {0} answers {1}, which is {2}.
  Die Website {0} antwortet mit {1}, das ist {2}.
  El sitio {0} responde {1}, lo cual {2}.
  Le site {0} répond {1}, ce qui {2}.
good
  gut
  está bien
  est bon
not good
  nicht gut
  no está bien
  n’est pas bon
It was probed at {0}.
  Geprüft wurde sie um {0}.
  Se sondeó a las {0}.
  Il a été sondé à {0}.
It took {0} ms.
  Es dauerte {0} ms.
  Tardó {0} ms.
  Cela a pris {0} ms.
{0} of {1} names resolve.
  {0} von {1} Namen lösen sich auf.
  {0} de {1} nombres se resuelven.
  {0} des {1} noms se résolvent.
Its last change: {0}, at {1}.
  Die letzte Änderung (englisch): {0}, um {1}.
  Su último cambio (en inglés): {0}, a las {1}.
  Le dernier changement (en anglais) : {0}, à {1}.
No source of people is configured, so no ledger is kept.
  Keine Quelle ist konfiguriert, also wird kein Personenverzeichnis geführt.
  No hay ninguna fuente configurada, así que no se lleva registro de personas.
  Aucune source n’est configurée, donc aucun registre de personnes n’est tenu.
Mail is read as it should be.
  Mail wird gelesen, wie es soll.
  El correo se lee como debe.
  Le courrier est lu comme il se doit.
Mail is not read as it should be: {0}.
  Mail wird nicht gelesen, wie es soll (englisch): {0}.
  El correo no se lee como debe (en inglés): {0}.
  Le courrier n’est pas lu comme il se doit (en anglais) : {0}.
Source {0} is {1}, {2} messages read.
  Quelle {0}: {1}, {2} Nachrichten gelesen.
  Fuente {0}: {1}, {2} mensajes leídos.
  Source {0} : {1}, {2} messages lus.
A password is {0}; the mail client {1}.
  Ein Passwort ist {0}; das Mailprogramm {1}.
  La contraseña {0}; el cliente de correo {1}.
  Un mot de passe {0} ; le client de messagerie {1}.
set
  gesetzt
  está puesta
  est défini
not set
  nicht gesetzt
  no está puesta
  n’est pas défini
runs
  läuft
  se ejecuta
  tourne
does not run
  läuft nicht
  no se ejecuta
  ne tourne pas
There are {0} processes; {1} of them are user-space processes, the others kernel threads, zombies or dead.
  Es gibt {0} Prozesse; {1} davon laufen im User Space, die anderen sind Threads des Kernels, Zombies oder tot.
  Hay {0} procesos; {1} de ellos del espacio de usuario, los demás hilos del kernel, zombis o muertos.
  Il y a {0} processus ; {1} en espace utilisateur, les autres sont des fils du noyau, des zombies ou morts.
{0} are wrapped and {1} are not; {2} have no controlling terminal.
  {0} sind eingeschlossen und {1} nicht; {2} haben kein Terminal.
  {0} están confinados y {1} no; {2} no tienen terminal.
  {0} sont confinés et {1} ne le sont pas ; {2} n’ont pas de terminal.
No process of the name "{0}" runs now, among {1}. A name is a command name or the last part of an executable's path.
  Kein Prozess mit dem Namen "{0}" läuft jetzt, unter {1}.
  Ningún proceso llamado "{0}" se ejecuta ahora, entre {1}.
  Aucun processus du nom de "{0}" ne tourne, parmi {1}.
You named no time; I take yesterday at this time, {0}.
  Sie nannten keine Zeit; ich nehme gestern um diese Zeit, {0}.
  No dijo ninguna hora; tomo ayer a esta hora, {0}.
  Vous n’avez pas donné de moment ; je prends hier à cette heure, {0}.
Since {0}:
  Seit {0}:
  Desde {0}:
  Depuis {0} :
{0} of the findings that are open now {1} first seen since; {2} of findings {3} recorded.
  {0} der jetzt offenen Befunde wurden seither zuerst gesehen; {2} von Befunden aufgezeichnet.
  {0} de los hallazgos abiertos se vieron desde entonces por primera vez; {2} de hallazgos registrados.
  {0} des constats ouverts ont été vus depuis pour la première fois ; {2} de constats enregistrés.
event
  Ereignis
  evento
  événement
events
  Ereignisse
  eventos
  événements
The gate ran {0}.
  Das Gate lief {0}.
  El gate se ejecutó {0}.
  La porte a tourné {0}.
time
  Mal
  vez
  fois
times
  Mal
  veces
  fois
Its last run: {0}, {1} scars, at {2}.
  Der letzte Lauf: {0}, {1} Scars, um {2}.
  La última ejecución: {0}, {1} scars, a las {2}.
  Le dernier passage : {0}, {1} scars, à {2}.
{0} learned.
  {0} gelernt.
  {0} aprendidas.
  {0} apprises.
generation was
  Generation wurde
  generación
  génération
generations were
  Generationen wurden
  generaciones
  générations
`;
