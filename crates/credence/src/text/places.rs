//! Countries and the states of one federation, in English, German, Spanish and French: enough to know that "Norway" and "Oslo" may both be where
//! somebody lives, and that "Portland, Oregon" is no person's name in catalogue order.

/// Names of countries and continents in English, folded, parted by semicolons.
const WIDE: &str = "afghanistan;albania;algeria;andorra;angola;argentina;armenia;australia;austria;azerbaijan;bahamas;bahrain;\
bangladesh;barbados;belarus;belgium;belize;benin;bhutan;bolivia;bosnia;botswana;brazil;brunei;bulgaria;burkina faso;burundi;\
cambodia;cameroon;canada;cape verde;chad;chile;china;colombia;comoros;congo;costa rica;croatia;cuba;cyprus;czechia;\
czech republic;denmark;djibouti;dominica;dominican republic;ecuador;egypt;el salvador;eritrea;estonia;eswatini;ethiopia;fiji;\
finland;france;gabon;gambia;georgia;germany;ghana;greece;grenada;guatemala;guinea;guyana;haiti;honduras;hungary;iceland;india;\
indonesia;iran;iraq;ireland;israel;italy;ivory coast;jamaica;japan;jordan;kazakhstan;kenya;kiribati;kosovo;kuwait;kyrgyzstan;\
laos;latvia;lebanon;lesotho;liberia;libya;liechtenstein;lithuania;luxembourg;madagascar;malawi;malaysia;maldives;mali;malta;\
mauritania;mauritius;mexico;moldova;monaco;mongolia;montenegro;morocco;mozambique;myanmar;namibia;nauru;nepal;netherlands;\
the netherlands;holland;new zealand;nicaragua;niger;nigeria;north korea;north macedonia;norway;oman;pakistan;palau;palestine;\
panama;papua new guinea;paraguay;peru;philippines;the philippines;poland;portugal;qatar;romania;russia;rwanda;samoa;\
san marino;saudi arabia;scotland;england;wales;northern ireland;senegal;serbia;seychelles;sierra leone;singapore;slovakia;\
slovenia;solomon islands;somalia;south africa;south korea;korea;south sudan;spain;sri lanka;sudan;suriname;sweden;switzerland;\
syria;taiwan;tajikistan;tanzania;thailand;togo;tonga;trinidad;tunisia;turkey;türkiye;turkmenistan;tuvalu;uganda;ukraine;\
united arab emirates;uae;united kingdom;the united kingdom;the uk;uk;great britain;britain;united states;the united states;\
the us;usa;the usa;us;america;uruguay;uzbekistan;vanuatu;vatican;venezuela;vietnam;yemen;zambia;zimbabwe;africa;asia;europe;\
north america;south america;antarctica;oceania;scandinavia";

/// The same in German, Spanish and French, where they are named otherwise.
const WIDE_ELSEWHERE: &str = "ägypten;albanien;algerien;argentinien;armenien;australien;belgien;bolivien;bosnien;brasilien;bulgarien;chile;\
dänemark;deutschland;estland;finnland;frankreich;georgien;griechenland;grossbritannien;indien;indonesien;irak;iran;irland;island;\
israel;italien;japan;kanada;kasachstan;kenia;kolumbien;kroatien;kuba;lettland;litauen;luxemburg;marokko;mexiko;mongolei;\
montenegro;neuseeland;niederlande;den niederlanden;norwegen;österreich;polen;portugal;rumänien;russland;schottland;schweden;\
schweiz;der schweiz;die schweiz;serbien;slowakei;der slowakei;slowenien;spanien;südafrika;südkorea;nordkorea;syrien;tschechien;\
türkei;der türkei;tunesien;ukraine;der ukraine;ungarn;vereinigte staaten;den usa;die usa;vereinigtes königreich;zypern;afrika;\
asien;europa;südamerika;nordamerika;skandinavien;bayern;sachsen;hessen;thüringen;tirol;katalonien;alemania;argelia;bélgica;\
brasil;camboya;canadá;corea;corea del sur;croacia;dinamarca;egipto;escocia;eslovaquia;eslovenia;españa;estados unidos;\
los estados unidos;estonia;filipinas;finlandia;francia;gales;gran bretaña;grecia;hungría;inglaterra;irlanda;islandia;italia;\
japón;kenia;letonia;lituania;luxemburgo;marruecos;méxico;noruega;nueva zelanda;países bajos;los países bajos;holanda;panamá;\
perú;polonia;reino unido;el reino unido;república checa;rumanía;rusia;sudáfrica;suecia;suiza;tailandia;túnez;turquía;ucrania;\
áfrica;américa;europa;escandinavia;cataluña;andalucía;galicia;allemagne;algérie;angleterre;argentine;australie;autriche;belgique;\
brésil;bulgarie;chili;chine;chypre;colombie;corée;corée du sud;croatie;danemark;écosse;égypte;espagne;estonie;états-unis;\
les états-unis;finlande;grande-bretagne;grèce;hongrie;inde;indonésie;irlande;islande;italie;japon;lettonie;lituanie;luxembourg;\
maroc;mexique;norvège;nouvelle-zélande;pays-bas;les pays-bas;pays de galles;pérou;philippines;pologne;république tchèque;\
roumanie;royaume-uni;russie;serbie;slovaquie;slovénie;suède;suisse;syrie;tchéquie;thaïlande;tunisie;turquie;afrique;amérique;\
asie;scandinavie;bretagne;normandie;provence;bavière;catalogne";

const STATES: &str = "alabama;alaska;arizona;arkansas;california;colorado;connecticut;delaware;florida;hawaii;idaho;illinois;\
indiana;iowa;kansas;kentucky;louisiana;maine;maryland;massachusetts;michigan;minnesota;mississippi;missouri;montana;nebraska;\
nevada;new hampshire;new jersey;new mexico;new york;north carolina;north dakota;ohio;oklahoma;oregon;pennsylvania;rhode island;\
south carolina;south dakota;tennessee;texas;utah;vermont;virginia;washington;west virginia;wisconsin;wyoming;ontario;quebec;\
british columbia;alberta;bavaria;catalonia;new south wales";

fn listed(list: &str, folded: &str) -> bool {
    list.split(';').any(|entry| entry == folded)
}

/// Whether a folded name is a country or continent.
pub(crate) fn is_country(folded: &str) -> bool {
    listed(WIDE, folded) || listed(WIDE_ELSEWHERE, folded)
}

/// Whether a folded name is a place that holds cities: a country, a continent or a state. "New York" and
/// "Washington" are cities as well, and count.
pub(crate) fn is_region(folded: &str) -> bool {
    is_country(folded) || listed(STATES, folded)
}
