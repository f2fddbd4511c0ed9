//! The catalogue of messages: its English Fluent files become one Rust function a message, with the arguments it needs.

use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Pattern, PatternElement, Resource, Variant, VariantKey,
};
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::path::{Path, PathBuf};

/// The languages into which every message is translated.
const TRANSLATIONS: [&str; 1] = ["de"];

/// What is wrong with the catalogue.
#[derive(Debug)]
pub(crate) enum CatalogueError {
    Read { path: PathBuf, source: std::io::Error },
    Message { file: String, problem: String },
}

impl fmt::Display for CatalogueError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, source } => write!(formatter, "cannot read {}: {source}", path.display()),
            Self::Message { file, problem } => write!(formatter, "crates/messages/{file}: {problem}"),
        }
    }
}

/// The messages of a file, in its order, with the arguments of each.
pub(crate) type Messages = Vec<Message>;

pub(crate) struct Message {
    pub(crate) id: String,
    pub(crate) pattern: Pattern<String>,
    pub(crate) arguments: BTreeMap<String, Type>,
}

/// What an argument may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Type {
    Text,
    Number,
    Message,
}

/// The code of all areas, a module for each, read from the folder that holds the languages.
pub(crate) fn render(root: &Path) -> Result<String, CatalogueError> {
    let mut code = String::new();
    let mut fixed = Vec::new();
    let mut all = String::new();
    for area in areas(root)? {
        let english = read(root, "en", &area)?;
        for language in TRANSLATIONS {
            agrees(&english, &read(root, language, &area)?)
                .map_err(|problem| CatalogueError::Message { file: path(language, &area), problem })?;
        }
        let _ = writeln!(
            code,
            "/// The messages of `{}`.\n#[allow(rustdoc::bare_urls)] // An address in a message is its words.\npub mod {area} {{\nuse deputy_protocol::Phrase;",
            path("en", &area)
        );
        for message in &english {
            let name = name_of(&message.id, &area)
                .map_err(|problem| CatalogueError::Message { file: path("en", &area), problem })?;
            code.push_str(&function(&name, message));
            if message.arguments.is_empty() {
                fixed.push((message.id.clone(), plain_text(&message.pattern)));
            }
        }
        let samples: String = english.iter().filter_map(|message| sample(&area, message)).collect();
        let _ = writeln!(code, "pub(super) fn samples() -> Vec<Phrase> {{\nvec![\n{samples}]\n}}\n}}\n");
        let _ = writeln!(all, "({area:?}, {area}::samples()),");
    }
    fixed.sort_unstable();
    let fixed: String = fixed.iter().map(|(id, text)| format!("({id:?}, {text:?}),\n")).collect();
    let _ = writeln!(
        code,
        "/// The messages without arguments, by their ids.\nconst FIXED: &[(&str, &str)] = &[\n{fixed}];\n\n\
         /// Each message with made-up arguments, by area: for tests.\n\
         pub fn samples() -> Vec<(&'static str, Vec<Phrase>)> {{\nvec![\n{all}]\n}}"
    );
    Ok(code)
}

/// The areas, which are the names of the English files.
fn areas(root: &Path) -> Result<Vec<String>, CatalogueError> {
    let folder = root.join("en");
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(CatalogueError::Read { path: folder, source }),
    };
    let mut areas: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".ftl").map(str::to_owned))
        .collect();
    areas.sort();
    Ok(areas)
}

fn path(language: &str, area: &str) -> String {
    format!("{language}/{area}.ftl")
}

/// The messages of an area in a language.
pub(crate) fn read(root: &Path, language: &str, area: &str) -> Result<Messages, CatalogueError> {
    let file = path(language, area);
    let source = std::fs::read_to_string(root.join(&file))
        .map_err(|source| CatalogueError::Read { path: root.join(&file), source })?;
    parse(source).map_err(|problem| CatalogueError::Message { file, problem })
}

fn parse(source: String) -> Result<Messages, String> {
    let resource: Resource<String> = fluent_syntax::parser::parse(source)
        .map_err(|(_, errors)| format!("not valid Fluent: {}", errors[0]))?;
    let mut messages: Messages = Vec::new();
    for entry in resource.body {
        match entry {
            Entry::Message(message) => {
                let id = message.id.name;
                let told = message.comment.map(|comment| comment.content).unwrap_or_default();
                let Some(pattern) = message.value.filter(|_| message.attributes.is_empty()) else {
                    return Err(format!("{id}: a message is a text without attributes"));
                };
                if messages.iter().any(|other| other.id == id) {
                    return Err(format!("{id} is there twice"));
                }
                let mut arguments = BTreeMap::new();
                gather(&pattern, &mut arguments).map_err(|problem| format!("{id}: {problem}"))?;
                for line in told {
                    declare(&line, &mut arguments).map_err(|problem| format!("{id}: {problem}"))?;
                }
                messages.push(Message { id, pattern, arguments });
            }
            Entry::Term(term) => return Err(format!("-{}: terms are not used here", term.id.name)),
            Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) | Entry::Junk { .. } => {}
        }
    }
    Ok(messages)
}

/// The arguments that a pattern uses. One that chooses among plural forms is a number.
fn gather(pattern: &Pattern<String>, arguments: &mut BTreeMap<String, Type>) -> Result<(), String> {
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { .. } => {}
            PatternElement::Placeable {
                expression: Expression::Inline(InlineExpression::StringLiteral { value }),
            } if !value.contains('\\') => {}
            PatternElement::Placeable {
                expression: Expression::Inline(InlineExpression::VariableReference { id }),
            } => {
                arguments.entry(id.name.clone()).or_insert(Type::Text);
            }
            PatternElement::Placeable {
                expression:
                    Expression::Select { selector: InlineExpression::VariableReference { id }, variants },
            } => {
                if is_plural(variants) {
                    arguments.insert(id.name.clone(), Type::Number);
                } else {
                    arguments.entry(id.name.clone()).or_insert(Type::Text);
                }
                for variant in variants {
                    gather(&variant.value, arguments)?;
                }
            }
            PatternElement::Placeable { .. } => {
                return Err("only texts, `{ $argument }` and choices by an argument are used here".to_owned());
            }
        }
    }
    Ok(())
}

/// Whether it chooses by how many there are.
fn is_plural(variants: &[Variant<String>]) -> bool {
    variants.iter().any(|variant| match &variant.key {
        VariantKey::NumberLiteral { .. } => true,
        VariantKey::Identifier { name } => matches!(name.as_str(), "one" | "two" | "few" | "many"),
    })
}

/// A line of a message's comment that says what an argument is: `$why (Message)`.
fn declare(line: &str, arguments: &mut BTreeMap<String, Type>) -> Result<(), String> {
    let Some(declared) = line.trim().strip_prefix('$') else { return Ok(()) };
    let (name, kind) = declared.split_once(' ').unwrap_or((declared, ""));
    let kind = match kind.split(')').next() {
        Some("(Number") => Type::Number,
        Some("(Message") => Type::Message,
        _ => return Err(format!("`{line}`: say (Number) or (Message); a text needs no line")),
    };
    match arguments.get_mut(name) {
        Some(known) => *known = kind,
        None => return Err(format!("its text has no ${name}")),
    }
    Ok(())
}

/// A translation has the same messages, and in each the same arguments.
fn agrees(english: &Messages, translation: &Messages) -> Result<(), String> {
    for message in english {
        let Some(other) = translation.iter().find(|other| other.id == message.id) else {
            return Err(format!("{} is missing", message.id));
        };
        let names = |message: &Message| message.arguments.keys().cloned().collect::<Vec<_>>();
        if names(message) != names(other) {
            let (own, other) = (names(message).join(", "), names(other).join(", "));
            return Err(format!("{}: has the arguments [{other}], in English [{own}]", message.id));
        }
    }
    match translation.iter().find(|other| english.iter().all(|message| message.id != other.id)) {
        Some(other) => Err(format!("{} is not there in English", other.id)),
        None => Ok(()),
    }
}

/// `policy-shows-secrets` of the area `policy` is the function `shows_secrets`.
pub(crate) fn name_of(id: &str, area: &str) -> Result<String, String> {
    let name = id.strip_prefix(area).and_then(|rest| rest.strip_prefix('-'));
    let name = name.ok_or_else(|| format!("{id}: begin it with `{area}-`"))?.replace('-', "_");
    const KEYWORDS: [&str; 14] = [
        "as", "break", "const", "continue", "else", "for", "if", "in", "loop", "match", "move", "type",
        "use", "while",
    ];
    if KEYWORDS.contains(&name.as_str()) || name == "samples" || name.contains(char::is_uppercase) {
        return Err(format!("{id}: `{name}` cannot be the name of a function"));
    }
    Ok(name)
}

fn function(name: &str, message: &Message) -> String {
    let parameters: Vec<String> = message
        .arguments
        .iter()
        .map(|(name, kind)| match kind {
            Type::Text => format!("{name}: impl std::fmt::Display"),
            Type::Number => format!("{name}: impl Into<serde_json::Number>"),
            Type::Message => format!("{name}: impl Into<Phrase>"),
        })
        .collect();
    let mut function = format!(
        "\n/// {}\n#[must_use]\npub fn {name}({}) -> Phrase {{\n",
        shown(&message.pattern),
        parameters.join(", ")
    );
    for (name, kind) in &message.arguments {
        let _ = match kind {
            Type::Text => writeln!(function, "    let {name} = {name}.to_string();"),
            Type::Number => writeln!(function, "    let {name}: serde_json::Number = {name}.into();"),
            Type::Message => writeln!(function, "    let {name}: Phrase = {name}.into();"),
        };
    }
    let arguments: Vec<String> = message
        .arguments
        .iter()
        .map(|(name, kind)| match kind {
            Type::Text => format!("({name:?}, {name}.as_str().into())"),
            Type::Number | Type::Message => format!("({name:?}, {name}.into())"),
        })
        .collect();
    let _ = writeln!(function, "    let english = {};", words(&message.pattern, &message.arguments));
    let _ = writeln!(function, "    Phrase::said({:?}, [{}], english)\n}}", message.id, arguments.join(", "));
    function
}

/// The expression that writes a pattern in English.
fn words(pattern: &Pattern<String>, arguments: &BTreeMap<String, Type>) -> String {
    let mut format = String::new();
    let mut choices = String::new();
    let mut has_places = false;
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { value }
            | PatternElement::Placeable {
                expression: Expression::Inline(InlineExpression::StringLiteral { value }),
            } => format.push_str(&value.replace('{', "{{").replace('}', "}}")),
            PatternElement::Placeable {
                expression: Expression::Inline(InlineExpression::VariableReference { id }),
            } => {
                has_places = true;
                let _ = write!(format, "{{{}}}", id.name);
            }
            PatternElement::Placeable {
                expression:
                    Expression::Select { selector: InlineExpression::VariableReference { id }, variants },
            } => {
                has_places = true;
                format.push_str("{}");
                let _ = write!(choices, ", {}", choice(&id.name, variants, arguments));
            }
            PatternElement::Placeable { .. } => {}
        }
    }
    if let ("{}", Some(choice)) = (format.as_str(), choices.strip_prefix(", ")) {
        // A choice and nothing around it.
        choice.to_owned()
    } else if has_places {
        format!("format!({format:?}{choices})")
    } else {
        format!("{:?}.to_owned()", plain_text(pattern))
    }
}

/// The expression that writes one of several variants.
fn choice(name: &str, variants: &[Variant<String>], arguments: &BTreeMap<String, Type>) -> String {
    let is_number = arguments.get(name) == Some(&Type::Number);
    let subject = if is_number { format!("{name}.as_u64()") } else { format!("{name}.as_str()") };
    let mut choice = format!("match {subject} {{");
    let (others, named): (Vec<_>, Vec<_>) = variants.iter().partition(|variant| variant.default);
    for variant in named.into_iter().chain(others) {
        let key = match &variant.key {
            _ if variant.default => "_".to_owned(),
            VariantKey::Identifier { name } if is_number && name == "one" => "Some(1)".to_owned(),
            VariantKey::Identifier { name } => format!("{name:?}"),
            VariantKey::NumberLiteral { value } => format!("Some({value})"),
        };
        let _ = write!(choice, " {key} => {},", words(&variant.value, arguments));
    }
    choice.push_str(" }");
    choice
}

/// The text of a pattern without places.
fn plain_text(pattern: &Pattern<String>) -> String {
    let texts = pattern.elements.iter().map(|element| match element {
        PatternElement::TextElement { value }
        | PatternElement::Placeable {
            expression: Expression::Inline(InlineExpression::StringLiteral { value }),
        } => value.as_str(),
        PatternElement::Placeable { .. } => "",
    });
    texts.collect()
}

/// A pattern for the documentation, on one line.
fn shown(pattern: &Pattern<String>) -> String {
    let texts = pattern.elements.iter().map(|element| match element {
        PatternElement::TextElement { value }
        | PatternElement::Placeable {
            expression: Expression::Inline(InlineExpression::StringLiteral { value }),
        } => value.clone(),
        PatternElement::Placeable {
            expression: Expression::Inline(InlineExpression::VariableReference { id }),
        } => format!("‹{}›", id.name),
        PatternElement::Placeable { expression: Expression::Select { variants, .. } } => {
            let chosen = variants.iter().find(|variant| variant.default);
            chosen.map(|variant| shown(&variant.value)).unwrap_or_default()
        }
        PatternElement::Placeable { .. } => String::new(),
    });
    let text: String = texts.collect();
    text.replace(['`', '[', ']', '<', '>'], "'").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Calls of a message's function with made-up arguments, once for one and once for several; a line each.
fn sample(area: &str, message: &Message) -> Option<String> {
    let name = name_of(&message.id, area).ok()?;
    let with = |number: u64| {
        let arguments: Vec<String> = message
            .arguments
            .iter()
            .map(|(name, kind)| match kind {
                Type::Text => format!("{:?}", format!("{{ ${name} }}")),
                Type::Number => format!("{number}_u64"),
                Type::Message => format!("Phrase::from({:?})", format!("‹{name}›")),
            })
            .collect();
        format!("        {name}({}),\n", arguments.join(", "))
    };
    let counts = message.arguments.values().any(|kind| *kind == Type::Number);
    Some(if counts { with(1) + &with(2) + &with(0) } else { with(1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(source: &str) -> Messages {
        parse(source.to_owned()).unwrap()
    }

    #[test]
    fn a_message_becomes_a_function_with_its_arguments() {
        let source = "# $why (Message)\na-b = { $n ->\n    [one] One in { $path }\n   *[other] { $n } in {\"{\"}{ $path }\n }: { $why }\n";
        let messages = parsed(source);
        let function = function(&name_of("a-b", "a").unwrap(), &messages[0]);
        let head = "pub fn b(n: impl Into<serde_json::Number>, path: impl std::fmt::Display, why: impl Into<Phrase>) -> Phrase {";
        assert!(function.contains(head), "{function}");
        let body = r#"format!("{}: {why}", match n.as_u64() { Some(1) => format!("One in {path}"), _ => format!("{n} in {{{path}"), })"#;
        assert!(function.contains(body), "{function}");
    }

    #[test]
    fn what_rust_could_not_say_is_refused() {
        for (source, problem) in [
            ("a = x\na = y\n", "twice"),
            ("a = x\n    .b = y\n", "without attributes"),
            ("a = { NUMBER($x) }\n", "only texts"),
            ("-a = x\n", "terms"),
            ("# $y (Number)\na = { $x }\n", "has no $y"),
            ("# $x (Text)\na = { $x }\n", "needs no line"),
            ("a = { $x\n", "not valid"),
        ] {
            let error = parse(source.to_owned()).map(|_| ()).unwrap_err();
            assert!(error.contains(problem), "{source}: {error}");
        }
        assert!(name_of("a-b", "c").is_err());
        assert!(name_of("a-move", "a").is_err());
    }

    #[test]
    fn a_translation_that_differs_in_messages_or_arguments_is_refused() {
        let english = parsed("a = x { $n }\nb = y\n");
        assert!(agrees(&english, &parsed("b = yy\na = { $n } xx\n")).is_ok());
        assert!(agrees(&english, &parsed("a = { $n }\n")).is_err());
        assert!(agrees(&english, &parsed("a = { $m }\nb = y\n")).is_err());
        assert!(agrees(&english, &parsed("a = { $n }\nb = y\nc = z\n")).is_err());
    }
}
