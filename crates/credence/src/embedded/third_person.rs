//! Statements about others in German, Spanish and French: "Der Schlüssel liegt unter der Brücke.", "El jarabe se da cada ocho horas.".
//!
//! The patterns of `languages.tsv` read what people say of themselves. What they say of the world is kept word for word where a sentence
//! has the plainest form there is, a named subject and a finite verb behind it, and nothing in it points elsewhere: no speaker, nobody spoken
//! to, no pronoun for a subject, no condition, no hedge, no second clause. Doubt means no.

use crate::extraction::CandidateMention;
use crate::proposition::MentionRole;
use crate::text::{Language, language};

use super::subject::thing;

/// Most words of such a sentence.
const MOST_WORDS: usize = 20;

/// Most words of the subject.
const MOST_SUBJECT: usize = 9;

/// What was read.
pub(super) struct Told {
    pub(super) text: String,
    pub(super) mentions: Vec<CandidateMention>,
}

/// The closed classes of one language, in small letters.
struct Grammar {
    language: Language,
    /// What opens a noun phrase.
    determiners: &'static str,
    /// Finite verbs of the third person.
    verbs: &'static str,
    /// Words directly before which or behind which a verb stands: "no tolera", "se da".
    before_verb: &'static str,
    /// Words that make a sentence somebody's own, a guess, a condition or more than one clause.
    refused: &'static str,
}

/// Verbs behind which a name stands, of all three: short sentences of one are taken for another.
const NAMING: [&str; 6] = ["heißt", "heißen", "llama", "llaman", "appelle", "appellent"];

const GRAMMARS: [Grammar; 3] = [
    Grammar {
        language: Language::German,
        determiners: "der die das den dem ein eine einen jede jeder jedes alle kein keine keiner",
        verbs: "ist sind hat haben war waren wird werden wurde wurden darf dürfen muss müssen soll sollen kann können bleibt bleiben liegt \
            liegen steht stehen wohnt wohnen lebt leben heißt heißen bekommt bekommen bekam braucht brauchen kostet kosten beginnt beginnen \
            endet enden gilt gelten gehört gehören kommt kommen kam kamen geht gehen ging gingen fährt fahren fuhr nimmt nehmen nahm trinkt \
            trinken isst essen trägt tragen trug schläft schlafen öffnet öffnen schließt schließen führt führen führte erteilt erteilen zahlt \
            zahlen prüft prüfen verträgt vertragen enthält enthalten besitzt besitzen arbeitet arbeiten spricht sprechen mag mögen hält halten \
            bewacht bewachen verlangt verlangen erhält erhalten stammt stammen passt passen läuft laufen fehlt fehlen reicht reichen dauert \
            dauern findet finden fand gab gibt geben liefert liefern meldet melden genehmigt genehmigen unterschreibt unterschreiben",
        before_verb: "",
        refused: "ich mich mir mein meine meinem meinen meiner meines wir uns unser unsere unserem unseren du dich dir dein deine deinem \
            deinen ihr euch euer eure sie er es ihm ihn ihnen man dies diese dieser dieses diesem diesen jene jener das's da dort hier wenn falls ob \
            vielleicht wohl angeblich möglicherweise vermutlich würde würden könnte könnten hätte hätten wäre wären glaubt meint denkt sagt \
            sagte behauptet weil dass aber oder doch bitte also demnach folglich heute gestern morgen jetzt dann nun",
    },
    Grammar {
        language: Language::Spanish,
        determiners: "el la los las un una unos unas cada todo toda todos todas ningún ninguna",
        verbs: "es son está están era eran fue fueron tiene tienen tenía hay vive viven trabaja trabajan toma toman cuesta cuestan empieza \
            empiezan termina terminan abre abren cierra cierran necesita necesitan debe deben puede pueden bebe beben come comen duerme duermen lleva \
            llevan queda quedan llega llegan sale salen viene vienen va van dura duran paga pagan pertenece pertenecen recibe reciben habla hablan \
            firma firman guarda guardan mide miden pesa pesan contiene contienen sufre sufren odia odian prefiere prefieren estudia estudian nació \
            murió llegó salió costó empezó terminó compró vendió firmó",
        before_verb: "no se nunca ya siempre",
        refused: "yo me mí mi mis mío mía nos nosotros nuestro nuestra nuestros nuestras tú te ti tu tus usted ustedes vuestro vuestra os él ella \
            ellos ellas ello su sus esto esta este estos estas eso esa ese esos esas aquello aquí ahí allí si quizás quizá acaso podría podrían sería \
            serían habría cree creen creo dice dicen dijo supone parece porque pero aunque cuando que hoy ayer ahora entonces luego pues",
    },
    Grammar {
        language: Language::French,
        determiners: "le la les un une des l' chaque tout toute tous toutes aucun aucune",
        verbs: "est sont était étaient fut a ont avait avaient vit vivent habite habitent travaille travaillent prend prennent coûte coûtent \
            commence commencent finit finissent ouvre ouvrent ferme ferment doit doivent peut peuvent boit boivent mange mangent dort dorment porte \
            portent reste restent arrive arrivent part partent vient viennent va vont dure durent paie paient appartient appartiennent reçoit \
            reçoivent parle parlent signe signent garde gardent mesure mesurent pèse pèsent contient contiennent déteste détestent préfère préfèrent \
            étudie étudient faut supporte supportent tolère tolèrent",
        before_verb: "ne n' se s'",
        refused: "je j' me m' moi mon ma mes nous notre nos tu te t' toi ton ta tes vous votre vos il elle ils elles lui leur leurs on ce c' cela ça \
            cet cette ces son sa ses ici là si peut-être pourrait pourraient serait seraient aurait crois croit dit disent pense pensent semble \
            parce mais quand lorsque que qu' hier maintenant alors donc",
    },
];

fn is_in(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

/// A word as it stands and in small letters; an elided article is a word of its own.
struct Word<'a> {
    text: &'a str,
    low: String,
}

impl Word<'_> {
    fn is_capital(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }
    fn ends_a_name(&self) -> bool {
        self.is_capital() || self.text.starts_with(|c: char| c.is_ascii_digit())
    }
}

fn words(sentence: &str) -> Vec<Word<'_>> {
    let mut out = Vec::new();
    for mut piece in sentence.split_whitespace() {
        while let Some(at) = piece.find(['\'', '\u{2019}']).filter(|at| *at <= 2) {
            let end = at + piece[at..].chars().next().map_or(1, char::len_utf8);
            out.push(Word { text: &piece[..end], low: piece[..end].to_lowercase().replace('\u{2019}', "'") });
            piece = &piece[end..];
        }
        if !piece.is_empty() {
            out.push(Word { text: piece, low: piece.to_lowercase() });
        }
    }
    out
}

/// Reads a sentence that is no question. `None` where it has another form or is in another language.
pub(super) fn read(sentence: &str) -> Option<Told> {
    let body = sentence.trim().trim_end_matches(['.', '!', ' ']);
    if body.contains([
        ',', ';', ':', '"', '\u{201c}', '\u{201e}', '\u{ab}', '(', '?', '!', '\u{bf}', '\u{a1}', '\n',
    ]) {
        return None;
    }
    let said = words(body);
    if !(3..=MOST_WORDS).contains(&said.len()) {
        return None;
    }
    let guessed = language(body);
    // A sentence without any small word of its language is taken for English: a German verb tells better.
    let german = |g: &&Grammar| {
        let verb = |w: &Word<'_>| is_in(g.verbs, &w.low) && w.low.chars().count() > 3;
        g.language == Language::German && guessed == Language::English && said[1..].iter().any(verb)
    };
    let grammar = GRAMMARS.iter().find(|g| g.language == guessed || german(g))?;
    grammar.read(body, &said)
}

impl Grammar {
    fn read(&self, body: &str, said: &[Word<'_>]) -> Option<Told> {
        let determined = is_in(self.determiners, &said[0].low);
        if said.iter().any(|word| is_in(self.refused, &word.low)) || !(determined || said[0].is_capital()) {
            return None;
        }
        let (end, verb) = self.verb_at(said, determined)?;
        let subject = said.get(usize::from(determined)..end).filter(|subject| !subject.is_empty())?;
        // "Der große" is no subject: somebody or something is named.
        let named = match self.language {
            Language::German => subject.iter().any(Word::ends_a_name),
            _ => {
                determined
                    || subject
                        .iter()
                        .all(|w| w.is_capital() || matches!(w.low.as_str(), "de" | "del" | "du" | "la"))
            }
        };
        let nothing_said = verb + 1 >= said.len();
        if !named || nothing_said {
            return None;
        }
        let span = |words: &[Word<'_>]| words.iter().map(|w| w.text).collect::<Vec<_>>().join(" ");
        let kind = if determined { "Thing" } else { "" };
        let mut mentions = vec![thing(&span(subject), kind, MentionRole::Subject)];
        if NAMING.contains(&said[verb].low.as_str()) && said[verb + 1..].iter().any(Word::is_capital) {
            mentions.push(thing(&span(&said[verb + 1..]), "", MentionRole::Object));
        }
        mentions.retain(|m| body.contains(&m.span));
        Some(Told { text: format!("{body}."), mentions })
    }

    /// Where the subject ends and where the finite verb stands: behind a noun in German, anywhere behind the first noun elsewhere.
    fn verb_at(&self, said: &[Word<'_>], determined: bool) -> Option<(usize, usize)> {
        // Where "no", "se", "ne" began, with which the predicate begins.
        let mut begun = None;
        for i in 1 + usize::from(determined)..said.len().min(MOST_SUBJECT + 1) {
            let low = said[i].low.as_str();
            if said[i].is_capital() {
                continue;
            }
            if is_in(self.before_verb, low) {
                begun = begun.or(Some(i));
                continue;
            }
            let is_verb = is_in(self.verbs, low) || NAMING.contains(&low);
            let fits = match self.language {
                Language::German => is_verb && said[i - 1].ends_a_name(),
                _ => is_verb || begun.is_some() && !is_in(self.determiners, low),
            };
            if fits {
                return Some((begun.unwrap_or(i), i));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_statements_about_others_are_kept_word_for_word() {
        for sentence in [
            "Der Schlüssel zum Turm liegt unter der Brücke.",
            "Die große Glocke hat einen Riss.",
            "Pfarrer Konrad wohnt im Mühlhaus.",
            "Minka bekommt morgens 40 Gramm Futter.",
            "Minka darf nicht auf den Balkon.",
            "Die Tierärztin heißt Dr. Yıldız.",
            "Aufträge über 5000 Euro brauchen drei Angebote.",
            "Die Freigabe erteilt Frau Özdemir.",
            "Die Firma Rabe ist gesperrt.",
            "Lucía no tolera la leche.",
            "La doctora de Lucía se llama Inés Robles.",
            "El jarabe se da cada ocho horas.",
            "La clé de la tour est sous le pont.",
            "L'agence ferme à six heures.",
            "Zoé ne supporte pas le lait.",
        ] {
            assert_eq!(read(sentence).map(|told| told.text).as_deref(), Some(sentence));
        }
    }

    #[test]
    fn what_is_ones_own_a_guess_or_two_things_is_not() {
        for sentence in [
            "Ich frage die Wirtin.",
            "Noch etwas.",
            "Nächster Satz.",
            "Das ist schön.",
            "Er wohnt im Mühlhaus.",
            "Wenn die Glocke klingt bleibt Konrad stehen.",
            "Vielleicht liegt der Schlüssel unter der Brücke.",
            "Die Wirtin sagt Konrad wohnt im Mühlhaus.",
            "Su madre me ha escrito.",
            "Y otra cosa.",
            "Apunto un nombre.",
            "Quizás el jarabe se da cada ocho horas.",
            "Ma soeur habite à Lyon.",
            "C'est la clé de la tour.",
            "Si la clé est sous le pont.",
            "The key lies under the bridge.",
            "Keep the door locked.",
        ] {
            assert_eq!(read(sentence).map(|told| told.text), None, "{sentence}");
        }
    }

    #[test]
    fn the_subject_and_a_name_that_is_given_are_mentions() {
        let told = read("La doctora de Lucía se llama Inés Robles.").unwrap();
        let spans: Vec<&str> = told.mentions.iter().map(|m| m.span.as_str()).collect();
        assert_eq!(spans, ["doctora de Lucía", "Inés Robles"]);
        let told = read("Pfarrer Konrad wohnt im Mühlhaus.").unwrap();
        assert_eq!(told.mentions[0].span, "Pfarrer Konrad");
    }
}
