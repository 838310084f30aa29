//! Writes a report as plain text for people. The strings contain ANSI styles, which the caller must remove when writing
//! to a file or a pipe.
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
//! The attacker's moves have numbers with one dot, the defender's with three, whichever colour they have. Defences with
//! the same mating replies share a line. In selfmates all moves that mate follow the attacker's last move on its line,
//! and `=` marks a stalemate that is the goal. Play that occurs twice is written once; the second place refers to the
//! first. (A test in `tests/integration/report.rs` compares this sample with the program's output.)

use std::fmt::Write;

use anstyle::Style;
use hashbrown::HashMap;

use crate::chess::End;
use crate::output::text::{grouped, reason};
use crate::results::report::walk::{At, Walk};
use crate::results::report::{
    Continuation, Dual, DualKind, Extent, FirstMoveCounts, Key, Next, Pass, Play, PlayId, Ply, Report, Severity, Size,
    Soundness, Source, Tree, Try, Variation,
};
use crate::results::stamp::seconds;

use super::depth::SHOWN_KEYS;
use super::help;
use super::phases;
use super::styles::{FAINT, OPEN, SOUND, STRONG, WRONG};
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
    for phase in &report.phases {
        let heading = phase.phase.as_ref().map_or_else(String::new, ToString::to_string);
        let _ = write!(out, "\n\n{STRONG}{heading}{STRONG:#}\n");
        match &phase.error {
            Some(error) => {
                let _ = write!(out, "{OPEN}not solved: {error}{OPEN:#}");
            }
            None => write_phase(phase, out),
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
        Soundness::Sound => SOUND,
        Soundness::Undecided => OPEN,
        Soundness::Cooked | Soundness::ShortSolution | Soundness::NoSolution | Soundness::Incomplete => WRONG,
    }
}

/// Writes the report on a problem with one phase. An error of `out` stays with `out`.
fn write_full(report: &Report, out: &mut dyn Write) {
    write_phase(report, out);
    write_stamp(report, out);
}

/// Writes the report on one phase, without its stamp.
fn write_phase(report: &Report, out: &mut dyn Write) {
    let style = style(report);
    let _ = write!(out, "{style}{}{style:#}", verdict(report));
    diagram(out, report);
    if let Some(help) = &report.help {
        help::lines(out, help);
    }
    open_first_moves(out, report);
    let mut writer = TextWriter {
        tree: &report.tree,
        text: out,
        first: HashMap::new(),
        line: Vec::new(),
        noun: report.goal().noun(),
    };
    if let Some(set) = report.set_play {
        writer.heading(if set.complete { "set play (complete)" } else { "set play" });
        writer.play(set.play, 1);
    }
    for attempt in report.tries.iter().flatten() {
        writer.attempt(attempt);
    }
    if report.options.depth == Some(1) && report.keys.len() > SHOWN_KEYS {
        writer.heading("keys");
        for Key { ply, mate_in, exact, .. } in &report.keys {
            let sign = if *exact { "" } else { "≤ " };
            let _ = write!(writer.text, "\n  1. {}! {} in {sign}{mate_in}", ply.san, writer.noun);
        }
    } else {
        report.keys.iter().for_each(|key| writer.key(key));
    }
    if report.post_key.is_some() || !report.post_key_refutations.is_empty() {
        let heading = report.why.as_ref().map(|why| format!("after 1. {}", why.first.san));
        let heading = heading.as_deref().unwrap_or("after the key");
        writer.after_the_key(heading, report.post_key, &report.post_key_refutations);
    }
    for line in report.why.iter().flat_map(|why| &why.lines) {
        writer.refutation(line);
    }
    duals(out, &report.duals);
    phases::text(out, report);
    omissions(out, report);
    let (nodes, time) = (grouped(report.stats.nodes), seconds(report.stats.time_ms));
    let _ = write!(out, "\n\n{FAINT}{nodes} nodes, {time}{FAINT:#}");
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
    tree: &'a Tree,
    text: &'a mut dyn Write,
    /// The line of moves that leads to the first occurrence of each play.
    first: HashMap<PlayId, String>,
    /// The moves that lead to this place.
    line: Vec<String>,
    /// The noun for a solution, such as `mate`.
    noun: &'static str,
}

impl TextWriter<'_> {
    fn heading(&mut self, heading: &str) {
        let _ = write!(self.text, "\n\n{STRONG}{heading}{STRONG:#}");
    }

    fn key(&mut self, key: &Key) {
        let mark = if key.intended == Some(false) { "! cook" } else { "!" };
        let length = if key.exact { String::new() } else { format!(" {} in ≤ {}", self.noun, key.mate_in) };
        self.heading(&format!("1. {}{mark}{length}", ended(&key.ply, key.next)));
        let remark = match features(&key.features, false) {
            words if words.is_empty() => words,
            words => format!("{FAINT}({words}){FAINT:#}"),
        };
        self.after_first_move(&key.ply, key.next, &remark);
    }

    fn attempt(&mut self, attempt: &Try) {
        self.heading(&format!("1. {}?", attempt.ply.san));
        self.after_first_move(&attempt.ply, attempt.next, "");
        self.refutations(&attempt.refutations);
    }

    /// Writes the play of a diagram that stands after the key, and the defences that refute the key.
    fn after_the_key(&mut self, heading: &str, id: Option<PlayId>, refutations: &[Ply]) {
        self.heading(heading);
        let is_answered = |play: &Play| !play.variations.is_empty() || play.unshown > 0 || play.cut;
        if id.is_some_and(|id| !is_answered(self.tree.play(id))) && !refutations.is_empty() {
            let _ = write!(self.text, "\n  no defence allows a {} in time", self.noun);
            return;
        }
        let next = id.map_or(Next::Cut, Next::Play);
        let announced = self.announcement(next, 2);
        if !announced.is_empty() {
            let _ = write!(self.text, "\n  {announced}");
        }
        if let Some(id) = id {
            self.play(id, 1);
        }
        self.refutations(refutations);
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

    /// Writes the defences that refute the first move, if there are any.
    fn refutations(&mut self, refutations: &[Ply]) {
        let refutations: Vec<String> = refutations.iter().map(|ply| format!("{}!", ply.san)).collect();
        if !refutations.is_empty() {
            let _ = write!(self.text, "\n  but 1... {}", refutations.join(", "));
        }
    }

    fn after_first_move(&mut self, ply: &Ply, next: Next, remark: &str) {
        // A key whose play is missing altogether stands alone; the end of the text says why.
        let announced = if next == Next::Cut { String::new() } else { self.announcement(next, 2) };
        for part in [announced.as_str(), remark].into_iter().filter(|part| !part.is_empty()) {
            let _ = write!(self.text, " {part}");
        }
        if let Next::Play(id) = next {
            self.line.push(format!("1. {}", ply.san));
            self.play(id, 1);
            self.line.clear();
        }
    }

    /// Returns `zugzwang`, or the threats if they end the line (`number` is their move number), for the line of the
    /// move before. Longer threats need lines of their own.
    fn announcement(&self, next: Next, number: u16) -> String {
        let Next::Play(id) = next else {
            return if next == Next::Cut { "…".to_owned() } else { String::new() };
        };
        match &self.tree.play(id).pass {
            Pass::Zugzwang => "zugzwang".to_owned(),
            Pass::Threats(threats) if threats.iter().all(|threat| self.tree.closing(threat.next).is_some()) => {
                format!("threat {number}. {}", sans(threats, self.tree))
            }
            Pass::Impossible | Pass::Threats(_) => String::new(),
        }
    }
}

impl<'a> Walk<'a> for TextWriter<'a> {
    const THREATS_FIRST: bool = true;

    fn tree(&self) -> &'a Tree {
        self.tree
    }

    fn enter(&mut self, at: &At<'a>) -> bool {
        self.first.entry(at.id).or_insert_with(|| self.line.join(" "));
        true
    }

    /// Only threats of which one needs a line of its own are not announced.
    fn threats(&self, at: &At<'a>) -> Vec<&'a Continuation> {
        let threats = at.play.threats();
        let are_announced = threats.iter().all(|threat| self.tree.closing(threat.next).is_some());
        if are_announced { Vec::new() } else { threats.iter().collect() }
    }

    /// Groups defences with the same replies, if these end the line. Each other defence is a group of its own.
    fn groups(&self, at: &At<'a>) -> Vec<Vec<&'a Variation>> {
        let mut groups: Vec<(String, Vec<&Variation>)> = Vec::new();
        for variation in &at.play.variations {
            let ends =
                variation.continuations.iter().all(|continuation| self.tree.closing(continuation.next).is_some());
            let replies = if ends { sans(&variation.continuations, self.tree) } else { String::new() };
            match groups.iter_mut().find(|(known, _)| *known == replies).filter(|_| ends) {
                Some((_, group)) => group.push(variation),
                None => groups.push((replies, vec![variation])),
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }

    /// Writes the defences, and the answers that end the line.
    fn defences(&mut self, at: &At<'a>, group: &[&'a Variation]) -> Vec<&'a Continuation> {
        let number = at.number;
        let defences: Vec<String> = group.iter().map(|variation| defence(variation)).collect();
        let _ = write!(self.text, "\n{}{number}... {}", indent(at), defences.join(", "));
        self.line.push(format!("{number}... {}", defences[0]));
        let continuations = &group[0].continuations;
        if continuations.iter().any(|continuation| self.tree.closing(continuation.next).is_none()) {
            return continuations.iter().collect();
        }
        if !continuations.is_empty() {
            let _ = write!(self.text, " {}. {}", number + 1, sans(continuations, self.tree));
        }
        Vec::new()
    }

    /// Writes a move of the attacker: a threat on its line, the first answer to a defence on the line of that.
    fn attack(&mut self, at: &At<'a>, continuation: &'a Continuation, answered: Option<&'a Variation>) -> bool {
        let first = answered.and_then(|variation| variation.continuations.first());
        let is_first = first.is_some_and(|first| std::ptr::eq(continuation, first));
        let begins = if answered.is_some() { self.line.last().map_or("", String::as_str) } else { "threat" };
        if !is_first {
            let _ = write!(self.text, "\n{}{begins}", indent(at));
        }
        let number = at.number + 1;
        let played = format!("{number}. {}", ended(&continuation.ply, continuation.next));
        let announced = self.announcement(continuation.next, number + 1);
        let _ = write!(self.text, " {played}");
        if !announced.is_empty() {
            let _ = write!(self.text, " {announced}");
        }
        self.line.push(played);
        let first = if let Next::Play(id) = continuation.next { self.first.get(&id) } else { None };
        if let Some(first) = first {
            let _ = write!(self.text, " {FAINT}(as after {first}){FAINT:#}");
        }
        first.is_none()
    }

    fn back(&mut self) {
        self.line.pop();
    }

    /// Marks play that is left out. If something below is cut, the mark stands there.
    fn leave(&mut self, at: &At<'a>) {
        let is_marked = at.play.continuations().any(|continuation| self.tree.is_cut(continuation.next));
        if at.play.cut && !is_marked {
            let _ = write!(self.text, "\n{}…", indent(at));
        }
    }
}

/// Returns the space before a line of a play.
fn indent(at: &At<'_>) -> String {
    "  ".repeat(usize::from(at.number))
}

/// Lists moves that end the line: `Qd4#`, or `Qd4# or Qe5#`; in a selfmate with the mates after them: `Rg4+ hxg3#,
/// Bxg3#`.
fn sans(continuations: &[Continuation], tree: &Tree) -> String {
    let written = continuations.iter().map(|continuation| {
        let closing = tree.closing(continuation.next).unwrap_or_default();
        let mates: Vec<String> = closing.iter().map(defence).collect();
        let gap = if mates.is_empty() { "" } else { " " };
        format!("{}{gap}{}", ended(&continuation.ply, continuation.next), mates.join(", "))
    });
    written.collect::<Vec<_>>().join(" or ")
}

/// Returns a move of the attacker, with `=` if it stalemates and that is the goal.
fn ended(ply: &Ply, next: Next) -> String {
    let mark = if next == Next::End(End::Stalemate) { "=" } else { "" };
    format!("{}{mark}", ply.san)
}

/// Returns a defence, with `=` if it stalemates and that is the goal.
fn defence(variation: &Variation) -> String {
    let mark = if variation.end == Some(End::Stalemate) { "=" } else { "" };
    format!("{}{mark}", variation.defence.san)
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
