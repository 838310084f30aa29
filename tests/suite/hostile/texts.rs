//! Makes texts that a reader almost accepts: valid ones in which parts are exchanged, doubled, left out or changed.
//!
//! A change of a random byte mostly ends in the first lines of a reader. These changes keep the form of a text, so that
//! they reach the code behind it: words are exchanged with words of other texts of the same kind, numbers with those at
//! the edges of their types, positions with other playable ones; and a changed certificate gets the checksum it needs.

use matesolve::shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen};

use matesolve_testkit::generator::{few_men, random_game};
use matesolve_testkit::random::Random;

/// The kinds of text that the program reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Fen,
    Epd,
    Json,
    Olv,
    Csv,
    Pgn,
    Certificate,
    Results,
    Uci,
    Popeye,
    /// JSON over several lines, a wrapper around a collection, puzzles of lichess.
    Objects,
    /// Databases of Scacchi Painter.
    Painter,
    /// EPD, PGN, `.olv` and JSON in ISO 8859-1.
    Latin1,
    /// Boards of symbols and sides in words.
    Board,
    /// The younger stipulations, and those that are named but not solved.
    Stipulated,
}

pub const KINDS: [Kind; 15] = [
    Kind::Fen,
    Kind::Epd,
    Kind::Json,
    Kind::Olv,
    Kind::Csv,
    Kind::Pgn,
    Kind::Certificate,
    Kind::Results,
    Kind::Uci,
    Kind::Popeye,
    Kind::Objects,
    Kind::Painter,
    Kind::Latin1,
    Kind::Board,
    Kind::Stipulated,
];

impl Kind {
    /// Returns valid texts of this kind.
    fn seeds(self) -> &'static [&'static str] {
        match self {
            Kind::Fen => &[
                "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1",
                "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2",
                "\"https://lichess.org/analysis/standard/5Kbk/6pp/6P1/8/8/8/8/7R_w_-_-_0_1?color=white\"",
                "position fen 1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 12 40 moves g1g8 b8b1",
            ],
            Kind::Epd => &[
                include_str!("../../../problems/en_passant.epd"),
                include_str!("../../../problems/mated.epd"),
                include_str!("../../../problems/castling.epd"),
                "5Kbk/6pp/6P1/8/8/8/8/7R w - - bm #2; am Rh2 Rxh7+; id \"a;b\"; \
                 pv Rh6 Ba2; ce 32767; hmvc 3; fmvn 9;\n",
            ],
            Kind::Json => &[
                "{\"fen\":\"5Kbk/6pp/6P1/8/8/8/8/7R w - -\",\"stipulation\":\"#2\",\
                 \"id\":\"x\\u001b\",\"extra\":[1,{}]}",
                "[{\"fen\":\"7k/8/8/8/8/8/8/K7 w - -\",\"id\":12345678901234567890,\"a\":null},\n{\"fen\":\"\"}]",
            ],
            Kind::Olv => &[
                "---\nalgebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Pg7, Ph7]}\nstipulation: \"#2\"\n\
                 authors: [A, \"B\"]\noptions: [SetPlay, Try]\n\
                 twins: {b: Remove h7, c: Cont Move f8 e8 +wQa1 R==>S}\nsolution: |\n  1.Rh1-h6 !\n",
                "---\nalgebraic:\n  white: [Ka1, Sb1, Qc3]\n  black: [Kh8]\nstipulation: '#3'\nsource: &x \"?\"\n\
                 date: 1951-01-01\ncomments: [*x, >-\n  folded]\noptions: [Defence 2, \"Intended 2\"]\n...\n",
            ],
            Kind::Csv => &[
                "PuzzleId,FEN,Moves,Rating,Themes\n00sHx,q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17,\
                 e8d7 a2e6 d7d8 f7f8,1760,mate mateIn2 short\n",
                "id,stipulation,fen\n\"a \"\"b\"\"\",#2,\"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"\n",
            ],
            Kind::Pgn => &[
                "[Event \"?\"]\n[FEN \"5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1\"]\n\n\
                 1. Rh6 {best} (1. Rh2 Bf7 $2) gxh6 2. g7# 1-0\n",
                "[Event \"a\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\n\
                 1. e4 e5 2. Nf3! Nc6 (2... d6 (2... f5?)) 3. Bb5 a6 *\n\n\
                 [White \"b\\\"\"]\n\n1. d4 ; rest\n1... d5 1/2-1/2\n",
            ],
            Kind::Certificate => &[
                include_str!("../../../problems/lindgren-four-en-passant.cert"),
                include_str!("../../../problems/bogoljubow.cert"),
                include_str!("../../../problems/certificates/transposition.cert"),
                include_str!("../../../problems/certificates/lasker-1912.cert"),
                include_str!("../../../problems/certificates/mated.cert"),
                include_str!("../../../problems/certificates/selfmate-2.cert"),
            ],
            Kind::Results => &[
                "{\"fen\":\"k7/8/2K5/8/8/8/8/1R6 w - - 0 1\",\"id\":null,\"result\":{\"status\":\"mate\",\"mate_in\":2,\
                 \"pv\":[\"c6c7\",\"a8a7\",\"b1a1\"]}}",
                "[{\"fen\":\"7k/8/8/8/8/8/8/K7 w - -\",\
                 \"result\":{\"status\":\"no_mate\",\"mate_in\":null,\"pv\":[]}}]",
            ],
            Kind::Uci => &[
                "setoption name MultiPV value 3\nucinewgame\nisready\nposition startpos moves e2e4\n\
                 go mate 3 nodes 100 searchmoves e7e5\nstop\nponderhit\ndebug on\n",
                "position fen 5Kbk/6pp/6P1/8/8/8/8/7R w - - moves h1h6\ngo wtime 1 btime 1 movestogo 1\nstop\n\
                 setoption name Clear Hash\nsetoption name UCI_ShowCurrLine value true\ngo infinite\nstop\n",
            ],
            Kind::Popeye => &[
                "BeginProblem\nAuthor A\nPieces White Kf8 Rh1 Pg6 Black Kh8 B g8 Pg7h7\nStipulation #2\n\
                 Option Try EnPassant g7g6g5\n MaxTime 3 NoCastling a1\nTwin Move h1 g1 Twin Cont Substitute R B\n\
                 NextProblem\nForsyth 5Kbk/6pp/6P1/39R\nStipulation #2\nEndProblem\n",
                "DebutProbleme\nPieces Blanc Rf8 Th1 Pg6 Noir Rh8 Fg8 Ph7g7\nEnonce #2\nFinProbleme\n",
                "BeginProblem\nPieces White Kf8 Rh1 Pg6 Black Kh8 Bg8 Pg7h7\nStipulation #2.0\nOption SetPlay\n\
                 Twin add bl Ba6 Twin Cont remove h7 Twin exchange a6 g8\nEndProblem\n",
                "AnfangProblem\nSteine Weiss Kf8 Th1 Bg6 Schwarz Kh8 Lg8 Bg7h7\nForderung h#2*\n\
                 Zwilling hinzu schw Lb5 Zwilling Versetze g6 g5\nEndeProblem\n",
            ],
            _ => self.seeds_of_collections(),
        }
    }

    /// Returns texts as collections, sites and people write them.
    fn seeds_of_collections(self) -> &'static [&'static str] {
        match self {
            Kind::Objects => &[
                "{\n  \"id\": \"a\",\n  \"fen\": \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\",\n  \"stipulation\": \"#2\",\n\
                 \"source\": {\"name\": \"X\", \"date\": [1951]},\n  \"authors\": [{\"name\": \"A\"}, \"B\"]\n}\n",
                "{\"title\": \"x\", \"n\": [1, 2],\n \"problems\": [\n  {\"fen\": \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"},\n  \
                 {\"fen\": \"7k/8/8/8/8/8/8/K7 w - -\", \"stipulation\": \"h#2*\"}\n ]}\n",
                "{\"game\": {\"id\": \"x\", \"pgn\": \"f3 e5 g4\", \"clock\": \"3+0\"},\n\"puzzle\": {\"id\": \"p\", \
                 \"solution\": [\"d8h4\"], \"initialPly\": 2, \"rating\": 1500, \"themes\": [\"mateIn1\"]}}\n",
                "{\"result\": {\"entries\": [\n{\"id\": 7, \"algebraic\": {\"white\": [\"Kf8\", \"Rh1\"], \
                 \"black\": [\"Kh8\"]}, \"stipulation\": \"#2\", \"solution\": \"1.S(:)c3 Sg6R6f5#\"}\n]}}\n",
            ],
            Kind::Painter => &[
                "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<ScacchiPainterDatabase version=\"0.1.0.3\">\n\
                 <SP_Item Moves=\"2\" CompleteStipulationDesc=\"#\" Serie=\"false\" PersonalID=\"b\" Source=\"P, 1951\">\n\
                 <Authors><Author><NameAndSurname>A &amp; B</NameAndSurname></Author></Authors>\n<Pieces>\
                 <Piece Type=\"King\" Color=\"White\" Column=\"ColF\" Traverse=\"Row8\" Rotation=\"NoRotation\"/>\
                 <Piece Type=\"Rock\" Color=\"White\" Column=\"ColH\" Traverse=\"Row1\"/>\n\
                 <Piece Type=\"Horse\" Color=\"Neutral\" Column=\"ColB\" Traverse=\"Row1\"/>\n\
                 <Piece Type=\"King\" Color=\"Black\" Column=\"ColH\" Traverse=\"Row8\" FairyAttribute=\"None\"/>\n\
                 </Pieces>\n<Twins><Twin TwinType=\"MovePiece\" ValueA=\"a1\" ValueB=\"b2\" TwinModes=\"Normal\"/></Twins>\n\
                 <Conditions/>\n<Solution>MS5SaDY=</Solution></SP_Item>\n</ScacchiPainterDatabase>\n",
                "<ScacchiPainterDatabase>\n<SP_Item Moves=\"3\" CompleteStipulationDesc=\"h#\" Serie=\"true\"><Pieces>\
                 <Piece Type=\"King\" Color=\"White\" Column=\"ColC\" Traverse=\"Row6\"/>\n\
                 <Piece Type=\"King\" Color=\"Black\" Column=\"ColA\" Traverse=\"Row8\"/>\n</Pieces>\n<Conditions>\
                 <Condition Value=\"Circe\"/></Conditions></SP_Item>\n</ScacchiPainterDatabase>\n",
            ],
            Kind::Latin1 => &[
                "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2; id \"R\u{e9}ti, \u{d6}\u{df}\";\n7k/8/8/8/8/8/8/K7 w - - c0 \"\u{fc}\";\n",
                "[Event \"Caf\u{e9}\"]\n[FEN \"5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1\"]\n\n1. Rh6 {tr\u{e8}s bon} *\n",
                "---\nauthors: [R\u{e9}ti]\nalgebraic: {white: [Kf8, Rh1], black: [Kh8]}\nstipulation: \"#2\"\n",
                "{\"id\": \"\u{e9}\", \"fen\": \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\"}\n",
                "id,fen\n\u{e9},5Kbk/6pp/6P1/8/8/8/8/7R w - -\n",
            ],
            Kind::Board => &[
                "\u{2b58} \u{2b58} \u{2b58} \u{2b58} \u{2b58} \u{2654} \u{265d} \u{265a}\n\
                 \u{2b58} \u{2b58} \u{2b58} \u{2b58} \u{2b58} \u{2b58} \u{265f} \u{265f}\n\
                 \u{2b58} \u{2b58} \u{2b58} \u{2b58} \u{2b58} \u{2b58} \u{2659} \u{2b58}\n\
                 . . . . . . . .\n. . . . . . . .\n. . . . . . . .\n. . . . . . . .\n. . . . . . . R\nwhite to move\n",
                "5Kbk/6pp/6P1/8/8/8/8/7R white to move\n",
                "5Kbk/6pp/6P1/8/8/8/8/7R Black \u{2013} \u{2013} stip \"h#2\";\n5Kbk/6pp/6P1/8/8/8/8/7R\n",
            ],
            Kind::Stipulated => &[
                "5Kbk/6pp/6P1/8/8/8/8/7R w - - stip \"r=2\";\n5Kbk/6pp/6P1/8/8/8/8/7R w - - stip \"semi-r=2\";\n",
                "5Kbk/6pp/6P1/8/8/8/8/7R w - - stip \"ser-r#2\";\n5Kbk/6pp/6P1/8/8/8/8/7R w - - stip \"~1\";\n",
                "5Kbk/6pp/6P1/8/8/8/8/7R w - - stip \"exact-#2\";\n5Kbk/6pp/6P1/8/8/8/8/7R w - - stip \"reci-h#2\";\n",
                "{\"fen\": \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\", \"stipulation\": \"exact-#2\"}\n\
                 {\"fen\": \"5Kbk/6pp/6P1/8/8/8/8/7R w - -\", \"stipulation\": \"hr#2\"}\n",
                "5Kbk/6pp/6P1/8/8/8/8/7R w - - stip \"h==2\";\n5Kbk/6pp/6P1/8/8/8/8/7R w - - stip \"pser-h#3\";\n\
                 5Kbk/6pp/6P1/8/8/8/8/7R w - - stip \"+\";\n5Kbk/6pp/6P1/8/8/8/8/7R w - - stip \"ser-r=2\";\n",
            ],
            _ => &[],
        }
    }
}

/// Characters and words that readers treat in a way of their own.
const SPECIAL: [&str; 34] = [
    "\0", "\n", "\r\n", "\u{feff}", "\u{1b}", "\"", "'", "{", "}", "[", "]", ":", ";", "#", "-", "/", "9", "\u{202e}",
    "é", "- ", "&a *a", "\\u", "$", "(", ")", "|", ">", "#-0", "#2", "0-0-0", "O-O", "e1g1", "a7a8q", "0000",
];

/// Numbers at the edges of the types that hold them.
const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "1",
    "2",
    "63",
    "64",
    "127",
    "255",
    "256",
    "32767",
    "65535",
    "65536",
    "4294967296",
    "99999999999999999999",
];

/// Returns the FEN of a playable position: one of a game, or one with few men.
fn random_fen(random: &mut Random) -> String {
    let chess = if random.one_in(2) {
        let plies = random.below(80);
        random_game(random, plies)
    } else {
        few_men(random).map(|(chess, _)| chess)
    };
    Fen::from_position(&chess.unwrap_or_default(), EnPassantMode::Legal).to_string()
}

/// Returns moves that are legal one after the other, in the notation of the kind.
fn random_moves(random: &mut Random, kind: Kind) -> String {
    let mut chess = Chess::default();
    let mut text = String::new();
    for ply in 0..random.below(60) {
        let legal = chess.legal_moves();
        if legal.is_empty() {
            break;
        }
        let m = legal[random.below(legal.len())];
        let word = match kind {
            Kind::Pgn => format!("{}. {}", ply / 2 + 1, matesolve::shakmaty::san::San::from_move(&chess, m)),
            _ => m.to_uci(chess.castles().mode()).to_string(),
        };
        text.extend([word.as_str(), " "]);
        chess.play_unchecked(m);
    }
    text
}

/// Returns the ranges of the words of a text: runs of letters and digits, of spaces, or single other characters.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '/';
        let end = match first {
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            ' ' => rest.find(|c| c != ' ').unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        words.push(&rest[..end]);
        rest = &rest[end..];
    }
    words
}

/// Makes a text of this kind with one to six changes.
pub fn almost_valid(random: &mut Random, kind: Kind) -> Vec<u8> {
    let text = random.pick(kind.seeds());
    // Of a long file, a piece; a certificate is needed whole.
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let start = if lines.len() > 12 && kind != Kind::Certificate { random.below(lines.len() - 8) } else { 0 };
    let end = if kind == Kind::Certificate { lines.len() } else { lines.len().min(start + 12) };
    let mut text = lines[start..end].concat();
    for _ in 0..=random.below(6) {
        text = changed(random, kind, &text);
    }
    if kind == Kind::Certificate && !random.one_in(8) {
        text = with_checksum(&text);
    }
    match kind {
        Kind::Latin1 => text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect(),
        _ => text.into_bytes(),
    }
}

/// Returns the text with one change.
fn changed(random: &mut Random, kind: Kind, text: &str) -> String {
    let mut words: Vec<String> = words(text).into_iter().map(str::to_owned).collect();
    let at = random.below(words.len() + 1).min(words.len().saturating_sub(1));
    if words.is_empty() {
        words.push(String::new());
    }
    let other = |random: &mut Random| {
        let seed = random.pick(kind.seeds());
        random.pick(&self::words(seed)).to_owned()
    };
    match random.below(10) {
        0 => words[at] = other(random),
        1 => words.insert(at, other(random)),
        2 => drop(words.remove(at)),
        3 => random.pick(&SPECIAL).clone_into(&mut words[at]),
        4 => words.insert(at, random.pick(&SPECIAL).to_owned()),
        5 => {
            let number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
            let at = (at..words.len()).chain(0..at).find(|&at| number(&words[at])).unwrap_or(at);
            random.pick(&NUMBERS).clone_into(&mut words[at]);
        }
        6 => {
            let last = at + random.below(words.len() - at);
            let copy = words[at..=last].to_vec();
            let to = random.below(words.len());
            words.splice(to..to, copy);
        }
        7 => {
            let is_board = |word: &String| word.bytes().filter(|&byte| byte == b'/').count() == 7;
            let fen = random_fen(random);
            let board = fen.split(' ').next().unwrap_or_default().to_owned();
            let boards: Vec<usize> = (0..words.len()).filter(|&at| is_board(&words[at])).collect();
            if boards.is_empty() {
                words.insert(at, fen);
            } else {
                words[random.pick(&boards)] = board;
            }
        }
        8 => words.insert(at, random_moves(random, kind)),
        _ => {
            let to = random.below(words.len());
            words.swap(at, to);
        }
    }
    words.concat()
}

/// Seals a certificate again: writes the numbers of lines and the checksums that fit its text.
fn with_checksum(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.len() < 7 {
        return text.to_owned();
    }
    lines.retain(|line| !line.starts_with("end "));
    let content = lines.join("\n") + "\n";
    let mut crc = u32::MAX;
    for byte in content.bytes() {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    format!("{content}end {} {:08x}\n", lines.len(), !crc)
}

#[test]
fn certificates_get_their_checksum_back() {
    for seed in Kind::Certificate.seeds() {
        let at = seed.find("end ").unwrap() + "end ".len();
        let last = seed[at..].find('\n').unwrap() + at;
        let sealed = with_checksum(&format!("{}0{}", &seed[..at], &seed[last..]));
        assert_eq!(sealed.trim_end(), seed.trim_end());
    }
}
