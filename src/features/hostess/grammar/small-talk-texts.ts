/** What the hostess says of herself, and to what is no question. `{name}`, `{at}`, `{version}`: values of the desk. */
import { type Said, said } from './table.ts';

export const REPLIES: Readonly<Record<string, Said>> = {
  greeting: said(
    'Hello, I am {name}. Ask me whether the desk is well, who listens on a port, or what changed since yesterday.',
    'Hallo, ich bin {name}. Frag mich, ob es dem Desk gut geht, wer auf einem Port lauscht oder was sich seit gestern geändert hat.',
    'Hola, soy {name}. Pregúntame si el desk está bien, quién escucha en un puerto o qué ha cambiado desde ayer.',
    'Bonjour, je suis {name}. Demande-moi si le desk va bien, qui écoute sur un port ou ce qui a changé depuis hier.',
  ),
  bye: said(
    'Goodbye. The desk goes on watching; desk history shows later what happened.',
    'Auf Wiedersehen. Der Desk schaut weiter hin; desk history zeigt später, was geschehen ist.',
    'Adiós. El desk sigue vigilando; desk history muestra después lo ocurrido.',
    'Au revoir. Le desk continue de surveiller ; desk history montre ensuite ce qui s’est passé.',
  ),
  thanks: said(
    'You are welcome. Ask me about anything else on this machine.',
    'Gern geschehen. Frag mich, was du sonst über diese Maschine wissen willst.',
    'De nada. Pregúntame lo que quieras saber de esta máquina.',
    'De rien. Demande-moi ce que tu veux savoir d’autre sur cette machine.',
  ),
  praise: said(
    'Thank you. Ask me about anything else on this machine.',
    'Danke. Frag mich, was du sonst über diese Maschine wissen willst.',
    'Gracias. Pregúntame lo que quieras saber de esta máquina.',
    'Merci. Demande-moi ce que tu veux savoir d’autre sur cette machine.',
  ),
  complaint: said(
    'I am sorry that this did not help. Ask in other words and name the process, port, finding or time; desk query --tables shows what can be looked up without me.',
    'Es tut mir leid, dass das nicht geholfen hat. Frag mit anderen Worten und nenne Prozess, Port, Befund oder Zeit; desk query --tables zeigt, was sich ohne mich nachsehen lässt.',
    'Siento que no haya ayudado. Pregunta con otras palabras y nombra el proceso, el puerto, el hallazgo o la hora; desk query --tables muestra lo que se puede consultar sin mí.',
    'Désolée que cela n’ait pas aidé. Demande avec d’autres mots et nomme le processus, le port, le constat ou l’heure ; desk query --tables montre ce qui se consulte sans moi.',
  ),
  sorry: said(
    'No harm done. Ask me about the desk whenever you like.',
    'Kein Problem. Frag mich etwas über den Desk, wann du magst.',
    'No pasa nada. Pregúntame por el desk cuando quieras.',
    'Ce n’est rien. Pose-moi une question sur le desk quand tu veux.',
  ),
  ok: said(
    'Good. Ask me about anything else on this machine.',
    'Gut. Frag mich, was du sonst über diese Maschine wissen willst.',
    'Bien. Pregúntame lo que quieras saber de esta máquina.',
    'Bien. Demande-moi ce que tu veux savoir d’autre sur cette machine.',
  ),
  who: said(
    'I am {name}, the part of Hostess Desk that answers questions about this machine. I answer from what was measured, and change nothing.',
    'Ich bin {name}, der Teil von Hostess Desk, der Fragen über diese Maschine beantwortet. Ich antworte aus dem, was gemessen wurde, und ändere nichts.',
    'Soy {name}, la parte de Hostess Desk que responde preguntas sobre esta máquina. Respondo con lo medido y no cambio nada.',
    'Je suis {name}, la partie de Hostess Desk qui répond aux questions sur cette machine. Je réponds par ce qui a été mesuré et ne change rien.',
  ),
  ai: said(
    'No, I am {name}, a program of fixed rules without a language model. Each answer rests on values of this desk, which are listed with it.',
    'Nein, ich bin {name}, ein Programm aus festen Regeln ohne Sprachmodell. Jede Antwort beruht auf Werten dieses Desks, die dabei stehen.',
    'No, soy {name}, un programa de reglas fijas sin modelo de lenguaje. Cada respuesta se basa en valores de este desk, que se muestran con ella.',
    'Non, je suis {name}, un programme de règles fixes sans modèle de langage. Chaque réponse repose sur des valeurs de ce desk, indiquées avec elle.',
  ),
  human: said(
    'No, I am {name}, a program. I answer from what this desk measured.',
    'Nein, ich bin {name}, ein Programm. Ich antworte aus dem, was dieser Desk gemessen hat.',
    'No, soy {name}, un programa. Respondo con lo que este desk ha medido.',
    'Non, je suis {name}, un programme. Je réponds par ce que ce desk a mesuré.',
  ),
  maker: said(
    'The Hostess Desk maintainers wrote me, {name}. The software is under the MIT License.',
    'Mich, {name}, haben die Maintainer von Hostess Desk geschrieben. Die Software steht unter der MIT-Lizenz.',
    'A mí, {name}, me escribieron los mantenedores de Hostess Desk. El software tiene la licencia MIT.',
    'Ce sont les mainteneurs de Hostess Desk qui m’ont écrite, moi, {name}. Le logiciel est sous licence MIT.',
  ),
  languages: said(
    'English, German, French and Spanish: I answer in the language of the question. Texts of findings and of the documentation are in English only.',
    'Deutsch, Englisch, Französisch und Spanisch: Ich antworte in der Sprache der Frage. Texte von Befunden und der Dokumentation gibt es nur auf Englisch.',
    'Español, inglés, alemán y francés: respondo en el idioma de la pregunta. Los textos de los hallazgos y de la documentación están solo en inglés.',
    'Français, anglais, allemand et espagnol : je réponds dans la langue de la question. Les textes des constats et de la documentation sont seulement en anglais.',
  ),
  sure: said(
    'I only say what the desk measured, and each answer lists the values that it rests on; the last sweep was at {at}. I can misread a question: check that the answer is about yours, with desk think and the query beside it.',
    'Ich sage nur, was der Desk gemessen hat, und jede Antwort nennt die Werte, auf denen sie beruht; der letzte Durchgang war um {at}. Eine Frage kann ich falsch lesen: Prüfe mit desk think und der Abfrage daneben, ob die Antwort zu ihr passt.',
    'Solo digo lo que el desk ha medido, y cada respuesta muestra los valores en que se basa; el último barrido fue a las {at}. Puedo leer mal una pregunta: compruébalo con desk think y la consulta que la acompaña.',
    'Je dis seulement ce que le desk a mesuré, et chaque réponse cite les valeurs sur lesquelles elle repose ; le dernier passage date de {at}. Je peux mal lire une question : vérifie-le avec desk think et la requête indiquée.',
  ),
  learn: said(
    'No, I do not learn from conversations: my rules are fixed. What the desk learns is its baseline of what runs here, with desk secure learn once.',
    'Nein, ich lerne nicht aus Gesprächen: Meine Regeln sind fest. Was der Desk lernt, ist seine Baseline dessen, was hier läuft, mit desk secure learn once.',
    'No, no aprendo de las conversaciones: mis reglas son fijas. Lo que el desk aprende es su línea base de lo que se ejecuta aquí, con desk secure learn once.',
    'Non, je n’apprends pas des conversations : mes règles sont fixes. Ce que le desk apprend, c’est sa référence de ce qui tourne ici, avec desk secure learn once.',
  ),
  store: said(
    'No, the service keeps no questions: not in its store and not in its log. A page keeps the conversation in its browser tab, and only desk consult may send a question to an assistant that you configured.',
    'Nein, der Dienst bewahrt keine Fragen auf: nicht in seinem Speicher und nicht im Log. Eine Seite behält das Gespräch in ihrem Browser-Tab, und nur desk consult kann eine Frage an einen Assistenten senden, den du eingerichtet hast.',
    'No, el servicio no guarda las preguntas: ni en su almacén ni en su registro. Una página conserva la conversación en su pestaña, y solo desk consult puede enviar una pregunta a un asistente que hayas configurado.',
    'Non, le service ne garde aucune question : ni dans sa base ni dans son journal. Une page garde la conversation dans son onglet, et seul desk consult peut envoyer une question à un assistant que tu as configuré.',
  ),
  there: said(
    'Yes, I am here. The last sweep was at {at}; ask me about the desk.',
    'Ja, ich bin da. Der letzte Durchgang war um {at}; frag mich etwas über den Desk.',
    'Sí, aquí estoy. El último barrido fue a las {at}; pregúntame por el desk.',
    'Oui, je suis là. Le dernier passage date de {at} ; pose-moi une question sur le desk.',
  ),
  feelings: said(
    'I have no feelings or opinions: I am {name}, a program. How the desk is, I can tell from what was measured.',
    'Ich habe keine Gefühle und keine Meinungen: Ich bin {name}, ein Programm. Wie es dem Desk geht, kann ich aus dem sagen, was gemessen wurde.',
    'No tengo sentimientos ni opiniones: soy {name}, un programa. Cómo está el desk sí lo sé, por lo medido.',
    'Je n’ai ni sentiments ni opinions : je suis {name}, un programme. Comment va le desk, je peux le dire par ce qui a été mesuré.',
  ),
  age: said(
    'I have no age; I am part of {software} {version}. Ask since when the service runs to know when it was started.',
    'Ein Alter habe ich nicht; ich gehöre zu {software} {version}. Frag, seit wann der Dienst läuft, um zu wissen, wann er gestartet wurde.',
    'No tengo edad; soy parte de {software} {version}. Pregunta desde cuándo se ejecuta el servicio para saber cuándo se inició.',
    'Je n’ai pas d’âge ; je fais partie de {software} {version}. Demande depuis quand le service tourne pour savoir quand il a démarré.',
  ),
  where: said(
    'I run inside the desk service on this machine, and need no internet or cloud. The desk connects only to the hosts of egress.allow in its configuration.',
    'Ich laufe im Dienst des Desks auf dieser Maschine und brauche weder Internet noch Cloud. Der Desk verbindet sich nur mit den Hosts von egress.allow in seiner Konfiguration.',
    'Me ejecuto en el servicio del desk en esta máquina y no necesito internet ni nube. El desk solo se conecta a los hosts de egress.allow de su configuración.',
    'Je tourne dans le service du desk sur cette machine et n’ai besoin ni d’internet ni du cloud. Le desk ne se connecte qu’aux hôtes de egress.allow dans sa configuration.',
  ),
  act: said(
    'No, I change nothing: I only answer. Ask how to do it, and I name the command that you can run.',
    'Nein, ich ändere nichts: Ich antworte nur. Frag, wie es geht, und ich nenne den Befehl, den du ausführen kannst.',
    'No, no cambio nada: solo respondo. Pregunta cómo se hace y nombraré la orden que puedes ejecutar.',
    'Non, je ne change rien : je réponds seulement. Demande comment faire, et je nomme la commande que tu peux lancer.',
  ),
};

/** What can be asked next. */
export const NEXT: Said = said(
  'desk think "is the desk well?"',
  'desk think "Geht es dem Desk gut?"',
  'desk think "¿está bien el desk?"',
  'desk think "le desk va-t-il bien ?"',
);
export const CAN: Said = said(
  'desk think "what can you do?"',
  'desk think "Was kannst du?"',
  'desk think "¿qué puedes hacer?"',
  'desk think "que peux-tu faire ?"',
);
