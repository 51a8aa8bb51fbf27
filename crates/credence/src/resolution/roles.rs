//! How somebody is introduced: "my boss Sam", "Sam, my brother", "Mara's boss is called Sam", "mein Chef Sam", "我的老板李文昊".
//!
//! Two people may share a name and a kind; what tells them apart in conversation is whose what they are. Another role for
//! the same name makes resolution unsure. Roles that go with any other ("friend", "colleague") tell nobody apart. The words
//! are data for seven languages; in any other, nothing is recognised and names decide alone.

use crate::text;

/// Whose what somebody is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Introduction {
    /// `user` for the person whose memory this is, else a folded name; empty where the text does not say.
    pub(crate) owner: String,
    /// The role in English.
    pub(crate) role: &'static str,
}

/// Roles that one person has for one owner and another person then has not. English first, then German, French, Spanish,
/// Italian, Portuguese, Chinese.
const ROLES: [(&str, &str); 34] = [
    (
        "boss",
        "boss,manager,supervisor,chef,chefin,vorgesetzter,patron,patronne,jefe,jefa,capo,chefe,老板,上司",
    ),
    ("brother", "brother,bro,bruder,frère,hermano,fratello,irmão,哥哥,弟弟"),
    ("sister", "sister,sis,schwester,sœur,soeur,hermana,sorella,irmã,姐姐,妹妹"),
    ("mother", "mother,mom,mum,mama,mutter,mère,madre,mãe,妈妈,母亲"),
    ("father", "father,dad,papa,vater,père,padre,pai,爸爸,父亲"),
    ("son", "son,sohn,fils,hijo,figlio,filho,儿子"),
    ("daughter", "daughter,tochter,fille,hija,figlia,filha,女儿"),
    ("husband", "husband,hubby,ehemann,mari,esposo,marido,marito,丈夫,老公"),
    ("wife", "wife,ehefrau,épouse,esposa,moglie,妻子,老婆"),
    ("partner", "boyfriend,girlfriend,fiancé,fiancée,novio,novia,男朋友,女朋友"),
    ("uncle", "uncle,onkel,oncle,tío,zio,tio,叔叔,舅舅"),
    ("aunt", "aunt,auntie,tante,tía,zia,tia,阿姨,姑姑"),
    ("cousin", "cousin,cousine,primo,prima,cugino,cugina,表哥,表弟,表姐,表妹"),
    ("nephew", "nephew,neffe,neveu,sobrino,nipote,sobrinho,侄子"),
    ("niece", "niece,nichte,nièce,sobrina,sobrinha,侄女"),
    ("grandmother", "grandmother,grandma,granny,nana,oma,großmutter,grand-mère,abuela,nonna,avó,奶奶,外婆"),
    ("grandfather", "grandfather,grandpa,opa,großvater,grand-père,abuelo,nonno,avô,爷爷,外公"),
    ("neighbour", "neighbour,neighbor,nachbar,nachbarin,voisin,voisine,vecino,vecina,vicino,vizinho,邻居"),
    ("doctor", "doctor,gp,arzt,ärztin,médecin,médico,médica,medico,医生"),
    ("dentist", "dentist,zahnarzt,zahnärztin,dentiste,dentista,牙医"),
    ("therapist", "therapist,therapeut,therapeutin,psychologue,terapeuta,治疗师"),
    (
        "teacher",
        "teacher,professor,lehrer,lehrerin,professeur,maestro,maestra,profesor,profesora,insegnante,老师",
    ),
    ("student", "student,pupil,schüler,schülerin,élève,alumno,alumna,aluno,学生"),
    ("landlord", "landlord,landlady,vermieter,vermieterin,propriétaire,casero,casera,房东"),
    ("tenant", "tenant,mieter,mieterin,locataire,inquilino,inquilina,房客"),
    ("flatmate", "flatmate,roommate,housemate,mitbewohner,mitbewohnerin,colocataire,coinquilino,室友"),
    ("coach", "coach,trainer,trainerin,entraîneur,entrenador,entrenadora,allenatore,treinador,教练"),
    ("assistant", "assistant,secretary,assistent,assistentin,secrétaire,secretaria,asistente,秘书,助理"),
    ("intern", "intern,trainee,praktikant,praktikantin,stagiaire,becario,becaria,实习生"),
    ("client", "client,customer,kunde,kundin,cliente,客户"),
    ("lawyer", "lawyer,attorney,anwalt,anwältin,avocat,avocate,abogado,abogada,avvocato,advogado,律师"),
    ("mechanic", "mechanic,mechaniker,mécanicien,mecánico,meccanico,修理工"),
    ("babysitter", "babysitter,nanny,nounou,niñera,保姆"),
    ("stepparent", "stepfather,stepmother,stepdad,stepmom,stepmum,stiefvater,stiefmutter,继父,继母"),
];

const KIN: [&str; 11] = [
    "brother",
    "sister",
    "mother",
    "father",
    "son",
    "daughter",
    "husband",
    "wife",
    "grandmother",
    "grandfather",
    "stepparent",
];

/// Words for "my" and "our".
const MINE: &str = "my our mein meine meinen meinem meiner unser unsere unseren unserem mon ma notre mi nuestro nuestra mio mia \
    nostro nostra meu minha nosso nossa 我 我的 我们 我们的";
/// Words for a third person's.
const THEIRS: &str = "his her their its sein seine seinen seinem ihr ihre ihren ihrem son sa leur su sus suo sua loro seu 他 她 他的 她的";
/// Words that may stand between a role and the name.
const LINKS: &str = "is was are called named ist war heißt heisst namens est appelle s'appelle nommé es llama se llamado è si chiama \
    chama chamado 叫 是 名 the der die das le la il el o a";

impl Introduction {
    /// Whether both say the same of a person.
    fn agrees(&self, other: &Self) -> bool {
        self.role == other.role
            && (self.owner == other.owner || self.owner.is_empty() || other.owner.is_empty())
    }
    /// Whether they speak of two people, as far as one can tell.
    fn differs(&self, other: &Self) -> bool {
        if self.role != other.role {
            return true;
        }
        KIN.contains(&self.role)
            && self.owner != other.owner
            && !self.owner.is_empty()
            && !other.owner.is_empty()
    }
    /// For a person to read: "boss of Mara" or "boss".
    pub(crate) fn describe(&self) -> String {
        match self.owner.as_str() {
            "" => self.role.to_owned(),
            "user" => format!("{} of the user", self.role),
            owner => format!("{} of {owner}", self.role),
        }
    }
}

/// What introductions say of two people of one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Acquaintance {
    /// The same introduction.
    Same,
    /// Nothing either way.
    Open,
    /// Introduced as somebody else.
    Other,
}

/// Compares how somebody is introduced now with all that is known of an entity.
pub(crate) fn compare<'a>(
    now: Option<&Introduction>,
    known: impl IntoIterator<Item = &'a Introduction>,
) -> Acquaintance {
    let Some(now) = now else { return Acquaintance::Open };
    let mut other = false;
    for known in known {
        if now.agrees(known) {
            return Acquaintance::Same;
        }
        other |= now.differs(known);
    }
    if other { Acquaintance::Other } else { Acquaintance::Open }
}

/// Who says a text: what "my" means in it, and which names mean the user.
#[derive(Debug, Clone, Default)]
pub(crate) struct Voice<'a> {
    /// The speaker, unless it is the user.
    pub(crate) speaker: Option<&'a str>,
    /// Every name of the user.
    pub(crate) user: Vec<String>,
}

/// How `text` introduces `name`; `None` when it does not, or does so in two ways.
pub(crate) fn introduction(text: &str, name: &str, voice: &Voice<'_>) -> Option<Introduction> {
    let name = text::words(name);
    if name.is_empty() {
        return None;
    }
    let mut found: Option<Introduction> = None;
    for sentence in text::sentences(text) {
        let words = text::words(sentence);
        for at in 0..words.len() {
            if !words[at..].starts_with(&name) {
                continue;
            }
            let Some(next) = before(&words[..at], voice).or_else(|| after(&words[at + name.len()..], voice))
            else {
                continue;
            };
            match &found {
                Some(earlier) if !earlier.agrees(&next) => return None,
                _ => found = Some(next),
            }
        }
    }
    found
}

fn listed(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|entry| entry == word)
}

/// A role at the end of these words, with its owner in front: "my older brother", "mara's boss is called".
fn before(words: &[String], voice: &Voice<'_>) -> Option<Introduction> {
    let mut end = words.len();
    while end > 0 && words.len() - end < 3 && listed(LINKS, &words[end - 1]) {
        end -= 1;
    }
    let (role, start) = role_ending(&words[..end])?;
    let owner = (0..3).find_map(|back| owner_at(&words[..start.checked_sub(back)?], voice));
    // "The boss Sam" has no owner, and "boss" alone is often half of a compound.
    Some(Introduction { owner: owner.unwrap_or_default(), role })
}

/// A role that follows: "my boss", "is Mara's older brother".
fn after(words: &[String], voice: &Voice<'_>) -> Option<Introduction> {
    let mut start = 0;
    while start < 2 && words.get(start).is_some_and(|word| listed(LINKS, word)) {
        start += 1;
    }
    let rest = &words[start..];
    let owner_end = (1..=2.min(rest.len())).find(|end| owner_at(&rest[..*end], voice).is_some())?;
    let owner = owner_at(&rest[..owner_end], voice)?;
    // 我的: the particle belongs to the pronoun.
    let owner_end = owner_end + usize::from(rest.get(owner_end).is_some_and(|word| word == "的"));
    let role = (0..3).find_map(|skip| {
        let tail = rest.get(owner_end + skip..)?;
        (1..=3.min(tail.len())).find_map(|len| role_ending(&tail[..len]).filter(|(_, at)| *at == 0))
    });
    Some(Introduction { owner, role: role?.0 })
}

/// The role whose word ends these words, and where it begins.
fn role_ending(words: &[String]) -> Option<(&'static str, usize)> {
    for len in 1..=3.min(words.len()) {
        let start = words.len() - len;
        let joined = words[start..].concat();
        let role = ROLES.iter().find(|(_, list)| list.split(',').any(|word| word.replace('-', "") == joined));
        if let Some((role, _)) = role {
            return Some((role, start));
        }
    }
    None
}

/// The owner that ends these words.
fn owner_at(words: &[String], voice: &Voice<'_>) -> Option<String> {
    let last = words.last()?;
    let last = match words.len().checked_sub(2).and_then(|n| words.get(n)) {
        Some(pronoun) if last == "的" => pronoun,
        _ => last,
    };
    if listed(MINE, last) {
        return Some(voice.speaker.map_or_else(|| "user".to_owned(), text::fold));
    }
    if listed(THEIRS, last) {
        return Some(String::new());
    }
    let name = last.strip_suffix("'s").or_else(|| last.strip_suffix('\''))?;
    let is_user = name == "user" || voice.user.iter().any(|known| text::fold(known) == name);
    Some(if is_user { "user".to_owned() } else { name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn introductions_in_seven_languages_and_both_orders() {
        let mara = Voice { speaker: None, user: vec!["Mara".into()] };
        let ivo = Voice { speaker: Some("Ivo"), user: vec!["Mara".into()] };
        let rows = [
            ("My boss Sam likes golf.", "Sam", Some(("user", "boss"))),
            ("Mara's boss Sam likes golf.", "Sam", Some(("user", "boss"))),
            ("User’s manager, Sam, likes golf.", "Sam", Some(("user", "boss"))),
            ("I saw Sam, my older brother, today.", "Sam", Some(("user", "brother"))),
            ("Sam is Mara's brother.", "Sam", Some(("user", "brother"))),
            ("My brother is called Sam.", "Sam", Some(("user", "brother"))),
            ("Tom's brother Sam came.", "Sam", Some(("tom", "brother"))),
            ("Her dentist Sam Brown is kind.", "Sam Brown", Some(("", "dentist"))),
            ("Mein Chef Sam spielt Golf.", "Sam", Some(("user", "boss"))),
            ("Mi jefa se llama Ana.", "Ana", Some(("user", "boss"))),
            ("Mon frère Luc est là.", "Luc", Some(("user", "brother"))),
            ("我在青石科技上班，我的老板叫李文昊。", "李文昊", Some(("user", "boss"))),
            ("李文昊是我的老板。", "李文昊", Some(("user", "boss"))),
            ("My friend Sam likes golf.", "Sam", None),
            ("My boss and Sam like golf.", "Sam", None),
            ("I like my boss. Sam is nice.", "Sam", None),
            ("My boss Sam and my brother Sam like golf.", "Sam", None),
            ("Samuel is my boss.", "Sam", None),
            ("Мой начальник Сэм", "Сэм", None),
        ];
        for (said, name, expected) in rows {
            let found = introduction(said, name, &mara);
            let found = found.as_ref().map(|i| (i.owner.as_str(), i.role));
            assert_eq!(found, expected, "{said}");
        }
        let found = introduction("My boss Sam likes golf.", "Sam", &ivo).unwrap();
        assert_eq!((found.owner.as_str(), found.describe().as_str()), ("ivo", "boss of ivo"));
    }

    #[test]
    fn roles_tell_people_apart_unless_they_go_together() {
        let of = |owner: &str, role| Introduction { owner: owner.into(), role };
        let known = [of("user", "boss")];
        assert_eq!(compare(None, &known), Acquaintance::Open);
        assert_eq!(compare(Some(&of("user", "boss")), &known), Acquaintance::Same);
        assert_eq!(compare(Some(&of("user", "brother")), &known), Acquaintance::Other);
        assert_eq!(compare(Some(&of("user", "brother")), []), Acquaintance::Open);
        assert_eq!(compare(Some(&of("tom", "brother")), &[of("user", "brother")]), Acquaintance::Other);
        assert_eq!(
            compare(Some(&of("tom", "doctor")), &[of("user", "doctor")]),
            Acquaintance::Open,
            "a doctor has many"
        );
    }
}
