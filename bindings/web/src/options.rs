//! Reads the options of a request. Every option has a name and a range, and an error names both.

use std::fmt::Display;
use std::str::FromStr;

use matesolve::problem::Asked;
use matesolve::problem::question::{Colors, Said};
use matesolve::results::report::Tries;
use matesolve::shakmaty::Color;
use matesolve::terms::{MateLength, Stipulation};
use serde_json::{Map, Value};

/// The options of a request that nobody has read yet.
pub(crate) struct Options(Map<String, Value>);

/// Words that people write instead of an option, and what to write.
const OTHER_NAMES: [(&str, &str); 2] = [("max", "mate"), ("triesWithPlay", "tries: \"play\"")];

/// A sentence that says what is wrong with a request.
pub(crate) type Refusal = String;

impl Options {
    pub fn new(options: Map<String, Value>) -> Options {
        Options(options)
    }

    /// Removes an option. `null` means that it is not given.
    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    /// Returns a whole number from `least` to `most`.
    pub fn number(&mut self, name: &str, least: u64, most: u64) -> Result<Option<u64>, Refusal> {
        let Some(value) = self.take(name) else { return Ok(None) };
        match value.as_u64().filter(|number| (least..=most).contains(number)) {
            Some(number) => Ok(Some(number)),
            None if most == u64::MAX => Err(format!("the option {name} is a whole number from {least}, not {value}")),
            None => Err(format!("the option {name} is a whole number from {least} to {most}, not {value}")),
        }
    }

    /// Returns a number of moves, or another number of 16 bits, from 1 to `most`.
    pub fn small(&mut self, name: &str, most: u16) -> Result<Option<u16>, Refusal> {
        let number = self.number(name, 1, most.into())?;
        Ok(number.and_then(|number| u16::try_from(number).ok()))
    }

    /// Returns a switch; it is off if it is not given.
    pub fn switch(&mut self, name: &str) -> Result<bool, Refusal> {
        Ok(self.optional_switch(name)?.unwrap_or(false))
    }

    /// Returns a switch; `None` if it is not given.
    pub fn optional_switch(&mut self, name: &str) -> Result<Option<bool>, Refusal> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(value)) => Ok(Some(value)),
            Some(value) => Err(format!("the option {name} is true or false, not {value}")),
        }
    }

    /// Returns a text.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, Refusal> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(value) => Err(format!("the option {name} is a text, not {value}")),
        }
    }

    /// Returns a value that is written as text, such as a stipulation.
    pub fn parsed<T: FromStr<Err: Display>>(&mut self, name: &str) -> Result<Option<T>, Refusal> {
        let read = |text: String| text.parse().map_err(|error| format!("the option {name}: {error}"));
        self.text(name)?.map(read).transpose()
    }

    /// Returns one of several named values.
    pub fn choice<T: Copy>(&mut self, name: &str, values: &[(T, &str)]) -> Result<Option<T>, Refusal> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let find = values.iter().find(|(_, known)| *known == text).map(|(value, _)| *value);
        let names = || values.iter().map(|(_, known)| *known).collect::<Vec<_>>().join(", ");
        find.map(Some).ok_or_else(|| format!("the option {name} is one of {}, not \"{text}\"", names()))
    }

    /// Returns the texts of a list.
    pub fn texts(&mut self, name: &str) -> Result<Vec<String>, Refusal> {
        let Some(value) = self.take(name) else { return Ok(Vec::new()) };
        serde_json::from_value(value.clone()).map_err(|_| format!("the option {name} is a list of texts, not {value}"))
    }

    /// Returns the option `tries`: a switch, a number of refutations, or a text such as `2,play`.
    pub fn tries(&mut self) -> Result<Option<Tries>, Refusal> {
        let text = match self.take("tries") {
            None | Some(Value::Bool(false)) => return Ok(None),
            Some(Value::Bool(true)) => "1".to_owned(),
            Some(Value::String(text)) => text,
            Some(value) => value.to_string(),
        };
        text.parse().map(Some).map_err(|why| format!("the option tries: {why}"))
    }

    /// Refuses options that nobody has read.
    pub fn finish(self, what: &str) -> Result<(), Refusal> {
        match self.0.into_iter().next() {
            Some((name, _)) => {
                let other = OTHER_NAMES.iter().find(|(known, _)| *known == name);
                let tip = other.map_or(String::new(), |(_, other)| format!("; write {other}"));
                Err(format!("{what} has no option {name}{tip}"))
            }
            None => Ok(()),
        }
    }
}

/// Returns what the option `stipulation` asks, such as `#3`, or `s#` for the shortest selfmate.
pub(crate) fn stipulation(options: &mut Options) -> Result<Asked, Refusal> {
    let read = |text: String| Stipulation::parse_stated(&text).map_err(|error| error.to_string());
    let stipulation = options.text("stipulation")?.map(read).transpose()?;
    Ok(Asked { stipulation: stipulation.map(|value| Said { value, by: "stipulation" }), ..Asked::default() })
}

/// Returns the colour of the side that strives for the goal, if an option states it.
pub(crate) fn attacker(options: &mut Options) -> Result<Option<Said<Colors>>, Refusal> {
    let side = options.choice("attacker", &[(Color::White, "white"), (Color::Black, "black")])?;
    Ok(side.map(|side| Said { value: Colors::Attacker(side), by: "attacker" }))
}

/// Returns an option that is a number of moves.
pub(crate) fn moves_of(options: &mut Options, name: &str) -> Result<Option<MateLength>, Refusal> {
    Ok(options.small(name, MateLength::MAX.0)?.map(MateLength))
}
