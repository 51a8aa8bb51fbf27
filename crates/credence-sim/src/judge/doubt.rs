//! How sure a sentence is, and what its denials reach: the words that the oracle knows beside a fact's own patterns.
//!
//! Texts are compared in a plain form (small letters without accents, quotes and emphasis taken off), so that word edges of the
//! patterns work in every Latin language. English, German, Spanish and French words are listed; a scenario in another language brings
//! its words of doubt as `hedge` patterns, and its denials as `deny` patterns.
//!
//! - *Doubt* ([`HEDGES`], a question, "if … were", "may be" unless it permits: "may be kept") makes the whole sentence say nothing.
//! - *Somebody's claim* ([`CLAIMS`]: "you say", "he swears") says nothing from there to the next "but"; "as you say" agrees and claims
//!   nothing.
//! - *A denial* ([`NEGATORS`]) reaches what follows it within its piece of the sentence: at most five words ahead, two for those that
//!   belong to a noun ("no", "without"), and all of a match that it stands in. Pieces end at commas, semicolons, dashes and words such
//!   as "but", "because" or "which", unless "that" follows. *A word for falsehood* ([`FALSEHOODS`]: "it is wrong that …") turns its
//!   whole piece round.
//!
//! Lists chosen by us; what is not listed is read as said.

use std::ops::Range;

use credence::text;

/// Words for doubt: the sentence counts neither way.
const HEDGES: &str = "perhaps|maybe|might|may have|may well|could be|could have|could well|possibly|probably|\
    presumably|likely|unlikely|apparently|allegedly|supposedly|reportedly|seemingly|seem|seems|seemed|appears to|appear to|it appears|\
    rumor|rumors|rumored|rumour|rumours|rumoured|hearsay|legend has it|word has it|some say|they say|people say|it is said|\
    unsure|uncertain|unclear|unconfirmed|unverified|undecided|not sure|not certain|not know|not recall|not remember|not think|not believe|\
    not confirm|not verify|not say|don't know|don't recall|don't remember|don't think|don't believe|doesn't know|can't say|can't confirm|\
    can't verify|can't recall|can't remember|can't tell|cannot say|cannot confirm|cannot verify|cannot recall|cannot remember|cannot tell|\
    couldn't say|couldn't confirm|no record|no idea|no memory|neither confirm|hard to say|as far as i|to my knowledge|i think|i believe|\
    i guess|i suppose|i assume|i suspect|we think|we believe|doubt|doubts|doubtful|questionable|whether|as if|what if|if memory serves|\
    if i recall|if i remember|if you say so|if true|pretend|imagine|suppose|hypothetically|in theory|would be|would have been|disputed|\
    vielleicht|moglicherweise|womoglich|eventuell|wahrscheinlich|vermutlich|angeblich|scheinbar|anscheinend|konnte sein|konnten|konnte|\
    durfte|unsicher|unklar|nicht sicher|weiss nicht|weiss ich nicht|keine ahnung|ich glaube|ich denke|ich meine|falls|gerucht|geruchte|\
    geruchten|als ob|zweifel|zweifelhaft|fraglich|\
    quiza|quizas|tal vez|acaso|posiblemente|probablemente|supuestamente|al parecer|parece|parecen|podria|podrian|puede que|puede ser|\
    no estoy seguro|no estoy segura|no se|no recuerdo|no sabria|creo que|pienso que|supongo|rumor|rumores|dudo|duda|dudoso|como si|\
    peut-etre|peut etre|probablement|sans doute|il semble|semble|semblent|apparemment|pourrait|pourraient|je crois|je pense|pas sur|\
    pas sure|sais pas|rumeur|rumeurs|comme si";
/// What may be done to something, beside words in -ed and -en: "may be kept" permits, and doubts nothing.
const PARTICIPLES: &str = "kept|told|made|done|sent|held|sold|shown|put|brought|bought|paid|left|read|run|rung|sung|lent|spent|met|built|cut|\
    let|set|won|lost|worn|drawn|thrown|known|used";
/// What looks like doubt and is none.
const SURE: &str = "no doubt|without doubt|without a doubt|beyond doubt|beyond a doubt|beyond any doubt|no doubt about it|never in doubt|\
    kein zweifel|ohne zweifel|sin duda|no hay duda|aucun doute";
/// Somebody says it: it counts for nothing up to the next "but".
const CLAIMS: &str = "you say|you said|you claim|you claimed|you insist|you insisted|you suggest|you suggested|you mention|\
    you mentioned|you tell|you told|you think|you believe|you ask|you asked|you declare|you shout|you announce|you argue|your claim|\
    your version|your story|your memory|your suggestion|claim|claims|claimed|claiming|insist|insists|insisted|swear|swears|swore|alleges|\
    alleged|du sagst|du sagtest|sie sagen|ihr sagt|du behauptest|behauptet|behaupten|behauptung|du meinst|du glaubst|\
    dices|usted dice|afirmas|afirma|aseguras|asegura|segun tu|segun usted|crees|tu dis|vous dites|affirmes|affirmez|affirme|\
    selon toi|selon vous";
/// Before a claim, these make it an agreement.
const AGREES: [&str; 5] = ["as", "like", "wie", "como", "comme"];
/// Words that deny.
const NEGATORS: &str = "not|never|nor|neither|cannot|hardly|no|nobody|nothing|none|without|nowhere|nicht|nie|niemals|nirgends|\
    niemand|nichts|weder|ohne|kein|keine|keinen|keinem|keiner|keines|nunca|jamas|tampoco|nadie|ningun|ninguna|ninguno|pas|jamais|\
    aucun|aucune|sans|dont|doesnt|didnt|isnt|wasnt|arent|werent|wont|cant|hasnt|havent";
/// Those that belong to the noun behind them.
const OF_NOUNS: &str = "no|none|nobody|nothing|without|ohne|kein|keine|keinen|keinem|keiner|keines|ningun|ninguna|ninguno|aucun|aucune|sans|sin";
/// What looks like a denial and is none: emphasis, bounds, and "no" that is no answer.
const NO_DENIALS: &str = "not exceed|not above|not over|not below|not under|not before|not after|not until|not only|not just|not merely|nicht nur|no solo|pas seulement|no question|no less than|no more than|not more than|\
    nicht mehr als|no mas de|no matter|no need|no wonder|nothing but|none other than|no later than|no earlier than|nothing has changed";
/// Words that call a piece of a sentence false.
const FALSEHOODS: &str = "false|untrue|wrong|incorrect|mistaken|a lie|a myth|not true|not right|not correct|not the case|no truth|isn't true|\
    isn't right|isn't correct|falsch|unwahr|gelogen|nicht wahr|stimmt nicht|nicht richtig|falso|falsa|mentira|no es cierto|no es verdad|\
    faux|pas vrai";
/// Words that begin a new piece of a sentence.
const BREAKS: &str = "but|however|though|although|yet|whereas|because|since|so|and|where|when|which|who|while|instead|rather|aber|sondern|\
    weil|denn|da|und|jedoch|obwohl|wo|wahrend|pero|sino|porque|aunque|y|pues|donde|mais|parce|et|car|quand";
/// Words that set what follows against what came.
const TURNS: &str = "but|however|though|although|yet|whereas|instead|aber|sondern|jedoch|pero|sino|mais";
/// Words that take back what was said before.
const CORRECTIONS: &str = "correction|misspoke|i was wrong|sorry|apologies|i apologize|my mistake|wait|let me correct|to correct|scratch that|\
    stand corrected|actually|in fact|to be clear|korrektur|entschuldigung|tut mir leid|geirrt|eigentlich|vielmehr|richtig ist|perdon|\
    correccion|me equivoque|en realidad|mejor dicho|pardon|me suis trompe|en fait|plutot";

/// A word of the plain form.
struct Token {
    word: String,
    at: Range<usize>,
}

/// A sentence made ready.
pub(super) struct Sentence {
    /// The plain form, which patterns are matched on.
    pub(super) plain: String,
    tokens: Vec<Token>,
    /// Where pieces begin, with 0.
    pieces: Vec<usize>,
    is_spanish: bool,
    doubted: Option<&'static str>,
    claimed: Vec<Range<usize>>,
}

/// A text as patterns see it.
pub(super) fn plain(text: &str) -> String {
    let bare = text::without_accents(&text::fold(text));
    let mut out = String::with_capacity(bare.len());
    for c in bare.chars() {
        match c {
            '’' | '‘' | 'ʼ' | '`' if c != '`' => out.push('\''),
            '"' | '“' | '”' | '„' | '«' | '»' | '*' | '`' => {}
            c if c.is_whitespace() => {
                if !out.ends_with(' ') && !out.is_empty() {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
    }
    out.trim_end().to_owned()
}

/// A pattern as it is matched on plain text: its letters plain, what stands behind a backslash left as it is.
pub(super) fn plain_pattern(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut letters = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if c == '\\' {
            out.push_str(&text::without_accents(&text::fold(&std::mem::take(&mut letters))));
            out.push(c);
            out.extend(chars.next());
        } else {
            letters.push(if matches!(c, '’' | '‘') { '\'' } else { c });
        }
    }
    out.push_str(&text::without_accents(&text::fold(&letters)));
    out
}

fn listed(list: &str, word: &str) -> bool {
    list.split('|').any(|entry| entry == word)
}

fn is_negator(word: &str) -> bool {
    word.ends_with("n't") || listed(NEGATORS, word)
}

/// Whether a pattern means a denial itself.
pub(super) fn denies_itself(pattern: &str) -> bool {
    // What stands behind a backslash is no letter of a word.
    let mut escaped = false;
    let letters: String = pattern
        .chars()
        .map(|c| {
            let keep = !escaped && (c.is_alphanumeric() || c == '\'');
            escaped = !escaped && c == '\\';
            if keep { c } else { ' ' }
        })
        .collect();
    letters.split(' ').any(|word| is_negator(word) || word == "sin")
}

impl Sentence {
    pub(super) fn of(sentence: &str) -> Self {
        let plain = plain(sentence);
        let tokens = tokens(&plain);
        let is_spanish = text::language(sentence) == text::Language::Spanish;
        let mut this = Self {
            pieces: pieces(&plain, &tokens),
            plain,
            tokens,
            is_spanish,
            doubted: None,
            claimed: Vec::new(),
        };
        let ends = sentence
            .trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '?' | '？' | '؟' | '!' | '.'));
        let quotes = sentence.contains(['"', '“', '”', '„', '«']);
        this.claimed = this.claims();
        this.doubted = if ends.ends_with(['?', '？', '؟']) {
            Some("a question")
        } else if quotes && !this.claimed.is_empty() {
            Some("somebody's words")
        } else if this.is_hedged(sentence) {
            Some("doubt")
        } else {
            None
        };
        this
    }

    /// Why the sentence says nothing.
    pub(super) fn doubted(&self) -> Option<&'static str> {
        self.doubted
    }
    /// Whether a match lies in what somebody only claims.
    pub(super) fn is_claimed(&self, found: &Range<usize>) -> bool {
        self.claimed.iter().any(|claim| claim.start <= found.start && found.end <= claim.end)
    }
    /// Whether it takes back what was said before.
    pub(super) fn corrects(&self) -> bool {
        !self.phrases(CORRECTIONS).is_empty()
    }

    /// Whether a match is denied. `own`: its pattern means a denial itself.
    pub(super) fn is_denied(&self, found: &Range<usize>, own: bool) -> bool {
        let begin = *self.pieces.iter().rfind(|at| **at < found.end).unwrap_or(&0);
        let end = self.pieces.iter().find(|at| **at >= found.end).copied().unwrap_or(self.plain.len());
        let spared =
            self.phrases(NO_DENIALS).into_iter().chain(self.phrases(SURE)).chain(self.phrases(FALSEHOODS));
        let spared: Vec<Range<usize>> = spared.collect();
        let is_spared =
            |at: &Range<usize>| spared.iter().any(|range| range.start <= at.start && at.end <= range.end);
        let ahead = |token: &Token| {
            self.tokens.iter().filter(|t| t.at.start >= token.at.end && t.at.end <= found.start).count()
        };
        let reaches = |(nth, token): (usize, &Token)| {
            let word = token.word.as_str();
            let negates = is_negator(word) || self.is_spanish && word == "sin";
            let inside = token.at.start >= found.start;
            // Within the match a denial reaches on to its end, unless something is set against it on the way: "not oak but iron".
            let is_far = token.at.start < begin && !(inside && self.goes_on(token.at.end..found.end));
            if !negates || is_spared(&token.at) || is_far || token.at.end > found.end {
                return false;
            }
            let numbers = word == "no"
                && self.tokens.get(nth + 1).is_some_and(|t| t.word.starts_with(|c: char| c.is_ascii_digit()));
            let near = ahead(token) <= if listed(OF_NOUNS, word) && !self.is_spanish { 2 } else { 5 };
            !numbers && if inside { !own } else { near }
        };
        let denied = self.tokens.iter().enumerate().any(reaches);
        let outside = |at: &Range<usize>| at.end <= found.start || at.start >= found.end;
        let called_false =
            self.phrases(FALSEHOODS).iter().any(|at| at.start >= begin && at.end <= end && outside(at));
        denied != called_false
    }

    /// Whether a span of the sentence has no comma or the like, and no word that sets what follows against what came.
    fn goes_on(&self, span: Range<usize>) -> bool {
        let within = |token: &&Token| token.at.start >= span.start && token.at.end <= span.end;
        !self.plain[span.clone()].contains([',', ';', ':', '—', '–'])
            && !self
                .tokens
                .iter()
                .filter(within)
                .any(|token| listed(TURNS, &token.word) || token.word == "rather")
    }

    /// Where phrases of a list stand, the longest at each place.
    fn phrases(&self, list: &str) -> Vec<Range<usize>> {
        let mut out: Vec<Range<usize>> = Vec::new();
        for nth in 0..self.tokens.len() {
            let here = list.split('|').filter_map(|phrase| self.phrase_at(nth, phrase)).max();
            if let Some(last) = here
                && out.last().is_none_or(|before| before.end <= self.tokens[nth].at.start)
            {
                out.push(self.tokens[nth].at.start..self.tokens[last].at.end);
            }
        }
        out
    }
    /// The last token of a phrase that begins with a token.
    fn phrase_at(&self, nth: usize, phrase: &str) -> Option<usize> {
        let mut last = nth;
        for (offset, word) in phrase.split(' ').enumerate() {
            last = nth + offset;
            if self.tokens.get(last)?.word != word {
                return None;
            }
        }
        Some(last)
    }

    fn is_hedged(&self, sentence: &str) -> bool {
        let sure = self.phrases(SURE);
        let hedges = self.phrases(HEDGES);
        let counts =
            |hedge: &Range<usize>| !sure.iter().any(|at| at.start <= hedge.start && hedge.end <= at.end);
        let has = |word: &str| self.tokens.iter().any(|token| token.word == word);
        // "Si" without its accent is "if", in Spanish and French.
        let supposes = text::words(sentence).iter().any(|word| word == "si");
        hedges.iter().any(counts) || supposes || has("if") && (has("were") || has("would")) || self.may_be()
    }
    /// "May be" or "may not be" before what is no participle.
    fn may_be(&self) -> bool {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.word.as_str());
        let permits = |word: &str| word.ends_with("ed") || word.ends_with("en") || listed(PARTICIPLES, word);
        (0..self.tokens.len()).filter(|at| word(*at) == "may").any(|at| {
            let be = at + 1 + usize::from(word(at + 1) == "not");
            word(be) == "be" && !permits(word(be + 1))
        })
    }

    fn claims(&self) -> Vec<Range<usize>> {
        let agrees = |at: &Range<usize>| {
            let before = self.tokens.iter().rfind(|token| token.at.end <= at.start);
            before.is_some_and(|token| AGREES.contains(&token.word.as_str()))
        };
        let until = |at: &Range<usize>| {
            let turn =
                self.tokens.iter().find(|token| token.at.start >= at.end && listed(TURNS, &token.word));
            let mark = self.plain[at.end..].find([';', '—']).map(|offset| at.end + offset);
            turn.map_or(self.plain.len(), |token| token.at.start).min(mark.unwrap_or(self.plain.len()))
        };
        self.phrases(CLAIMS).into_iter().filter(|at| !agrees(at)).map(|at| at.start..until(&at)).collect()
    }
}

fn tokens(plain: &str) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    let inside = |c: char| c.is_alphanumeric() || c == '\'';
    let mut start = None;
    for (at, c) in plain.char_indices().chain([(plain.len(), ' ')]) {
        match start {
            None if inside(c) => start = Some(at),
            Some(from) if !inside(c) => {
                let word = plain[from..at].trim_matches('\'').to_owned();
                if !word.is_empty() {
                    out.push(Token { word, at: from..at });
                }
                start = None;
            }
            _ => {}
        }
    }
    out
}

/// Where pieces begin: behind marks that are not inside a number and not before "that", and at words that begin one.
fn pieces(plain: &str, tokens: &[Token]) -> Vec<usize> {
    let mut out = vec![0];
    let mut before = ' ';
    for (at, c) in plain.char_indices() {
        let rest = &plain[at + c.len_utf8()..];
        let number = before.is_ascii_digit() && rest.starts_with(|c: char| c.is_ascii_digit());
        let goes_on = ["dass ", "that ", "que "].iter().any(|word| rest.trim_start().starts_with(word));
        let dash = c == '-' && before == ' ' && rest.starts_with(' ');
        if (matches!(c, ',' | ';' | ':' | '(' | ')' | '—' | '–') || dash) && !number && !goes_on {
            out.push(at + c.len_utf8());
        }
        before = c;
    }
    out.extend(tokens.iter().filter(|token| listed(BREAKS, &token.word)).map(|token| token.at.start));
    out.sort_unstable();
    out.dedup();
    out
}
