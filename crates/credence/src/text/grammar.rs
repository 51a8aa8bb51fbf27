//! How each language denies: the tables that [`super::negation`] reads with. Chosen by us.
//!
//! A phrase is words parted by one space, in canonical form; Chinese characters are words.

use super::language::Language;

/// How one language denies.
pub(super) struct Grammar {
    /// Look negated and are not; kept as words.
    pub(super) idioms: &'static [&'static str],
    /// Negators that are counted.
    pub(super) primary: &'static [&'static str],
    /// Negators that only count where no primary one is there.
    pub(super) secondary: &'static [&'static str],
    /// Particles that deny nothing alone (French "ne").
    pub(super) particles: &'static [&'static str],
    /// Count only beside a particle ("plus" beside "ne").
    pub(super) with_particle: &'static [&'static str],
    /// Fall away together with a negation.
    pub(super) companions: &'static [&'static str],
    /// Words that begin a clause.
    pub(super) conjunctions: &'static [&'static str],
}

const ENGLISH: Grammar = Grammar {
    idioms: &[
        "not only",
        "not just",
        "not least",
        "not to mention",
        "no doubt",
        "no matter",
        "no wonder",
        "no problem",
        "can not wait",
        "can not help",
        "could not wait",
        "could not agree more",
        "could not be happier",
        "whether or not",
        "or not",
        "nothing but",
        "never mind",
        "why not",
        "not without",
        "never without",
    ],
    primary: &[
        "do not",
        "does not",
        "did not",
        "no longer",
        "not",
        "never",
        "no more",
        "no",
        "none",
        "hardly",
        "barely",
        "scarcely",
        "neither",
        "nor",
        "nobody",
        "nothing",
        "nowhere",
    ],
    secondary: &[],
    particles: &[],
    with_particle: &[],
    companions: &["any more", "any longer", "anymore", "at all", "any", "ever", "yet", "either"],
    conjunctions: &[
        "and", "but", "or", "nor", "while", "although", "though", "because", "so", "since", "whereas",
    ],
};
const GERMAN: Grammar = Grammar {
    idioms: &["nicht nur", "nicht zuletzt", "nicht wahr", "nicht ohne"],
    primary: &[
        "nicht mehr",
        "nicht",
        "nie mehr",
        "niemals",
        "nie",
        "kein",
        "keine",
        "keinen",
        "keinem",
        "keiner",
        "keines",
        "niemand",
        "nichts",
        "kaum",
        "weder",
    ],
    secondary: &[],
    particles: &[],
    with_particle: &[],
    companions: &["mehr", "überhaupt", "gar"],
    conjunctions: &["und", "aber", "oder", "sondern", "denn", "weil", "obwohl"],
};
const FRENCH: Grammar = Grammar {
    idioms: &["pas seulement", "pas mal"],
    primary: &[],
    secondary: &["pas", "jamais"],
    particles: &["ne", "n"],
    with_particle: &["plus", "rien", "personne", "aucun", "aucune", "guère", "point"],
    companions: &["du tout"],
    conjunctions: &["et", "mais", "ou", "car", "parce"],
};
const SPANISH: Grammar = Grammar {
    idioms: &["no solo", "no sólo", "no obstante", "no sin"],
    primary: &["ya no", "no"],
    secondary: &["nunca", "jamás", "tampoco", "nadie", "nada", "ningún", "ninguno", "ninguna", "ni"],
    particles: &[],
    with_particle: &[],
    companions: &["más"],
    conjunctions: &["y", "e", "pero", "o", "sino", "porque"],
};
const PORTUGUESE: Grammar = Grammar {
    idioms: &["não só", "não apenas"],
    primary: &["já não", "não"],
    secondary: &["nunca", "jamais", "nem", "ninguém", "nada", "nenhum", "nenhuma"],
    particles: &[],
    with_particle: &[],
    companions: &["mais"],
    conjunctions: &["e", "mas", "ou", "porque"],
};
const RUSSIAN: Grammar = Grammar {
    idioms: &["не только"],
    primary: &["больше не", "уже не", "не", "нет", "нельзя"],
    secondary: &["никогда", "никто", "ничего", "нигде", "ни"],
    particles: &[],
    with_particle: &[],
    companions: &["больше", "уже"],
    conjunctions: &["и", "но", "а", "или", "потому"],
};
/// Characters are words here. The idioms are words that merely contain a negator.
const CHINESE: Grammar = Grammar {
    idioms: &[
        "不 但",
        "不 仅",
        "不 错",
        "不 过",
        "差 不 多",
        "不 少",
        "不 同",
        "对 不 起",
        "不 久",
        "不 断",
        "不 得 不",
        "没 关 系",
        "没 问 题",
        "不 如",
        "不 管",
        "不 论",
        "要 不",
        "不 安",
        "不 满",
        "不 幸",
        "不 客 气",
    ],
    primary: &["没 有", "不 再", "从 不", "从 未", "尚 未", "不", "没"],
    secondary: &[],
    particles: &[],
    with_particle: &[],
    companions: &["了"],
    conjunctions: &["但", "而", "和"],
};

/// The grammar of a language; none for [`Language::Other`].
pub(super) fn grammar(language: Language) -> Option<&'static Grammar> {
    Some(match language {
        Language::English => &ENGLISH,
        Language::German => &GERMAN,
        Language::French => &FRENCH,
        Language::Spanish => &SPANISH,
        Language::Portuguese => &PORTUGUESE,
        Language::Russian => &RUSSIAN,
        Language::Chinese => &CHINESE,
        Language::Other => return None,
    })
}
