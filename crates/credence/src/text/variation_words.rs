//! The words that [`super::variation`] reads with: English, German, Spanish, French. Chosen by us.
//!
//! Words are folded and parted by white space. What is not listed is not decided, so each list errs on the side of being short.

use super::language::Language;

/// The words of one language.
pub(super) struct Words {
    /// Verbs that give their subject one amount, in the present: "is", "has", "weighs", "lasts".
    pub(super) amount: &'static str,
    /// Verbs that give their subject one point in time, in the present, and the participles of plans: "starts", "planned".
    pub(super) scheduled: &'static str,
    /// Past forms and participles of what happens once: "founded", "died".
    pub(super) once: &'static str,
    /// What may stand between such a verb and its amount or time: prepositions, definite articles, "about".
    pub(super) between: &'static str,
    /// Of these, the ones that make an amount a rough one.
    pub(super) roughly: &'static str,
    /// What may follow a measure that the verb "has" is not to lend to a thing: "has 5 km to go", not "has 5 kg weights".
    pub(super) behind_measure: &'static str,
    /// Forms of "is" before a value.
    pub(super) copula: &'static str,
    /// Verbs with one value, as phrases parted by `|`: "belongs to".
    pub(super) one_valued: &'static str,
    /// Verbs of place, as phrases parted by `|`. Places lie within each other, so that two of them are only suspected.
    pub(super) placed: &'static str,
    /// Nouns of which a thing has one: "capital", "leader".
    pub(super) one_nouns: &'static str,
    /// Words that begin a description, which may be what a name names.
    pub(super) describing: &'static str,
    /// Number words, each with its value, beyond those of [`super::particulars`].
    pub(super) numbers: &'static str,
    /// Words of reservation, condition and report, and of what was.
    pub(super) hedges: &'static str,
}

const ENGLISH: Words = Words {
    amount: "is are has have costs cost weighs weigh measures measure lasts last takes take needs need requires require contains contain \
        holds hold allows allow earns earn pays pay covers cover runs run spans span seats seat employs employ counts count supports \
        support uses use consumes consume comprises comprise totals total",
    scheduled: "is are starts start begins begin ends end leaves leave departs depart arrives arrive opens open closes close expires expire \
        finishes finish takes take planned scheduled due",
    once: "founded born died signed built published released began begun started ended opened closed abolished discovered invented \
        established launched completed elected destroyed married",
    between: "on in at to of for from by the about around roughly almost nearly approximately exactly up only place daily until",
    roughly: "about around roughly almost nearly approximately",
    behind_measure: "of per a each in on at from to long wide high tall deep old away left off every",
    copula: "is",
    one_valued: "belongs to|belong to",
    placed: "is in|is on|is at|is located in|lies in|is based in|is kept in",
    one_nouns: "capital head leader chief captain king queen emperor president chancellor mayor director manager boss ceo cto cfo \
        chairman chairwoman chair owner landlord password address name title headquarters currency nationality birthplace \
        employer colour color species brand size winner successor predecessor heir wife husband mother father spouse weight \
        height age deadline programming-language blood-type operating-system",
    describing: "a an some his her their my our its another one someone something",
    numbers: "hundred 100 thousand 1000",
    hedges: "may might would could should will if unless maybe perhaps possibly probably wants want wanted hopes plans said says thinks think \
        believes claims seems likely when whether wishes considering or used formerly once previously",
};

const GERMAN: Words = Words {
    amount: "ist sind hat haben kostet kosten wiegt wiegen misst dauert dauern braucht brauchen benötigt benötigen enthält enthalten fasst \
        erlaubt erlauben verdient verdienen zahlt zahlen läuft laufen gilt gelten beträgt betragen umfasst umfassen nimmt nehmen zählt \
        zählen unterstützt verbraucht beschäftigt",
    scheduled: "ist sind beginnt beginnen endet enden startet starten fährt fahren kommt öffnet öffnen schliesst schliessen findet finden \
        läuft geplant angesetzt fällig",
    once: "gegründet geboren gestorben starb unterzeichnet gebaut erbaut veröffentlicht begann begonnen startete endete eröffnet geschlossen \
        abgeschafft entdeckt erfunden gewählt zerstört",
    between: "am um im in bis auf bei zu für von vom ab der die das den dem etwa rund circa ca ungefähr fast nur genau täglich wurde wurden",
    roughly: "etwa rund circa ca ungefähr fast",
    behind_measure: "lang breit hoch tief alt entfernt pro je im am vom von weit zeit",
    copula: "ist heisst lautet",
    one_valued: "gehört dem|gehört der|gehört den|gehört",
    placed: "ist in|ist im|liegt in|liegt im|liegt an|steht in|steht im|befindet sich in|befindet sich im|hängt in|hängt im",
    one_nouns: "hauptstadt vorsitzende vorsitzender leiter leiterin chef chefin anführer anführerin häuptling kapitän könig königin kaiser \
        kaiserin präsident präsidentin kanzler kanzlerin bürgermeister bürgermeisterin direktor direktorin besitzer besitzerin \
        eigentümer eigentümerin vermieter passwort adresse name titel sitz währung staatsangehörigkeit geburtsort arbeitgeber \
        farbe art marke grösse gewinner nachfolger vorgänger erbe frau mann mutter vater gewicht höhe alter frist \
        programmiersprache blutgruppe betriebssystem",
    describing: "ein eine einen einem einer mein meine sein seine ihr ihre unser unsere etwas jemand",
    numbers: "elf 11 zwölf 12 dreizehn 13 fünfzehn 15 zwanzig 20 dreissig 30 vierzig 40 fünfzig 50 hundert 100 tausend 1000",
    hedges: "vielleicht wahrscheinlich könnte würde möchte will wollte soll sollte wenn falls ob sagt glaubt meint denkt behauptet hofft \
        oder früher ehemals damals dass",
};

const SPANISH: Words = Words {
    amount: "es son está están tiene tienen cuesta cuestan pesa pesan mide miden dura duran necesita necesitan requiere contiene contienen \
        permite permiten gana ganan paga pagan cubre lleva llevan toma toman usa usan consume emplea admite cuenta suma",
    scheduled: "es son empieza empiezan comienza comienzan termina terminan acaba sale salen llega llegan abre abren cierra cierran vence \
        expira previsto prevista programado programada tiene tienen",
    once: "fundó fundado fundada nació murió falleció firmó firmado firmada construyó construido construida publicó publicado publicada \
        empezó comenzó terminó acabó inauguró abolió descubrió descubierto descubierta inventó inventado elegido elegida destruido \
        destruida",
    between: "a al el la los las de del en para por hasta unos unas aproximadamente casi solo exactamente cerca alrededor con lugar",
    roughly: "unos unas aproximadamente casi cerca alrededor",
    behind_measure: "de por a al en del para cada",
    copula: "es",
    one_valued: "pertenece a|pertenece al",
    placed: "está en|se encuentra en|queda en",
    one_nouns: "capital jefe jefa líder presidente presidenta director directora alcalde alcaldesa capitán capitana rey reina emperador \
        dueño dueña propietario propietaria contraseña dirección nombre título sede moneda nacionalidad empleador color especie \
        marca talla ganador ganadora sucesor sucesora heredero esposa marido mujer madre padre peso altura edad plazo lenguaje",
    describing: "un una unos unas mi su sus nuestro nuestra algo alguien",
    numbers: "seis 6 diez 10 once 11 doce 12 quince 15 veinte 20 treinta 30 cuarenta 40 cincuenta 50 cien 100 mil 1000",
    hedges: "quizás quizá tal-vez podría quiere quería querría si dice cree piensa espera afirma probablemente posiblemente o antes que",
};

const FRENCH: Words = Words {
    amount: "est sont a ont coûte coûtent pèse pèsent mesure mesurent dure durent compte comptent demande demandent exige contient \
        contiennent autorise autorisent permet gagne gagnent paie couvre tourne tournent utilise consomme emploie prend prennent nécessite \
        comporte",
    scheduled: "est sont commence commencent débute finit finissent termine terminent part partent arrive arrivent ouvre ouvrent ferme \
        ferment expire expirent prévu prévue a ont",
    once: "fondé fondée né née mort morte décédé décédée signé signée construit construite publié publiée commencé débuté fini terminé \
        terminée inauguré inaugurée aboli abolie découvert découverte inventé inventée élu élue détruit détruite",
    between: "à au le la les de du en sur pour par dans jusqu'à jusqu'au environ presque seulement exactement lieu vers",
    roughly: "environ presque vers",
    behind_measure: "de du d par à au en pour chaque",
    copula: "est",
    one_valued: "appartient à|appartient au|appartient aux",
    placed: "est à|est en|est dans|se trouve|se trouve à|se trouve dans|se situe à",
    one_nouns: "capitale chef cheffe leader président présidente directeur directrice maire capitaine roi reine empereur propriétaire \
        adresse nom titre siège monnaie nationalité employeur couleur espèce marque taille gagnant gagnante successeur héritier \
        femme mari mère père poids hauteur âge délai langage",
    describing: "un une des mon ma mes son sa ses notre leur quelque quelqu'un",
    numbers: "sept 7 huit 8 neuf 9 dix 10 onze 11 douze 12 quinze 15 vingt 20 trente 30 quarante 40 cinquante 50 cent 100 mille 1000",
    hedges: "peut-être pourrait voudrait aimerait veut si dit pense croit espère affirme probablement ou autrefois \
        qu que quand",
};

impl Words {
    /// The words of a language; none where it is not read.
    pub(super) fn of(language: Language) -> Option<&'static Self> {
        match language {
            Language::English => Some(&ENGLISH),
            Language::German => Some(&GERMAN),
            Language::Spanish => Some(&SPANISH),
            Language::French => Some(&FRENCH),
            _ => None,
        }
    }
}

/// Whether a list holds a word.
pub(super) fn listed(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|entry| entry == word)
}

/// Ordinals, in the four languages: they count as their numbers.
pub(super) const ORDINALS: [(&str, u32); 10] = [
    ("first erste ersten erster primer primero primera premier première", 1),
    ("second zweite zweiten zweiter segundo segunda deuxième", 2),
    ("third dritte dritten dritter tercer tercero tercera troisième", 3),
    ("fourth vierte vierten vierter cuarto cuarta quatrième", 4),
    ("fifth fünfte fünften fünfter quinto quinta cinquième", 5),
    ("sixth sechste sechsten sechster sexto sexta sixième", 6),
    ("seventh siebte siebten siebter séptimo séptima septième", 7),
    ("eighth achte achten achter octavo octava huitième", 8),
    ("ninth neunte neunten neunter noveno novena neuvième", 9),
    ("tenth zehnte zehnten zehnter décimo décima dixième", 10),
];
