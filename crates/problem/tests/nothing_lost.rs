//! Files of problems of which some are damaged: every problem is answered as it is alone, refused with its place, or a
//! comment by the rules of its format.
//!
//! What must come is derived from how a file was made, and from a plain reading of the rules that shares nothing with
//! the readers: which lines a row of a table has (RFC 4180), what `serde_json` says of a JSON text, where a comment of
//! PGN ends. A problem that is not damaged must be asked as in a file of its own.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test or a measurement stops where something is wrong")]

use matesolve_problem::problem::input::{Reading, entries};
use matesolve_problem::problem::{Problem, popeye};
use matesolve_testkit::random::Random;
use shakmaty::Position as _;

/// A position: its men as letters of a FEN with their squares, and its FEN.
struct Start {
    men: Vec<(char, String)>,
    fen: String,
    /// A legal move.
    first: String,
}

/// The line of a problem, and its question: position and stipulation; `None` if it is refused.
type Found = (usize, Option<(String, String)>);

/// The way in which the problems of a text are derived.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// Each line is one, but for blank ones and comments.
    Lines,
    /// So it is in a table, with its separator, the number of its columns and that of the FEN, but a field in quotes
    /// may go on, and a line with all columns, or with a board in that of the FEN, is no comment.
    Rows(char, usize, usize),
    /// Each item of an array at this place.
    Items(&'static str),
    /// Each part between separators is one.
    Documents,
    /// Each game, from its first tag.
    Games,
    /// Each element of XML, up to the first fault.
    Elements,
    /// Each has a line of three slashes or more; the lines around it are its own, or refused.
    Blocks,
    /// Each item of an array of a script.
    Scripts,
    /// Each line that begins with a bar, or any other.
    Bars,
    /// Each between two keywords.
    Popeye,
}

/// A form of inputs: what stands before, between and after the problems, and a problem.
struct Form {
    name: &'static str,
    around: [&'static str; 3],
    problem: fn(&Start, &str, usize) -> String,
    rule: Rule,
}

const FORMS: [Form; 16] = [
    Form { name: "FEN", around: ["", "", ""], problem: |it, _, _| format!("{}\n", it.fen), rule: Rule::Lines },
    Form {
        name: "EPD",
        around: ["# problems\n", "", ""],
        problem: |it, stipulation, n| format!("{} stip \"{stipulation}\"; id \"a {n}\"; c0 \"b\";\n", it.fen),
        rule: Rule::Lines,
    },
    Form {
        name: "table",
        around: ["id,stipulation,FEN,note\n", "", ""],
        problem: |it, stipulation, n| format!("#{n},{stipulation},{},\"a, b\"\n", it.fen),
        rule: Rule::Rows(',', 4, 2),
    },
    Form {
        name: "table with tabs",
        around: ["\tstipulation\tFEN\n", "", ""],
        problem: |it, stipulation, n| format!("{}\t{stipulation}\t{}\n", if n % 2 == 0 { "" } else { "x" }, it.fen),
        rule: Rule::Rows('\t', 3, 2),
    },
    Form {
        name: "table without a header",
        around: ["", "", ""],
        problem: |it, stipulation, n| format!("{};Prinz {n};{stipulation};\"c; d\"\n", it.fen),
        rule: Rule::Rows(';', 4, 0),
    },
    Form { name: "JSON lines", around: ["", "", ""], problem: |it, s, n| json(it, s, n) + "\n", rule: Rule::Lines },
    Form { name: "JSON array", around: ["[\n", ",\n", "\n]\n"], problem: json, rule: Rule::Items("") },
    Form {
        name: "JSON page",
        around: ["{\"result\": {\"n\": 2, \"entries\": [\n", ",\n", "\n], \"tags\": [\"a\"]}}\n"],
        problem: json,
        rule: Rule::Items("/result/entries"),
    },
    Form {
        name: "JSON with diagrams",
        around: ["{\"tags\": [\"a\"], \"problems\": [\n", ",\n", "\n]}\n"],
        problem: |it, stipulation, n| {
            format!("{{\"id\": {n}, \"diagram\": {{\"fen\": \"{}\"}}, \"stipulation\": \"{stipulation}\"}}", it.fen)
        },
        rule: Rule::Items("/problems"),
    },
    Form {
        name: "olv",
        around: ["---\n", "---\n", ""],
        problem: |it, stipulation, _| {
            let [white, black] = [true, false].map(|is_white| it.men(is_white, ", "));
            format!("algebraic: {{white: [{white}], black: [{black}]}}\nstipulation: \"{stipulation}\"\n")
        },
        rule: Rule::Documents,
    },
    Form {
        name: "sp2",
        around: ["<?xml version=\"1.0\"?>\n<ScacchiPainterDatabase>\n", "", "</ScacchiPainterDatabase>\n"],
        problem: painted,
        rule: Rule::Elements,
    },
    Form {
        name: "PGN",
        around: ["", "", ""],
        problem: |it, _, n| format!("[Event \"{n}\"]\n[FEN \"{}\"]\n\n{{a comment}} *\n\n", it.fen),
        rule: Rule::Games,
    },
    Form {
        name: "block",
        around: ["", "\n", ""],
        problem: |it, stipulation, n| {
            format!("A{n} vs B, Town 19{n:02}\n{} stip \"{stipulation}\";\n1. {}\n", it.fen, it.first)
        },
        rule: Rule::Blocks,
    },
    Form {
        name: "script",
        around: ["export default [\n", ",\n", ",\n];\n"],
        problem: |it, stipulation, n| format!("{{id: {n}, fen: '{}', stipulation: \"{stipulation}\"}}", it.fen),
        rule: Rule::Scripts,
    },
    Form {
        name: "Markdown",
        around: ["| id | stipulation | FEN |\n|---|---|---|\n", "", ""],
        problem: |it, stipulation, n| format!("| {n} | {stipulation} | {} |\n", it.fen),
        rule: Rule::Bars,
    },
    Form {
        name: "Popeye",
        around: ["BeginProblem\n", "NextProblem\n", "EndProblem\n"],
        problem: |it, stipulation, n| {
            let [white, black] = [true, false].map(|is_white| it.men(is_white, " "));
            format!("Title {n}\nPieces White {white} Black {black}\nStipulation {stipulation}\n")
        },
        rule: Rule::Popeye,
    },
];

fn json(it: &Start, stipulation: &str, n: usize) -> String {
    format!("{{\"id\": \"a {n}\", \"fen\": \"{}\", \"stipulation\": \"{stipulation}\", \"x\": [1, {{}}]}}", it.fen)
}

fn painted(it: &Start, stipulation: &str, n: usize) -> String {
    let piece = |color: &str, man: char, square: &str| {
        let name = ["King", "Queen", "Rock", "Bishop", "Horse", "Pawn"]["KQRBNP".find(man).expect("a man")];
        let (file, rank) = square.split_at(1);
        format!(
            "<Piece Type=\"{name}\" Color=\"{color}\" Column=\"Col{}\" Traverse=\"Row{rank}\"/>",
            file.to_uppercase()
        )
    };
    let white = it.side(true, |man, square| piece("White", man, square)).concat();
    let black = it.side(false, |man, square| piece("Black", man, square)).concat();
    let (text, moves) = stipulation.split_at(stipulation.len() - 1);
    format!(
        "<SP_Item Moves=\"{moves}\" CompleteStipulationDesc=\"{text}\" PersonalID=\"{n}\">\n<Pieces>{white}{black}</Pieces>\n\
         <Conditions/></SP_Item>\n"
    )
}

fn german_knight(man: char) -> char {
    if man == 'N' { 'S' } else { man }
}

impl Start {
    /// Returns a position with few men that can be played.
    fn random(random: &mut Random) -> Start {
        loop {
            let mut squares: Vec<usize> = (0..64).collect();
            let letters = ["K", "k", "Q", "R", "p", "N", "b", "P"];
            let mut board = [None; 64];
            for letter in &letters[..3 + random.below(letters.len() - 2)] {
                let at = squares.swap_remove(random.below(squares.len()));
                board[at] = letter.chars().next();
            }
            let rank = |row: &[Option<char>]| -> String {
                let cells: String = row.iter().map(|man| man.unwrap_or('1')).collect();
                (2..=8).rev().fold(cells, |cells, n| cells.replace(&"1".repeat(n), &n.to_string()))
            };
            let ranks: Vec<String> = board.chunks(8).map(rank).collect();
            let fen = format!("{} w - - 0 1", ranks.join("/"));
            let name = |at: usize| format!("{}{}", char::from(b'a' + (at % 8) as u8), 8 - at / 8);
            let men = (0..64).filter_map(|at| Some((board[at]?, name(at)))).collect();
            let chess = Problem::read(&fen).map(|problem| problem.chess);
            if let Some(first) = chess.ok().and_then(|chess| chess.legal_moves().first().copied()) {
                let first = first.to_uci(shakmaty::CastlingMode::Standard).to_string();
                return Start { men, fen, first };
            }
        }
    }

    /// Returns the men of a side in German letters, with `between` between two.
    fn men(&self, is_white: bool, between: &str) -> String {
        self.side(is_white, |man, square| format!("{}{square}", german_knight(man))).join(between)
    }

    /// Returns the men of a side, each as a text.
    fn side(&self, is_white: bool, text: impl Fn(char, &str) -> String) -> Vec<String> {
        let men = self.men.iter().filter(|(man, _)| man.is_uppercase() == is_white);
        men.map(|(man, square)| text(man.to_ascii_uppercase(), square)).collect()
    }
}

/// Texts that readers treat in a way of their own.
const SPECIAL: [&str; 24] = [
    "\"", "\"\"", "{", "}", "[", "]", ",", ";", ":", "#", "%", "#3", "\n", "\n# x\n", "\r\n", "\t", "-", "---", "null",
    "7", "\"fen\":", "<", ">", "{x} ",
];

/// Returns a text with one to three changes of its words.
fn damaged(random: &mut Random, text: &str) -> String {
    let mut words: Vec<&str> = text.split_inclusive(|c: char| !c.is_alphanumeric()).collect();
    for _ in 0..=random.below(3) {
        let (at, other) = (random.below(words.len()), random.below(words.len()));
        match random.below(6) {
            0 if words.len() > 1 => drop(words.remove(at)),
            1 => words[at] = random.pick(&SPECIAL),
            2 | 3 => words.insert(at, random.pick(&SPECIAL)),
            4 => words.swap(at, other),
            _ => words.insert(at, words[other]),
        }
    }
    words.concat()
}

/// Reads a text.
fn read(text: &str, rule: Rule) -> Vec<Found> {
    let asked = |problem: Problem| (problem.fen, problem.question.stipulation.to_string());
    if rule == Rule::Popeye {
        let problems = popeye::read(text).unwrap_or_default().into_iter();
        let asked = |problem: popeye::PopeyeProblem| {
            let stipulation = problem.stipulation.filter(|_| problem.refused.is_none())?;
            Some((problem.board.to_string(), stipulation.to_string()))
        };
        return problems.map(|problem| (0, asked(problem))).collect();
    }
    let read = entries(text.as_bytes(), 0, Reading::default());
    read.map(|entry| (entry.line, entry.problem.ok().map(asked))).collect()
}

/// Returns how many lines a row has that begins here: one, unless a field in quotes goes on, and is closed where a
/// field can end.
fn lines_of_row(lines: &[&str], separator: char) -> usize {
    let text = lines.join("\n");
    let (mut rest, mut used) = (&text[..], 1);
    loop {
        if let Some(mut quoted) = rest.strip_prefix('"') {
            let mut breaks = 0;
            loop {
                let Some(end) = quoted.find('"') else { return 1 };
                breaks += quoted[..end].matches('\n').count();
                quoted = &quoted[end + 1..];
                match quoted.strip_prefix('"') {
                    Some(more) => quoted = more,
                    None => break,
                }
            }
            if breaks > 0 && !(quoted.is_empty() || quoted.starts_with([separator, '\n'])) {
                return 1;
            }
            used += breaks;
            rest = quoted;
        }
        let Some(end) = rest.find([separator, '\n']) else { return used };
        let is_end = rest[end..].starts_with('\n');
        rest = &rest[end + 1..];
        if is_end {
            return used;
        }
    }
}

/// Returns how many fields a line has. A separator in quotes, closed or not, ends no field.
fn fields_in(line: &str, separator: char) -> usize {
    let mut count = 1;
    let (mut is_start, mut is_quoted) = (true, false);
    for c in line.chars() {
        is_quoted = if is_quoted { c != '"' } else { c == '"' && is_start };
        is_start = c == separator && !is_quoted;
        count += usize::from(is_start);
    }
    count
}

/// Returns the numbers of the lines on which a problem begins; `None` for a line that may be one or a comment.
fn places(text: &str, rule: Rule, first: usize) -> Vec<(usize, Option<bool>)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut places = Vec::new();
    let mut at = first;
    while at < lines.len() {
        let line = lines[at].trim_start_matches('\u{feff}');
        let line = line.trim_matches(|c: char| c.is_whitespace() && (rule == Rule::Lines || c != '\t'));
        let mut used = 1;
        let is_alone = line.trim().starts_with('#') && !line.contains(char::is_alphabetic);
        let is_marked = line.trim_start().starts_with(['#', '%']);
        let is_place = match rule {
            _ if line.trim().is_empty() => Some(false),
            Rule::Rows(separator, columns, fen) => {
                let has_board = line.split(separator).nth(fen).is_some_and(|cell| cell.matches('/').count() == 7);
                let is_row = fields_in(line, separator) >= columns || has_board;
                used = if is_marked && !is_row { 1 } else { lines_of_row(&lines[at..], separator) };
                if is_marked && (is_alone || line.contains('"') || is_row) { None } else { Some(!is_marked) }
            }
            _ if is_alone => None,
            _ => Some(!is_marked),
        };
        places.push((at + 1, is_place));
        at += used;
    }
    places
}

/// A file, the places of its problems, and those that are damaged.
struct File {
    text: String,
    lines: Vec<usize>,
    is_damaged: Vec<bool>,
    alone: Vec<Found>,
}

impl File {
    /// Returns whether an entry begins in the lines of a problem.
    fn has_entry(&self, n: usize, found: &[Found]) -> bool {
        let next = self.lines.get(n + 1).copied().unwrap_or(usize::MAX);
        found.iter().any(|entry| (self.lines[n]..next).contains(&entry.0))
    }
}

/// Makes a file of eight problems, of which three are damaged; the first shows the form.
fn file(random: &mut Random, form: &Form) -> File {
    let [before, between, after] = form.around;
    let mut file = File { text: before.to_owned(), lines: vec![], is_damaged: vec![], alone: vec![] };
    let first_damaged = 1 + random.below(3);
    for n in 0..8 {
        let start = Start::random(random);
        let whole = (form.problem)(&start, random.pick(&["#2", "s#3", "h#2", "#4"]), n);
        let is_damaged = n >= first_damaged && n % 2 == first_damaged % 2 && n < first_damaged + 5;
        file.text.push_str(if n > 0 { between } else { "" });
        let line = file.text.matches('\n').count() + 1;
        let alone = read(&format!("{before}{whole}{after}"), form.rule);
        assert_eq!(alone.len(), 1, "{}: {whole}", form.name);
        let moved = alone[0].0 + line - before.matches('\n').count() - 1;
        file.alone.push((moved, alone[0].1.clone()));
        file.text.push_str(&if is_damaged { damaged(random, &whole) } else { whole });
        if !file.text.ends_with('\n') && !matches!(form.rule, Rule::Items(_)) {
            file.text.push('\n');
        }
        file.lines.push(line);
        file.is_damaged.push(is_damaged);
    }
    file.text.push_str(after);
    file
}

/// Checks a file in which a damaged problem may take something from its neighbours.
fn check_lines(file: &File, form: &Form, found: &[Found]) -> Result<(), String> {
    let at = |line: usize| found.iter().filter(|entry| entry.0 == line).collect::<Vec<_>>();
    let is_within_refused =
        |line: usize| found.iter().rfind(|entry| entry.0 <= line).is_some_and(|entry| entry.1.is_none());
    let whole = (0..8).filter(|&n| !file.is_damaged[n]);
    // What a damaged problem takes from its neighbours is not derived here: a whole one is asked, or refused.
    for n in whole {
        let (line, expected) = file.alone[n].clone();
        let here = at(line);
        let is_asked = here.len() == 1 && here[0].1 == expected;
        let is_refused = is_within_refused(line) && here.iter().all(|entry| entry.1.is_none());
        if !is_asked && !is_refused {
            return Err(format!("the problem in line {line} is neither asked as alone nor refused"));
        }
    }
    let is_board = |line: &str| line.matches('/').count() > 2 && form.rule == Rule::Blocks;
    for (at_line, _) in file.text.lines().enumerate().filter(|(_, line)| is_board(line)) {
        if at(at_line + 1).len() != 1
            && !file.text.lines().nth(at_line).is_some_and(|it| it.trim_start().starts_with(['#', '%']))
        {
            return Err(format!("the board in line {} has no answer", at_line + 1));
        }
    }
    Ok(())
}

/// Checks a file. Returns the number of its damaged problems.
fn check(file: &File, form: &Form) -> Result<usize, String> {
    let found = read(&file.text, form.rule);
    let at = |line: usize| found.iter().filter(|entry| entry.0 == line).collect::<Vec<_>>();
    // The entry in which a line stands is refused: the line is a part of it.
    let is_within_refused =
        |line: usize| found.iter().rfind(|entry| entry.0 <= line).is_some_and(|entry| entry.1.is_none());
    let whole = || (0..8).filter(|&n| !file.is_damaged[n]);
    let head = form.around[0].matches('\n').count();
    match form.rule {
        Rule::Lines | Rule::Rows(..) => {
            let places = places(&file.text, form.rule, head);
            let mut count = 0;
            for (line, is_place) in &places {
                let here = at(*line).len();
                count += here;
                if is_place.map_or(here > 1, |is_place| here != usize::from(is_place)) {
                    return Err(format!("line {line} has {here} answers"));
                }
            }
            let others = found.iter().filter(|entry| entry.0 <= head).count();
            if count + others != found.len() {
                return Err(format!("{} answers to {count} lines", found.len()));
            }
            for n in whole().filter(|&n| places.iter().any(|(line, _)| *line == file.lines[n])) {
                if at(file.lines[n]) != [&file.alone[n]] {
                    return Err(format!("line {} is asked as another problem", file.lines[n]));
                }
            }
        }
        Rule::Items(place) => {
            let value = serde_json::from_str::<serde_json::Value>(&file.text);
            if let Ok(items) = value.as_ref().map(|value| value.pointer(place).and_then(|it| it.as_array())) {
                let items = items.map_or(0, Vec::len);
                if items != found.len() {
                    return Err(format!("{} answers to {items} items", found.len()));
                }
            }
            for n in 0..8 {
                let (line, here) = (file.lines[n], at(file.lines[n]));
                let is_right = if file.is_damaged[n] { file.has_entry(n, &found) } else { here == [&file.alone[n]] };
                let is_refused =
                    value.is_err() && is_within_refused(line) && here.iter().all(|entry| entry.1.is_none());
                if !is_right && !is_refused {
                    return Err(format!("the item in line {line} is neither answered as alone nor refused"));
                }
            }
        }
        Rule::Documents => {
            let is_separator =
                |line: &str| line.starts_with("---") && line[3..].chars().next().is_none_or(char::is_whitespace);
            let lines: Vec<&str> = file.text.lines().collect();
            let documents = lines.split(|line| is_separator(line) && line.trim() == "---");
            let is_content = |line: &&&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
            let count = documents.filter(|lines| lines.iter().any(|line| is_content(&line))).count();
            let is_plain =
                !lines.iter().any(|line| line.starts_with(['%', '.']) || is_separator(line) && line.trim() != "---");
            if is_plain && count != found.len() {
                return Err(format!("{} answers to {count} documents", found.len()));
            }
            if let Some(n) = whole().find(|&n| at(file.alone[n].0) != [&file.alone[n]]) {
                return Err(format!("the entry in line {} is asked as another problem", file.lines[n]));
            }
        }
        Rule::Games | Rule::Elements => {
            let in_comment = |line: usize| {
                let start = found.iter().map(|entry| entry.0).filter(|start| *start < line).max().unwrap_or(1);
                let before: String = file.text.lines().skip(start - 1).take(line - start).collect();
                form.rule == Rule::Games && before.rfind('{').is_some_and(|at| !before[at..].contains('}'))
            };
            let is_broken = form.rule == Rule::Elements && found.last().is_some_and(|entry| entry.1.is_none());
            // The last letters of a damaged game may begin the next one.
            let is_early = |n: usize| {
                let before = file.lines[n.saturating_sub(1)]..file.lines[n];
                form.rule == Rule::Games && found.iter().any(|it| before.contains(&it.0) && it.1 == file.alone[n].1)
            };
            for n in 0..8 {
                let (line, here) = (file.lines[n], at(file.lines[n]));
                let is_right = if file.is_damaged[n] { file.has_entry(n, &found) } else { here == [&file.alone[n]] };
                let is_refused = (form.rule == Rule::Games || is_broken) && is_within_refused(line) && here.len() < 2;
                if !is_right && !is_refused && !in_comment(line) && !is_early(n) {
                    return Err(format!("the problem in line {line} is neither answered as alone nor refused"));
                }
            }
        }
        Rule::Blocks | Rule::Scripts | Rule::Bars => check_lines(file, form, &found)?,
        Rule::Popeye => {
            let mut rest = found.iter();
            let ends = |text: &str| text.split_whitespace().any(|word| "endproblem".starts_with(&word.to_lowercase()));
            for n in whole() {
                let before = file.text.lines().take(file.lines[n] - 1).collect::<Vec<_>>().join("\n");
                if !rest.any(|entry| *entry == (0, file.alone[n].1.clone())) && !ends(&before) {
                    return Err(format!("problem {n} is not asked"));
                }
            }
        }
    }
    Ok(file.is_damaged.iter().filter(|is| **is).count())
}

/// Checks files of each form until this number of problems of it was damaged. Stops at the first fault of a form, and
/// goes on with the next form.
fn run(most: usize, seed: u64) {
    let faults: Vec<String> = FORMS.iter().filter_map(|form| run_form(form, most, seed).err()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn run_form(form: &Form, most: usize, seed: u64) -> Result<(), String> {
    let (mut random, mut count) = (Random(seed), 0);
    while count < most {
        let file = file(&mut random, form);
        let fault = |why| format!("{}: {why}\n{}\n{:#?}", form.name, file.text, read(&file.text, form.rule));
        count += check(&file, form).map_err(fault)?;
    }
    println!("{}: {count} damaged problems", form.name);
    Ok(())
}

#[test]
fn no_problem_is_lost_beside_damaged_ones() {
    run(120, 1);
}

#[test]
#[ignore = "30,000 damaged problems of each form, an hour: cargo test --release -p matesolve-problem --test nothing_lost -- --ignored --nocapture"]
fn no_problem_is_lost_beside_many_damaged_ones() {
    run(30_000, 2);
}
