//! Writes a report as plain text for people. The text has ANSI styles, which the caller must remove when writing to a
//! file or a pipe.
//!
//! ```text
//! #2 sound
//! White Kf8 Rh1 Pg6; Black Kh8 Bg8 Pg7 Ph7 (3+4, a miniature)
//!
//! 1. Rh6! zugzwang (sacrifice)
//!   1... gxh6 2. g7#
//!   1... Ba2, Bb3, Bc4, Bd5, Be6, Bf7 2. Rxh7#
//!
//! 69 nodes, 0 ms
//! C+ matesolve 0.1 (#2, whole, 0 ms)
//! ```
//!
//! In the play, the attacker's moves have numbers with one dot, the defender's with three, whichever colour they have.
//! Defences with the same replies share a line if these end it. In selfmates all moves that mate follow the attacker's
//! last move on its line, and `=` marks a stalemate that is the goal. Play after a continuation that was written before
//! is referred to. (A test in `tests/integration/report.rs` compares this sample with the program's output.)

use std::fmt::Write;

use anstyle::Style;
use hashbrown::HashMap;
use shakmaty::Board;

use crate::output::styles::{FAINT, OPEN, PROVED, STRONG, WRONG};
use crate::output::text::{grouped, reason};
use crate::results::report::rows::{Kind, Row};
use crate::results::report::{
    Dual, DualKind, Extent, FirstMoveCounts, Key, Play, PlayId, Ply, Report, Severity, Size, Soundness, Source, Why,
};
use crate::results::stamp::seconds;

use super::depth::SHOWN_KEYS;
use super::help;
use super::phases;
use super::words::{features, promoted_men, verdict};

/// Returns the text of the report on one phase.
pub fn full(report: &Report) -> String {
    let mut text = String::new();
    write_full(report, &mut text);
    text
}

/// Returns the number of lines of the report on one phase.
pub(super) fn lines(report: &Report) -> usize {
    struct NewLines(usize);
    impl Write for NewLines {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            self.0 += text.matches('\n').count();
            Ok(())
        }
    }
    let mut lines = NewLines(1);
    write_full(report, &mut lines);
    lines.0
}

/// Writes the report, phase after phase if there are several. An error of `out` stays with `out`.
pub(super) fn write_whole(report: &Report, out: &mut dyn Write) {
    if report.phases.is_empty() {
        return write_full(report, out);
    }
    let style = style(report);
    let _ = write!(out, "{style}{}{style:#}", verdict(report));
    // A phase of a zero position has men of its own.
    let begins =
        |board: &Board| report.phases[0].position.as_ref().is_some_and(|it| it.fen.starts_with(&board.to_string()));
    let is_diagram = report.twin_diagram.as_ref().is_some_and(begins);
    for (index, phase) in report.phases.iter().enumerate() {
        let heading = phase.phase.as_ref().map_or_else(String::new, ToString::to_string);
        let _ = write!(out, "\n\n{STRONG}{heading}{STRONG:#}\n");
        match &phase.error {
            Some(error) => {
                let _ = write!(out, "{OPEN}not solved: {error}{OPEN:#}");
            }
            None => write_phase(phase, out, index == 0 || !is_diagram),
        }
    }
    write_stamp(report, out);
}

/// Writes the stamp, if the report has one.
fn write_stamp(report: &Report, out: &mut dyn Write) {
    if let Some(stamp) = report.stamp() {
        let _ = write!(out, "\n{stamp}");
    }
}

/// Returns the style of a verdict.
fn style(report: &Report) -> Style {
    match report.verdict.soundness {
        _ if report.internal_failure => WRONG,
        Soundness::Sound => PROVED,
        Soundness::Undecided => OPEN,
        Soundness::Cooked | Soundness::ShortSolution | Soundness::NoSolution | Soundness::Incomplete => WRONG,
    }
}

/// Writes the report on a problem with one phase. An error of `out` stays with `out`.
fn write_full(report: &Report, out: &mut dyn Write) {
    write_phase(report, out, true);
    write_stamp(report, out);
}

/// Writes the report on one phase, without its stamp. `has_men`: with the men of its diagram.
fn write_phase(report: &Report, out: &mut dyn Write, has_men: bool) {
    let style = style(report);
    let _ = write!(out, "{style}{}{style:#}", verdict(report));
    if has_men {
        diagram(out, report);
    }
    open_first_moves(out, report);
    play(out, report);
    phases::text(out, report);
    omissions(out, report);
    let (nodes, time) = (grouped(report.stats.nodes), seconds(report.stats.time_ms));
    let _ = write!(out, "\n\n{FAINT}{nodes} nodes, {time}{FAINT:#}");
}

/// Returns the lines, the play and the duals of a phase, and the remarks about omitted play, without styles.
pub(in crate::output) fn solution(report: &Report) -> String {
    let mut text = String::new();
    play(&mut text, report);
    omissions(&mut text, report);
    anstream::adapter::strip_str(text.trim_start_matches('\n')).to_string()
}

/// Writes the lines or the play of a phase, and the duals.
fn play(out: &mut dyn Write, report: &Report) {
    if let Some(help) = &report.help {
        help::lines(out, help);
    }
    let mut writer = TextWriter { text: out, first: HashMap::new(), line: Vec::new(), noun: report.goal().noun() };
    let is_listed = report.options.depth == Some(1) && report.keys.len() > SHOWN_KEYS;
    for row in report.rows() {
        match row.kind {
            Kind::MustMate => {}
            Kind::Key(_) if is_listed => {}
            Kind::SetPlay(_) if row.below().is_empty() && row.play().is_none_or(|(_, play)| !play.cut) => {}
            _ => writer.part(&row, report.why.as_ref()),
        }
    }
    if is_listed {
        writer.keys(&report.keys);
    }
    for line in report.why.iter().flat_map(|why| &why.lines) {
        writer.refutation(line);
    }
    duals(out, &report.duals);
}

/// Says why play is missing, if some is.
fn omissions(text: &mut dyn Write, report: &Report) {
    let verdict = &report.verdict;
    if let Some(depth) = report.options.depth {
        let _ = write!(text, "\n\n{OPEN}the play is shown to move {depth}; --depth all shows all of it{OPEN:#}");
    }
    if verdict.truncated {
        let limit = report.options.max_tree_nodes;
        let _ = write!(
            text,
            "\n\n{OPEN}… marks omitted play: the tree is limited to {limit} nodes (--max-tree-nodes){OPEN:#}"
        );
    }
    let stopped = reason(report.internal_failure, report.stats.stopped_by);
    let has_moves = !report.keys.is_empty() || report.post_key.is_some();
    if !verdict.complete && has_moves && report.options.extent == Extent::WholeSolution && !stopped.is_empty() {
        let marks = if report.tree.plays().iter().any(|play| play.cut) { "; … marks what is missing" } else { "" };
        let _ = write!(text, "\n\n{OPEN}the solution was not worked out to its end{stopped}{marks}{OPEN:#}");
    }
}

/// Writes the men, and the assumptions about castling and en passant.
fn diagram(text: &mut dyn Write, report: &Report) {
    let Some(position) = &report.position else { return };
    let men = position.men;
    let size = match men.size {
        Size::Miniature => ", a miniature",
        Size::Meredith => ", a meredith",
        Size::Full => "",
    };
    let _ = write!(text, "\n{} ({}+{}{size})", position.algebraic, men.white, men.black);
    if let Some(promoted) = promoted_men(report) {
        let _ = write!(text, "\n{promoted}");
    }
    let may_castle = position.fen.split(' ').nth(2).is_some_and(|rights| rights != "-");
    if position.castling == Source::Assumed && may_castle {
        let _ = text.write_str("\ncastling is assumed to be possible where king and rook stand on their squares");
    }
    if position.en_passant == Source::Proved {
        let _ = text.write_str("\nthe last move can only have been the double step, so it may be taken en passant");
    }
}

/// Says how far the first moves are decided, if a limit was reached before all were.
fn open_first_moves(text: &mut dyn Write, report: &Report) {
    let FirstMoveCounts { total, refuted, open } = &report.first_moves;
    if open.is_empty() {
        return;
    }
    let names: Vec<&str> = open.iter().map(|ply| ply.san.as_str()).collect();
    let names = if open.len() == *total { "all".to_owned() } else { names.join(", ") };
    // The verdict already has the count if it is undecided and there is a key.
    let counted = report.verdict.soundness == Soundness::Undecided && !report.keys.is_empty();
    let count = if counted { String::new() } else { format!("first moves: {refuted} of {total} refuted; ") };
    let _ = write!(text, "\n{OPEN}{count}not decided: {names}{OPEN:#}");
}

/// Writes keys, tries and play.
struct TextWriter<'a> {
    text: &'a mut dyn Write,
    /// The line of moves that leads to the first occurrence of each play.
    first: HashMap<PlayId, String>,
    /// The moves that lead to this place.
    line: Vec<String>,
    /// The noun for a solution, such as `mate`.
    noun: &'static str,
}

impl TextWriter<'_> {
    /// Writes a part: its heading, its play, and what refutes it.
    fn part(&mut self, row: &Row<'_>, why: Option<&Why>) {
        let mut remark = String::new();
        let heading = match row.kind {
            Kind::SetPlay(true) => "set play (complete)".to_owned(),
            Kind::SetPlay(false) => "set play".to_owned(),
            Kind::AfterKey => why.map_or("after the key".to_owned(), |why| format!("after 1. {}", why.first.san)),
            Kind::Key(key) => {
                remark = features(&key.features, false);
                let cook = if key.intended == Some(false) { " cook" } else { "" };
                let length = if key.exact { String::new() } else { format!(" {} in ≤ {}", self.noun, key.mate_in) };
                format!("1. {}!{cook}{length}", row.san())
            }
            _ => format!("1. {}{}", row.san(), row.mark()),
        };
        let _ = write!(self.text, "\n\n{STRONG}{heading}{STRONG:#}");
        let is_answered = |play: &Play| !play.variations.is_empty() || play.unshown > 0 || play.cut;
        let is_after = matches!(row.kind, Kind::AfterKey);
        if is_after && !row.refutations.is_empty() && row.play().is_some_and(|(_, play)| !is_answered(play)) {
            let _ = write!(self.text, "\n  no defence allows a {} in time", self.noun);
            return;
        }
        // A key whose play is missing altogether stands alone; the end of the text says why.
        if is_after || !row.is_cut() {
            let gap = if is_after { "\n  " } else { " " };
            self.announce(row, gap);
        }
        if !remark.is_empty() {
            let _ = write!(self.text, " {FAINT}({remark}){FAINT:#}");
        }
        self.line.extend(row.ply.map(|ply| format!("1. {}", ply.san)));
        self.play(row);
        self.line.clear();
        let refutations: Vec<String> = row.refutations.iter().map(|ply| format!("{}!", ply.san)).collect();
        if !refutations.is_empty() {
            let _ = write!(self.text, "\n  but 1... {}", refutations.join(", "));
        }
    }

    /// Lists keys, with their lengths.
    fn keys(&mut self, keys: &[Key]) {
        let _ = write!(self.text, "\n\n{STRONG}keys{STRONG:#}");
        for Key { ply, mate_in, exact, .. } in keys {
            let sign = if *exact { "" } else { "≤ " };
            let _ = write!(self.text, "\n  1. {}! {} in {sign}{mate_in}", ply.san, self.noun);
        }
    }

    /// Writes how a refutation works: `1... h6! 2. Rxh6 gxh6`.
    fn refutation(&mut self, line: &[Ply]) {
        let _ = write!(self.text, "\n    1...");
        for (index, ply) in line.iter().enumerate() {
            let mark = if index == 0 { "!" } else { "" };
            let number = if index % 2 == 1 { format!(" {}.", index.div_ceil(2) + 1) } else { String::new() };
            let _ = write!(self.text, "{number} {}{mark}", ply.san);
        }
    }

    /// Writes `zugzwang`, the threats if they end the line, or that play is left out, for the line of the move before.
    /// Longer threats need lines of their own.
    fn announce(&mut self, row: &Row<'_>, gap: &str) {
        let threats = threats(row);
        let words = match closing(&threats) {
            _ if row.is_cut() => "…".to_owned(),
            _ if row.is_zugzwang() => "zugzwang".to_owned(),
            Some(moves) if !threats.is_empty() => format!("threat {}. {moves}", row.number + 1),
            _ => return,
        };
        let _ = write!(self.text, "{gap}{words}");
    }

    /// Writes the play after a move. Defences with the same replies, if these end the line, share a line.
    fn play(&mut self, above: &Row<'_>) {
        let Some((id, play)) = above.play() else { return };
        self.first.entry(id).or_insert_with(|| self.line.join(" "));
        let number = above.number;
        let begins = format!("\n{}", "  ".repeat(usize::from(number)));
        let threats = threats(above);
        // The others are announced.
        for threat in threats.iter().filter(|_| closing(&threats).is_none()) {
            let _ = write!(self.text, "{begins}threat");
            self.attack(threat);
        }
        for (replies, group) in groups(above) {
            let defences: Vec<String> = group.iter().map(Row::san).collect();
            let _ = write!(self.text, "{begins}{number}... {}", defences.join(", "));
            self.line.push(format!("{number}... {}", defences[0]));
            match replies {
                Some(replies) if replies.is_empty() => {}
                Some(replies) => {
                    let _ = write!(self.text, " {}. {replies}", number + 1);
                }
                None => {
                    for (index, answer) in group[0].below().iter().enumerate() {
                        if let Some(defence) = self.line.last().filter(|_| index > 0) {
                            let _ = write!(self.text, "{begins}{defence}");
                        }
                        self.attack(answer);
                    }
                }
            }
            self.line.pop();
        }
        // If something below is cut, the mark stands there.
        if play.cut && !play.continuations().any(|continuation| above.tree.is_cut(continuation.next)) {
            let _ = write!(self.text, "{begins}…");
        }
    }

    /// Writes a move of the attacker on the line of the defence or of the word before it, and the play after it. Play
    /// that was written before is referred to.
    fn attack(&mut self, row: &Row<'_>) {
        let played = format!("{}. {}", row.number, row.san());
        let _ = write!(self.text, " {played}");
        self.announce(row, " ");
        self.line.push(played);
        match row.play().and_then(|(id, _)| self.first.get(&id)) {
            Some(first) => {
                let _ = write!(self.text, " {FAINT}(as after {first}){FAINT:#}");
            }
            None => self.play(row),
        }
        self.line.pop();
    }
}

/// Returns the threats after a move.
fn threats<'r>(row: &Row<'r>) -> Vec<Row<'r>> {
    let mut rows = row.below();
    rows.retain(|row| matches!(row.kind, Kind::Threat));
    rows
}

/// Returns the defences after a move in groups with the same replies, if these end the line: with these replies. Each
/// other defence is a group of its own.
fn groups<'r>(row: &Row<'r>) -> Vec<(Option<String>, Vec<Row<'r>>)> {
    let mut groups: Vec<(Option<String>, Vec<Row<'r>>)> = Vec::new();
    for row in row.below().into_iter().filter(|row| matches!(row.kind, Kind::Defence(_))) {
        let replies = closing(&row.below());
        match groups.iter_mut().find(|(known, _)| replies.is_some() && *known == replies) {
            Some((_, group)) => group.push(row),
            None => groups.push((replies, vec![row])),
        }
    }
    groups
}

/// Lists moves if all of them end the line: `Qd4#`, or `Qd4# or Qe5#`; in a selfmate with the mates after them: `Rg4+
/// hxg3#, Bxg3#`.
fn closing(rows: &[Row<'_>]) -> Option<String> {
    let written = rows.iter().map(|row| {
        let mates: Vec<String> = row.closing()?.iter().map(Row::san).collect();
        Some([row.san(), mates.join(", ")].join(" ").trim_end().to_owned())
    });
    Some(written.collect::<Option<Vec<_>>>()?.join(" or "))
}

/// Lists the duals at the end of the report, where composers look for them.
fn duals(text: &mut dyn Write, duals: &[Dual]) {
    for (severity, heading) in [(Severity::Major, "duals"), (Severity::Minor, "minor duals")] {
        let mut any = false;
        for dual in duals.iter().filter(|dual| dual.severity == severity) {
            if !std::mem::replace(&mut any, true) {
                let _ = write!(text, "\n\n{STRONG}{heading}{STRONG:#}");
            }
            let line: Vec<&str> = dual.line.iter().map(|ply| ply.san.as_str()).collect();
            let moves: Vec<&str> = dual.moves.iter().map(|ply| ply.san.as_str()).collect();
            let kind = match dual.kind {
                DualKind::Continuation => "",
                DualKind::MatingMove => " (mating move)",
                DualKind::Promotion => " (promotion)",
            };
            let threat = if dual.in_threat { ", in a threat" } else { "" };
            let _ = write!(text, "\n  {}: {}. {}{kind}{threat}", line.join(" "), dual.at_move, moves.join(" or "));
        }
    }
}
