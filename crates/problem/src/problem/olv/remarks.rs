//! What an entry says about its problem besides the problem itself, such as date, award and keywords.
//!
//! Keywords can be changed in place: an item is a line of its own in most collections, so a wrong one is removed and a
//! missing one added without touching the others. Another list is written anew.

use std::fmt::Write as _;

use super::yaml::{self, YamlDocument};
use super::{OlvEntry, UNWRITABLE};
use crate::problem::ProblemError;
use crate::problem::fields::Node;

impl OlvEntry {
    /// Returns the fields with their values.
    pub(crate) fn fields(&self) -> Node {
        self.document.values()
    }

    /// Returns the texts of a field: the items of a list, or a single text.
    pub fn texts(&self, field: &str) -> Vec<&str> {
        self.document.get(field).map_or(&[][..], Node::items).iter().filter_map(Node::text).collect()
    }

    /// Returns the date of publication, if it says more than the name of the problem, and the award.
    pub fn date_and_award(&self) -> Vec<String> {
        let get = |name: &str| self.document.get(name);
        let date = get("source").and_then(|source| source.get("date")).or_else(|| get("date"));
        let date = date.map(|date| {
            let parts = ["year", "month", "day"].into_iter().filter_map(|part| date.get(part).and_then(Node::text));
            let parts: Vec<&str> = date.text().into_iter().chain(parts).collect();
            parts.join("-")
        });
        let known = self.problem.id.as_deref().unwrap_or_default();
        let date = date.filter(|date| !known.contains(date.as_str()));
        let award = get("award");
        let inner = |name: &str| award.and_then(|award| award.get(name)).or_else(|| get(name));
        let tourney = inner("tourney").map(|tourney| tourney.get("name").unwrap_or(tourney));
        let award = [inner("distinction"), tourney, award].into_iter().flatten().filter_map(Node::text);
        date.into_iter().chain(award.map(str::to_owned)).collect()
    }

    /// Returns the text of the entry without the keywords of `wrong` and with those of `missing`, and with no other
    /// change.
    pub fn with_keywords(&self, wrong: &[String], missing: &[String]) -> Result<String, ProblemError> {
        let kept = self.texts("keywords").into_iter().filter(|word| !wrong.iter().any(|other| other == word));
        let wanted: Vec<&str> = kept.chain(missing.iter().map(String::as_str)).collect();
        let written = self.item_lines(wrong, missing).unwrap_or_else(|| self.whole_list(&wanted));
        let again = self.with_one_change(&written, "keywords")?;
        let found = again.get("keywords").map_or(&[][..], Node::items);
        let right = found.iter().filter_map(Node::text).eq(wanted.iter().copied());
        if right { Ok(written) } else { Err(UNWRITABLE.into()) }
    }

    /// Reads a text that was written from this entry, in which only one field may be another.
    pub(super) fn with_one_change(&self, written: &str, name: &str) -> Result<YamlDocument, ProblemError> {
        let others = |document: &YamlDocument| -> Vec<(String, Node)> {
            let fields = document.fields.iter().filter(|field| field.name != name);
            fields.map(|field| (field.name.clone(), field.value.clone())).collect()
        };
        let again = yaml::read(written, 1).ok().flatten();
        again.filter(|again| others(again) == others(&self.document)).ok_or_else(|| UNWRITABLE.into())
    }

    /// Changes the lines of a list whose items are lines of their own; `None` if there is no such list.
    fn item_lines(&self, wrong: &[String], missing: &[String]) -> Option<String> {
        let field = self.document.field("keywords")?;
        let end = self.line_end(field.end);
        let text = self.source.get(field.start..end)?;
        let (name, items) = text.split_at(text.find('\n')? + 1);
        let lines: Vec<&str> = items.split_inclusive('\n').collect();
        let is_item = |line: &&&str| line.trim_start().starts_with("- ");
        let words = field.value.items();
        if !matches!(field.value, Node::List(_)) || lines.iter().filter(is_item).count() != words.len() {
            return None;
        }
        let first = lines.iter().find(is_item)?;
        let indent = &first[..first.len() - first.trim_start().len()];
        let mut written = name.to_owned();
        let mut items = words.iter();
        let mut kept = 0;
        for line in &lines {
            let word = if is_item(&line) { items.next() } else { None };
            let is_wrong = word.and_then(Node::text).is_some_and(|word| wrong.iter().any(|other| other == word));
            if !is_wrong {
                kept += usize::from(word.is_some());
                written.push_str(line);
            }
        }
        if kept + missing.len() == 0 {
            return None;
        }
        for word in missing {
            if !written.ends_with('\n') {
                written.push('\n');
            }
            let _ = writeln!(written, "{indent}- {word}");
        }
        Some(format!("{}{written}{}", &self.source[..field.start], &self.source[end..]))
    }

    /// Writes the whole list anew, or removes it if there are no keywords.
    fn whole_list(&self, words: &[&str]) -> String {
        // A list in JSON is also one in YAML.
        let list = format!("keywords: {}", crate::base::printable::json(serde_json::Value::from(words).to_string()));
        let lines = if words.is_empty() { String::new() } else { format!("{list}\n") };
        self.replaced("keywords", &list, &lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEN: &str = "algebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]}\nstipulation: '#2'\n";

    fn changed(rest: &str, wrong: &[&str], missing: &[&str]) -> String {
        let entry = OlvEntry::read(&format!("{MEN}{rest}"), 1).unwrap();
        let [wrong, missing] =
            [wrong, missing].map(|words| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        entry.with_keywords(&wrong, &missing).unwrap().strip_prefix(MEN).unwrap().to_owned()
    }

    #[test]
    fn authors_source_and_year_are_read() {
        let text = format!("{MEN}authors: [A, B]\nsource: X\ndate: 1981-04\nkeywords: [Cooked]\n");
        let entry = OlvEntry::read(&text, 1).unwrap();
        let fields = entry.fields();
        assert_eq!(
            (fields.words_of("authors").join(", ").as_str(), fields.source().as_deref(), fields.year()),
            ("A, B", Some("X"), Some(1981))
        );
        let text = format!("{MEN}source: {{name: Y, date: {{year: 1909}}}}\n");
        let entry = OlvEntry::read(&text, 1).unwrap();
        let fields = entry.fields();
        assert_eq!((fields.source().as_deref(), fields.year()), (Some("Y"), Some(1909)));
        assert!(entry.texts("keywords").is_empty());
    }

    #[test]
    fn keywords_are_changed_line_by_line() {
        let list = "keywords: # of the editor\n    - !!str 'Retro' # yes\n    - Cooked\nsolution: x\n";
        assert_eq!(
            changed(list, &["Cooked"], &["Unsound", "Shortmate"]),
            "keywords: # of the editor\n    - !!str 'Retro' # yes\n    - Unsound\n    - Shortmate\nsolution: x\n"
        );
        assert_eq!(changed(list, &["Retro", "Cooked"], &[]), "solution: x\n");
        assert_eq!(changed("keywords:\n- A", &[], &["Cooked"]), "keywords:\n- A\n- Cooked\n");
    }

    #[test]
    fn other_lists_are_written_anew() {
        for (rest, expected) in [
            ("a: b\n", "a: b\nkeywords: [\"Cooked\"]\n"),
            ("keywords: [Retro, Unsound]\na: b\n", "keywords: [\"Retro\",\"Cooked\"]\na: b\n"),
            ("keywords: Unsound\na: b\n", "keywords: [\"Cooked\"]\na: b\n"),
            ("keywords:\na: b\n", "keywords: [\"Cooked\"]\na: b\n"),
        ] {
            assert_eq!(changed(rest, &["Unsound"], &["Cooked"]), expected, "{rest}");
        }
        let flow = "{algebraic: {white: [Kf8], black: [Kh8]}, stipulation: '#2'}\n";
        let written = OlvEntry::read(flow, 1).unwrap().with_keywords(&[], &["Cooked".to_owned()]).unwrap();
        assert_eq!(OlvEntry::read(&written, 1).unwrap().texts("keywords"), ["Cooked"]);
    }
}
