/** Frequent English words and German, French and Spanish function words, not names. `STOP_WORDS` have no meaning, `FREQUENT` can have. */
const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

export const STOP_WORDS = set(
  'off use used using you your yours u who whom whose which why what when where how them able actually afternoon afterwards again ahead almost already alright although always among anybody anymore anyone anyway anyhow apart around aside ' +
    'away back basically because become becomes been before began begin behind being believe besides better between bit both briefly bring brings bunch came care ' +
    'certain certainly clearly come comes coming concern concerned couldn couple currently curious days dear definitely didn different directly doesn don during each earlier early either ' +
    'else enough especially even evening ever every exact example explain fact fairly feel felt few find first follow following forward further gave generally gets getting ' +
    'gimme given gives giving glad gonna gotta guess guys happened hasn haven having hear heard hence herself him himself his hopefully however idea immediately indeed inside instead ' +
    'into isn itself keep kept kinda lately later least less lets likely little lot lots made mainly make makes making many matter maybe meanwhile mentioned mind moment moments more ' +
    'morning most mostly much myself namely near nearly necessary need needed needs neither never nevertheless next nice none nor normally nowadays obviously occur occurs once ones onto ' +
    'other others otherwise ought ours ourselves out over own particular particularly past perhaps possible possibly precisely present presently pretty previous probably put puts quickly ' +
    'quite rather read ready real really recent recently regard regarding regards relative said same saw say saying says second seconds seem seemed seems seen sense several shall ' +
    'shortly showing shown shows side simple simply since situation somebody somehow someone sometimes somewhat somewhere soon sorry sort special specific specifically stuff sure take taken takes taking ' +
    'telling tells thank thanks thanx their theirs them themselves thereby therefore thought through throughout thus together too took toward towards tried try trying twice ' +
    'under understand unless until upon usual usually various very wait want wanted wants wasn way ways weekend weren went weren whatever whenever whereas wherever whether while whilst whoever whole why ' +
    'will wish within won wonder wondering worry worries worried would wouldn yeah yes yep yours yourselves hereby btw pls plz plus etc also whatsoever existing existed happening kindly ' +
    'somewhere nowhere everywhere anywhere overall roughly approximately literally honestly seriously quick thoroughly beginner dummies newbie detail details short brief summary sentence sentences ' +
    'gerade bisschen ziemlich vielleicht eigentlich denn doch nur immer nie wieder schon etwas alle alles jemand niemand irgendwas irgendetwas eben halt sehr mehr weniger dann damit dazu daran darauf davon ' +
    'sich uns euch ihn ihm ihnen unser unsere mein meine dein deine sein seine durch gegen ohne unter wegen wahrend bis ab so auch da hier dort wo man muss musst mussen sollen wollen will mochte ' +
    'peut peux veux voudrais doit faut etre avoir quand tres plus moins bien encore deja toujours jamais peu beaucoup tout tous toute toutes chose quelque quelques quelqu rien personne moment notre nos votre vos leur leurs ' +
    'muy mas menos bien todavia ya siempre nunca poco mucho todo todos toda todas cosa algo alguien nada nadie nuestro nuestra tengo tiene tienen quiero hacia hasta cada otro otra otros otras',
);

export const FREQUENT = set(
  'account ask asked asking often talk talking reason exist exists action act address age air alone amount answer answers answered apple area arm art attack attacker author base basic bed best big bill black blue board body book books bottom box boy brand break bright ' +
    'broke brother brought build building built business busy buy call calls came capital car card carry case cat catch cause center central chance character cheap child children choice choose city class clean ' +
    'clear clears clock close closed closer coffee cold color common community company compare complete completed condition contain contains content control cool copy cost cost cough country course cover create ' +
    'created creates cross current customer cut cycle daily damage danger dangerous dark data date day dead deal death decide deep default degree delete deleted depend describe design desktop develop device diet ' +
    'difference difficult direct direction dirty doctor dog door double doubt draw drive drop dry due ease easy eat edge effect eight election else empty end ended ends energy engine enter entire entry equal error ' +
    'event events evidence exam exchange expect expert eye face fair fall false family fan far farm fashion fast fat father fault fear feature field fight figure file files fill film final finally fine finger finish ' +
    'finished fire fish fit five fix fixed flat flight floor flow fly folder food foot force foreign forget forgets form formal forty found four frame free fresh friend friends front fruit full fun function game ' +
    'games general girl glass goal god gold good great green grew ground group grow guard guest guide hair half hall hand handle hands hard hat hate head heart heat heavy height held hidden hide high history hit hold ' +
    'holds hole home hope horse hospital hotel house hundred ice ill image impact important include increase industry inform information inner install installed issue item job join joke jump key kid kids kill king kitchen ' +
    'knew known lady land language laptop large latest laugh law lay lead leader leak learn learned learning leave left leg legal lesson letter level lie life lift light like limit line link lip liquid ' +
    'list listen live lived lives living load local lock log logged login logs longer longest loose lose loss lost love lower lunch main man manage manager map mark market master match material max maximum meal mean ' +
    'means measure meet meeting member memory men message messages method middle mile milk million min minimum miss missing mistake mix mode model modern money monitor more mother mouth move moved movie music must name ' +
    'named names nation natural nature network news newspaper night nine noise normal north note notes nothing notice noticed novel object office offer official oil old online open opened opens operate opinion option ' +
    'options orange order origin outage output outside owner owns page pages pain paint pair paper parent parents park part parts party pass password pay peace pen perfect period permission person phone photo pick ' +
    'picture piece place places plan plane plant play player point points police policy political poor popular position power practice prefer prepare president press price primary print prior private problem problems ' +
    'produce product program project proper protect protected protection prove provide public pull pure purpose push quality quarter queen question questions quiet race radio rain raise range rate rates reach reachable ' +
    'reached reaches reaction reads recipe record recorded records red reduce refer reference release relation remain remember remote remove removed repair repeat replace replaced report reported reports request require ' +
    'required requires research respond response rest result results return returns rich ride right ring rise risk risky risks river road rock role roll room root round row rule rules safe safely safety sale salt sample ' +
    'save saved scale school science score screen sea search season seat secret section secure security seek sell send sends sent sentence separate series serious serve served server serves service session set sets ' +
    'setting settings setup seven shape share sharp ship shop shoot shot shoulder shout shut sick sign signal signed silly silver similar single sister sit site six size skill skin sleep sleeping slow slowest small smart ' +
    'smell smile snow social soft software sold solid solution solve son song sound source south space speak speed spell spend split sport spot spring square stable staff stage stand standard stands star start started ' +
    'starts state statement station stay step steps stick still stock stop stopped stops store stored story strange stranger street strong student study style subject success such sudden suddenly sugar suggest suit summer ' +
    'sun supply support supposed suspicious switch switched symbol table tail target task taste tax tea teach teacher team technical television temporary ten term terminal test tested text theory thick thin third thousand ' +
    'threat threats three throw ticket tight tile time times tiny tip tired title toilet tool tools top topic total touch tough tour town trace track trade train training travel tree trip trouble true trust truth turn turned ' +
    'type typed types typical ugly unit unknown update updated updates upper urgent use used useful user users uses using value values variable version victim video view visit voice volume vote walk wall war warm warning warnings ' +
    'wash watch watched watches watching water wave weak wear weather web website wedding weight west wheel white wide wife wild win wind window windows wine winter wise woman women wonderful wood worker worse worst worth ' +
    'write wrong yard year years yellow young zero zone suspicious intruder intruders malicious weird odd hacker hackers intrusion breach attackers abroad earth cloud president football poem joke weather stock bitcoin euro dollar',
);
