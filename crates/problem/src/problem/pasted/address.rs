//! Positions in the addresses of web pages: lichess.org, chess.com, and other sites that use the same forms.
//!
//! ```text
//! https://lichess.org/analysis/standard/5Kbk/6pp/6P1/8/8/8/8/7R_w_-_-_0_1?color=white
//! https://www.chess.com/analysis?fen=5Kbk%2F6pp%2F6P1%2F8%2F8%2F8%2F8%2F7R+w+-+-+0+1
//! ```
//!
//! The FEN stands in the path, or in a parameter `fen`; else moves may stand behind `/pgn/`.

use super::{Pasted, pgn, plain};
use crate::base::printable::excerpt;
use crate::problem::ProblemError;

/// The names of other games in addresses of lichess.
const VARIANTS: [&str; 8] =
    ["crazyhouse", "antichess", "atomic", "horde", "kingofthehill", "racingkings", "threecheck", "3check"];

/// Reads the position in an address, or that after the half-move `ply` of its game; `None` if the text is no address.
pub(in crate::problem) fn read(text: &str, ply: Option<usize>) -> Option<Result<Pasted, ProblemError>> {
    let hosts = ["lichess.org/", "www.chess.com/", "chess.com/"];
    let path = match text.split_once("://") {
        Some((scheme, rest)) if scheme.chars().all(|c| c.is_ascii_alphabetic()) => rest,
        None if hosts.iter().any(|host| text.starts_with(host)) => text,
        _ => return None,
    };
    Some(in_address(path, ply).unwrap_or_else(|| {
        let text = excerpt(text);
        let why = format!(
            "the address {text} holds no position; copy the FEN from the page, or the address of its analysis board"
        );
        Err(why.into())
    }))
}

/// Returns the position in an address without its scheme; `None` if there is none.
fn in_address(address: &str, ply: Option<usize>) -> Option<Result<Pasted, ProblemError>> {
    let (address, fragment) = address.split_once('#').unwrap_or((address, ""));
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let parameter = |name: &str| {
        let pairs = query.split('&').chain(fragment.split('&'));
        pairs.filter_map(|pair| pair.split_once('=')).find(|(key, _)| key.eq_ignore_ascii_case(name))
    };
    let path = decoded(path);
    let words = || path.split('/').chain(parameter("variant").map(|(_, value)| value));
    if let Some(name) = words().find(|word| VARIANTS.contains(&word.to_ascii_lowercase().as_str())) {
        let why = format!("the address is of a position of {name}; matesolve solves orthodox chess only");
        return Some(Err(why.into()));
    }
    let fen = parameter("fen").map(|(_, value)| decoded(value)).or_else(|| fen_of_path(&path));
    if let Some(fen) = fen {
        return Some(plain(fen.replace(['_', '+'], " ").trim().to_owned(), ply));
    }
    path.split_once("/pgn/").map(|(_, moves)| pgn::read(&moves.replace(['_', '+'], " "), ply))
}

/// Returns the last eight parts of a path, if they can be the ranks of a board.
fn fen_of_path(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    let ranks = parts.get(parts.len().checked_sub(8)?..)?;
    let (last, others) = ranks.split_last()?;
    let is_rank = |text: &str| !text.is_empty() && text.chars().all(|c| "prnbqkPRNBQK12345678~".contains(c));
    let last_rank = last.split(['_', '+', ' ']).next().unwrap_or_default();
    (others.iter().all(|rank| is_rank(rank)) && is_rank(last_rank)).then(|| ranks.join("/"))
}

/// Replaces `%2F` and the like by the characters they stand for; what is malformed stays.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let hex = tail.get(..2).filter(|_| byte == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        let code = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(code.unwrap_or(byte));
        rest = if code.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_large_sites_hold_a_fen() {
        let fen = "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1";
        let path = fen.replace(' ', "_");
        let query = fen.replace('/', "%2F").replace(' ', "+");
        for address in [
            format!("https://lichess.org/analysis/{path}"),
            format!("https://lichess.org/analysis/standard/{path}?color=black#3"),
            format!("http://lichess.org/editor/{path}/"),
            format!("lichess.org/analysis/fromPosition/{}", path.replace('/', "%2F")),
            format!("https://www.chess.com/analysis?fen={query}&flip=false&tab=analysis"),
            format!("chess.com/practice/custom?color=white&fen={}", query.replace('+', "%20")),
            format!("https://example.org/board#fen={query}"),
        ] {
            assert_eq!(read(&address, None).unwrap().unwrap().line, fen, "{address}");
        }
        let game = read("https://lichess.org/analysis/pgn/e4_e5_Nf3", Some(1)).unwrap().unwrap();
        assert_eq!(game.line, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    }

    #[test]
    fn other_addresses_are_refused_and_other_texts_are_none() {
        let error = |text: &str| read(text, None).unwrap().unwrap_err().to_string();
        assert!(error("https://lichess.org/abcdefgh").contains("holds no position"));
        assert!(error("https://lichess.org/analysis/8/8/8_w_-").contains("holds no position"));
        assert!(error("https://lichess.org/analysis/atomic/8/8/8/8/8/8/8/8_w_-").contains("position of atomic"));
        assert_eq!(read("5Kbk/6pp/6P1/8/8/8/8/7R w - -", None), None);
        assert_eq!(decoded("a%2fb%zz%4"), "a/b%zz%4");
    }
}
