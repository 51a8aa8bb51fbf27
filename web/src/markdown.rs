//! Markdown to views, without any HTML in between.
//!
//! Events become a small tree, and the tree becomes elements. HTML in the text is shown as the text that it is; links lead
//! only to web and mail addresses; images are not loaded (a page of ours asks no other host for anything) but named
//! and linked.

use leptos::prelude::*;
use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Elements that a text may become.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Paragraph,
    /// 1 to 6; shown two levels down, for the page has its own title.
    Heading(u8),
    Quote,
    /// With the number that it begins with, when it is ordered.
    List(Option<u64>),
    Item,
    Code(String),
    Table,
    Row,
    HeadCell(Align),
    Cell(Align),
    Emphasis,
    Strong,
    Struck,
    /// With its address; `None` where the address is not allowed.
    Link(Option<String>),
}

/// How a column stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Align {
    Start,
    Centre,
    End,
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    Text(String),
    InlineCode(String),
    Break,
    Rule,
    /// A list item's box.
    Check(bool),
    Element(Kind, Vec<Node>),
}

/// The address, if a link may lead there.
fn allowed(address: &str) -> Option<String> {
    let address = address.trim();
    let scheme = address.split_once(':')?.0.to_ascii_lowercase();
    matches!(scheme.as_str(), "http" | "https" | "mailto").then(|| address.to_owned())
}

/// Most elements inside one another.
const DEEPEST: usize = 24;

/// Reads a text.
pub(crate) fn parse(text: &str) -> Vec<Node> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    // Open elements, innermost last; `None` closes without leaving a node of its own.
    let mut open: Vec<(Option<Kind>, Vec<Node>)> = vec![(None, Vec::new())];
    let mut aligns: Vec<Align> = Vec::new();
    let mut column = 0;
    let mut in_head = false;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(tag) => {
                let kind = match tag {
                    Tag::Paragraph => Some(Kind::Paragraph),
                    Tag::Heading { level, .. } => Some(Kind::Heading(depth(level))),
                    Tag::BlockQuote(_) => Some(Kind::Quote),
                    Tag::List(first) => Some(Kind::List(first)),
                    Tag::Item => Some(Kind::Item),
                    Tag::CodeBlock(CodeBlockKind::Fenced(language)) => Some(Kind::Code(language.to_string())),
                    Tag::CodeBlock(CodeBlockKind::Indented) => Some(Kind::Code(String::new())),
                    Tag::Table(columns) => {
                        aligns = columns.iter().map(|a| align(*a)).collect();
                        Some(Kind::Table)
                    }
                    Tag::TableHead => {
                        (column, in_head) = (0, true);
                        Some(Kind::Row)
                    }
                    Tag::TableRow => {
                        (column, in_head) = (0, false);
                        Some(Kind::Row)
                    }
                    Tag::TableCell => {
                        let at = aligns.get(column).copied().unwrap_or(Align::Start);
                        column += 1;
                        Some(if in_head { Kind::HeadCell(at) } else { Kind::Cell(at) })
                    }
                    Tag::Emphasis => Some(Kind::Emphasis),
                    Tag::Strong => Some(Kind::Strong),
                    Tag::Strikethrough => Some(Kind::Struck),
                    Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                        Some(Kind::Link(allowed(&dest_url)))
                    }
                    _ => None,
                };
                // Deeper elements give their content to the one that holds them: nobody reads that far in, and a tree
                // that deep would overflow the stack of whoever walks or drops it.
                let kind = kind.filter(|_| open.len() <= DEEPEST);
                open.push((kind, Vec::new()));
            }
            Event::End(end) => close(&mut open, end),
            Event::Text(words) | Event::Html(words) | Event::InlineHtml(words) => {
                push_text(&mut open, &words)
            }
            Event::Code(words) => push(&mut open, Node::InlineCode(words.to_string())),
            Event::SoftBreak => push_text(&mut open, "\n"),
            Event::HardBreak => push(&mut open, Node::Break),
            Event::Rule => push(&mut open, Node::Rule),
            Event::TaskListMarker(done) => push(&mut open, Node::Check(done)),
            Event::FootnoteReference(words) | Event::InlineMath(words) | Event::DisplayMath(words) => {
                push_text(&mut open, &words);
            }
        }
    }
    open.pop().map(|(_, nodes)| nodes).unwrap_or_default()
}

fn close(open: &mut Vec<(Option<Kind>, Vec<Node>)>, end: TagEnd) {
    // The parser closes exactly what it opened; the outermost level is ours.
    if open.len() < 2 {
        return;
    }
    let Some((kind, mut nodes)) = open.pop() else { return };
    if end == TagEnd::Image && nodes.is_empty() {
        nodes.push(Node::Text("image".to_owned()));
    }
    match kind {
        Some(kind) => push(open, Node::Element(kind, nodes)),
        None => nodes.into_iter().for_each(|node| push(open, node)),
    }
}

fn push(open: &mut [(Option<Kind>, Vec<Node>)], node: Node) {
    if let Some((_, nodes)) = open.last_mut() {
        nodes.push(node);
    }
}

fn push_text(open: &mut [(Option<Kind>, Vec<Node>)], words: &str) {
    let Some((_, nodes)) = open.last_mut() else { return };
    match nodes.last_mut() {
        Some(Node::Text(text)) => text.push_str(words),
        _ => nodes.push(Node::Text(words.to_owned())),
    }
}

fn depth(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

fn align(alignment: Alignment) -> Align {
    match alignment {
        Alignment::Center => Align::Centre,
        Alignment::Right => Align::End,
        Alignment::None | Alignment::Left => Align::Start,
    }
}

impl Align {
    fn class(self) -> &'static str {
        match self {
            Align::Start => "markdown__cell",
            Align::Centre => "markdown__cell markdown__cell--centre",
            Align::End => "markdown__cell markdown__cell--end",
        }
    }
}

fn plain(nodes: &[Node]) -> String {
    let mut out = String::new();
    for node in nodes {
        match node {
            Node::Text(text) | Node::InlineCode(text) => out.push_str(text),
            Node::Break | Node::Rule => out.push('\n'),
            Node::Check(_) => {}
            Node::Element(_, inner) => out.push_str(&plain(inner)),
        }
    }
    out
}

fn views(nodes: Vec<Node>) -> Vec<AnyView> {
    nodes.into_iter().map(view_of).collect()
}

fn view_of(node: Node) -> AnyView {
    let (kind, nodes) = match node {
        Node::Text(text) => return text.into_any(),
        Node::InlineCode(text) => return view! { <code>{text}</code> }.into_any(),
        Node::Break => return view! { <br/> }.into_any(),
        Node::Rule => return view! { <hr/> }.into_any(),
        Node::Check(done) => {
            return view! { <span class="markdown__check">{if done { "\u{2611} " } else { "\u{2610} " }}</span> }.into_any();
        }
        Node::Element(kind, nodes) => (kind, nodes),
    };
    if let Kind::Code(language) = kind {
        return view! { <pre tabindex="0" data-language=language><code>{plain(&nodes)}</code></pre> }
            .into_any();
    }
    if let Kind::Table = kind {
        return view! { <div class="markdown__table" tabindex="0"><table><tbody>{views(nodes)}</tbody></table></div> }
            .into_any();
    }
    let inner = views(nodes);
    match kind {
        Kind::Paragraph => view! { <p>{inner}</p> }.into_any(),
        Kind::Heading(1) => view! { <h3>{inner}</h3> }.into_any(),
        Kind::Heading(2) => view! { <h4>{inner}</h4> }.into_any(),
        Kind::Heading(3) => view! { <h5>{inner}</h5> }.into_any(),
        Kind::Heading(_) => view! { <h6>{inner}</h6> }.into_any(),
        Kind::Quote => view! { <blockquote>{inner}</blockquote> }.into_any(),
        Kind::List(Some(first)) => view! { <ol start=first.to_string()>{inner}</ol> }.into_any(),
        Kind::List(None) => view! { <ul>{inner}</ul> }.into_any(),
        Kind::Item => view! { <li>{inner}</li> }.into_any(),
        Kind::Row => view! { <tr>{inner}</tr> }.into_any(),
        Kind::HeadCell(at) => view! { <th class=at.class()>{inner}</th> }.into_any(),
        Kind::Cell(at) => view! { <td class=at.class()>{inner}</td> }.into_any(),
        Kind::Emphasis => view! { <em>{inner}</em> }.into_any(),
        Kind::Strong => view! { <strong>{inner}</strong> }.into_any(),
        Kind::Struck => view! { <del>{inner}</del> }.into_any(),
        Kind::Link(Some(address)) => {
            view! { <a href=address target="_blank" rel="noopener noreferrer nofollow">{inner}</a> }
                .into_any()
        }
        Kind::Link(None) => view! { <span>{inner}</span> }.into_any(),
        Kind::Code(_) | Kind::Table => ().into_any(),
    }
}

/// A text as Markdown. Only the blocks that changed are built anew, so that a streaming answer stays cheap.
#[component]
pub(crate) fn Markdown(
    /// The text; it may grow.
    #[prop(into)]
    text: Signal<String>,
) -> impl IntoView {
    let blocks = Memo::new(move |_| parse(&text.get()).into_iter().enumerate().collect::<Vec<_>>());
    view! {
        <For each=move || blocks.get() key=Clone::clone let((_, node))>
            {view_of(node)}
        </For>
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    fn text(words: &str) -> Node {
        Node::Text(words.into())
    }

    #[wasm_bindgen_test]
    fn html_stays_text() {
        let nodes = parse("a <script>alert(1)</script> b\n\n<img src=x onerror=alert(1)>");
        assert_eq!(plain(&nodes), "a <script>alert(1)</script> b<img src=x onerror=alert(1)>");
        let only_text = |node: &Node| match node {
            Node::Text(_) => true,
            Node::Element(Kind::Paragraph, inner) => inner.iter().all(|node| matches!(node, Node::Text(_))),
            _ => false,
        };
        assert!(nodes.iter().all(only_text), "{nodes:?}");
    }

    #[wasm_bindgen_test]
    fn links_lead_to_web_and_mail_only() {
        let link = |source: &str| match parse(source).remove(0) {
            Node::Element(Kind::Paragraph, mut inner) => inner.remove(0),
            other => other,
        };
        let to =
            |address: Option<&str>| Node::Element(Kind::Link(address.map(str::to_owned)), vec![text("x")]);
        assert_eq!(link("[x](https://a.example)"), to(Some("https://a.example")));
        assert_eq!(link("[x](mailto:a@b.example)"), to(Some("mailto:a@b.example")));
        assert_eq!(link("[x](JavaScript:alert(1))"), to(None));
        assert_eq!(link("[x](data:text/html,hi)"), to(None));
        assert_eq!(link("[x](//a.example)"), to(None));
        assert_eq!(
            link("![x](https://a.example/i.png)"),
            to(Some("https://a.example/i.png")),
            "named, not loaded"
        );
    }

    #[wasm_bindgen_test]
    async fn a_growing_text_keeps_the_blocks_that_stand() {
        let text = RwSignal::new("[a](https://a.example) <script>x</script>\n\nsecond".to_owned());
        let place: web_sys::HtmlElement =
            wasm_bindgen::JsCast::unchecked_into(document().create_element("div").unwrap());
        document().body().unwrap().append_child(&place).unwrap();
        let _mounted = leptos::mount::mount_to(place.clone(), move || view! { <Markdown text /> });
        leptos::task::tick().await;
        assert!(place.query_selector("script").unwrap().is_none());
        let link = place.query_selector("a").unwrap().unwrap();
        assert_eq!(link.get_attribute("rel").unwrap(), "noopener noreferrer nofollow");
        let first = place.query_selector("p").unwrap().unwrap();

        text.set("[a](https://a.example) <script>x</script>\n\nsecond, longer".to_owned());
        leptos::task::tick().await;
        assert_eq!(place.query_selector_all("p").unwrap().length(), 2);
        assert!(place.text_content().unwrap().ends_with("second, longer"));
        assert!(
            place.query_selector("p").unwrap().unwrap().is_same_node(Some(&first)),
            "the first block was not rebuilt"
        );
        place.remove();
    }

    #[wasm_bindgen_test]
    fn deep_nesting_is_bounded() {
        let nodes = parse(&format!("{}deep", "> ".repeat(5_000)));
        let (mut depth, mut inside) = (0, &nodes);
        while let Some(Node::Element(_, nodes)) = inside.first() {
            (depth, inside) = (depth + 1, nodes);
        }
        assert_eq!((depth, inside), (DEEPEST, &vec![Node::Text("deep".to_owned())]), "the words stay");
        drop(views(nodes));
    }
}
