//! The argument of `--letters`. The letters belong to a lower crate, so clap cannot be derived for them: their names
//! come from there, and what help says of each stands here.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::chess::Letters;

/// What help says of each set of letters, in the order of [`Letters::NAMES`].
const HELP: [&str; Letters::NAMES.len()] = [
    "English: K Q R B N P",
    "English, with S for the knight, as problemists write: K Q R B S P",
    "Czech: K D V S J P",
    "German: K D T L S B",
    "Spanish: R D T A C P",
    "French: R D T F C P",
    "Italian: R D T A C P",
    "Dutch: K D T L P O",
    "Polish: K H W G S P",
    "Portuguese: R D T B C P",
    "Russian in Latin letters: Kr F L S K P",
];

/// Returns the parser of the argument.
pub(crate) fn letters() -> impl TypedValueParser<Value = Letters> {
    let names = Letters::NAMES.into_iter().zip(HELP);
    let values = names.map(|((_, name), help)| PossibleValue::new(name).help(help));
    // The parser lets no other names through.
    PossibleValuesParser::from(values).map(|name| named(&name).unwrap_or_default())
}

fn named(wanted: &str) -> Option<Letters> {
    Letters::NAMES.into_iter().find_map(|(letters, name)| (name == wanted).then_some(letters))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use clap::Command;
    use shakmaty::Role;

    use super::*;

    #[test]
    fn the_names_are_those_of_the_library_and_help_has_their_letters() {
        let parser = letters();
        let values: Vec<PossibleValue> = parser.possible_values().unwrap().collect();
        let names: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
        assert_eq!(names, Letters::NAMES.map(|(_, name)| name));
        for ((letters, name), value) in Letters::NAMES.into_iter().zip(values) {
            assert_eq!(parser.parse_ref(&Command::new("test"), None, OsStr::new(name)).unwrap(), letters);
            let roles = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
            let listed = format!(": {}", roles.map(|role| letters.of(role)).join(" "));
            assert!(value.get_help().unwrap().to_string().ends_with(&listed), "{name}");
        }
    }
}
