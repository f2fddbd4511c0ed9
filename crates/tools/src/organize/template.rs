//! Templates for names and folders: text with fields such as `{name}`, `{n:3}` or `{year}`.

use deputy_messages::Phrase;
use deputy_messages::organize as say;
use deputy_organize::split;
use deputy_organize::suggest::Convention;
use jiff::civil::{Date, Time};

/// The maximum number of digits of a number.
const MOST_DIGITS: usize = 9;

/// The values for the fields of a template.
pub(super) struct Subject<'a> {
    /// The name without its extension, after `old` was replaced by `new`.
    pub(super) stem: &'a str,
    /// The extension without its dot.
    pub(super) ending: &'a str,
    /// The name of the containing folder.
    pub(super) folder: &'a str,
    /// The folder for its type.
    pub(super) kind: &'a str,
    /// The position in the order, from 1.
    pub(super) number: usize,
    /// The date, if the template needs it.
    pub(super) date: Option<Date>,
    /// The time of day, if known.
    pub(super) time: Option<Time>,
}

/// A text with fields.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Template {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Text(String),
    Field(Field, Case),
    Number(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Name,
    Ending,
    Folder,
    Type,
    Date,
    Year,
    Month,
    Day,
    Time,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Case {
    AsIs,
    Lower,
    Upper,
    Title,
    Convention(Convention),
}

const KNOWN: &str = "{name}, {ext}, {n}, {n:3}, {date}, {year}, {month}, {day}, {time}, {folder}, {type}, each with :lower, :upper, \
                     :title or a convention such as :lower_case where it is a text";

impl Template {
    /// Parses a template. The error says what is wrong.
    pub(super) fn parse(text: &str) -> Result<Self, Phrase> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find('{') {
            if start > 0 {
                pieces.push(Piece::Text(rest[..start].to_owned()));
            }
            let Some(end) = rest[start..].find('}') else {
                return Err(say::open_brace("}", "{", text));
            };
            pieces.push(field(&rest[start + 1..start + end])?);
            rest = &rest[start + end + 1..];
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        Ok(Self { pieces })
    }

    /// Returns the text before the first field.
    pub(super) fn beginning(&self) -> &str {
        match self.pieces.first() {
            Some(Piece::Text(text)) => text,
            _ => "",
        }
    }

    /// Returns whether the template has no fields.
    pub(super) fn is_plain(&self) -> bool {
        self.pieces.iter().all(|piece| matches!(piece, Piece::Text(_)))
    }

    /// Returns whether the template places the extension.
    pub(super) fn has_ending(&self) -> bool {
        self.has(&[Field::Ending])
    }

    /// Returns whether the template needs a date.
    pub(super) fn has_date(&self) -> bool {
        self.has(&[Field::Date, Field::Year, Field::Month, Field::Day, Field::Time])
    }

    fn has(&self, fields: &[Field]) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Field(field, _) if fields.contains(field)))
    }

    /// Fills the template, or returns which field is unknown for this file.
    pub(super) fn fill(&self, of: &Subject<'_>) -> Result<String, Phrase> {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Number(digits) => text.push_str(&format!("{:0digits$}", of.number)),
                Piece::Field(field, case) => text.push_str(&case.write(&field.value(of)?)),
            }
        }
        Ok(text)
    }
}

fn field(text: &str) -> Result<Piece, Phrase> {
    let unknown = || say::unknown_field(format!("{{{text}}}"), KNOWN);
    let (name, how) = text.split_once(':').unwrap_or((text, ""));
    let field = match name {
        "n" => {
            let digits = if how.is_empty() { Some(1) } else { how.parse().ok() };
            let digits = digits.filter(|digits| (1..=MOST_DIGITS).contains(digits)).ok_or_else(unknown)?;
            return Ok(Piece::Number(digits));
        }
        "name" => Field::Name,
        "ext" => Field::Ending,
        "folder" => Field::Folder,
        "type" => Field::Type,
        "date" => Field::Date,
        "year" => Field::Year,
        "month" => Field::Month,
        "day" => Field::Day,
        "time" => Field::Time,
        _ => return Err(unknown()),
    };
    let case = match how {
        "" => Case::AsIs,
        "lower" => Case::Lower,
        "upper" => Case::Upper,
        "title" => Case::Title,
        how => Case::Convention(Convention::parse(how).map_err(|_| unknown())?),
    };
    Ok(Piece::Field(field, case))
}

impl Field {
    fn value(self, of: &Subject<'_>) -> Result<String, Phrase> {
        let date = || of.date.ok_or_else(say::unknown_date);
        Ok(match self {
            Self::Name => of.stem.to_owned(),
            Self::Ending => of.ending.to_owned(),
            Self::Folder => of.folder.to_owned(),
            Self::Type => of.kind.to_owned(),
            Self::Date => date()?.to_string(),
            Self::Year => format!("{:04}", date()?.year()),
            Self::Month => format!("{:02}", date()?.month()),
            Self::Day => format!("{:02}", date()?.day()),
            Self::Time => {
                let time = of.time.ok_or_else(say::unknown_time)?;
                format!("{:02}-{:02}-{:02}", time.hour(), time.minute(), time.second())
            }
        })
    }
}

impl Case {
    fn write(self, text: &str) -> String {
        match self {
            Self::AsIs => text.to_owned(),
            Self::Lower => text.to_lowercase(),
            Self::Upper => text.to_uppercase(),
            Self::Title => title(text),
            // Conventions preserve an extension, but this text has none.
            Self::Convention(convention) => {
                let (stem, ending) = split(text);
                match ending {
                    "" => convention.apply(text, None),
                    ending => convention.apply(&format!("{stem} {}", &ending[1..]), None),
                }
            }
        }
    }
}

/// Capitalizes each word. Text between words is unchanged.
fn title(text: &str) -> String {
    let mut written = String::new();
    let mut in_word = false;
    for letter in text.chars() {
        if in_word {
            written.extend(letter.to_lowercase());
        } else {
            written.extend(letter.to_uppercase());
        }
        in_word = letter.is_alphanumeric() || letter == '\'';
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::{date, time};

    fn filled(template: &str) -> Result<String, Phrase> {
        let of = Subject {
            stem: "Sommer am MEER v1.2",
            ending: "JPG",
            folder: "Italien",
            kind: "Pictures",
            number: 7,
            date: Some(date(2024, 7, 1)),
            time: Some(time(9, 5, 3, 0)),
        };
        Template::parse(template).unwrap().fill(&of)
    }

    #[test]
    fn fields_are_filled() {
        for (template, text) in [
            ("{name}", "Sommer am MEER v1.2"),
            ("{name:lower}.{ext:lower}", "sommer am meer v1.2.jpg"),
            ("{name:title}", "Sommer Am Meer V1.2"),
            ("{name:lower_case}", "sommer_am_meer_v1_2"),
            ("Urlaub {n:3}", "Urlaub 007"),
            ("{type}/{year}/{month}-{day}", "Pictures/2024/07-01"),
            ("{date}_{time} {folder:upper}", "2024-07-01_09-05-03 ITALIEN"),
            ("plain", "plain"),
        ] {
            assert_eq!(filled(template).unwrap(), text);
        }
    }

    #[test]
    fn what_is_no_field_is_named() {
        for template in ["{nam}", "{n:0}", "{n:x}", "{n:99}", "{name:camel}", "{name", "{}"] {
            assert!(Template::parse(template).unwrap_err().contains('{'), "{template}");
        }
    }
}
