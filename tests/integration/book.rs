//! Tests the manual as a book: `docs/SUMMARY.md` names every page once, and every link leads to a file and a heading
//! that exist. `.ci/check` builds the book.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::readme::{book, pages, read, root};

/// Returns the lines of a page outside blocks of code.
fn lines_of_prose(page: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    page.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

/// Returns the targets of all links and pictures of a page, without those in code.
fn links(page: &str) -> Vec<String> {
    let prose = lines_of_prose(page).collect::<Vec<_>>().join("\n");
    let without_code: String = prose.split('`').step_by(2).collect();
    let targets = without_code.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.map(str::to_owned).collect()
}

/// Returns the anchor of a heading as forges and mdBook make it: small letters, no punctuation, hyphens for spaces.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Returns the anchors of a page: those of its headings, of which equal ones get a number, and those of `<a id="…">`.
fn anchors(page: &str) -> HashSet<String> {
    let mut anchors = HashSet::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    for line in lines_of_prose(page) {
        if let Some((_, heading)) = line.split_once(' ').filter(|(marks, _)| marks.chars().all(|c| c == '#')) {
            let name = anchor(heading.trim());
            let before = seen.entry(name.clone()).or_default();
            anchors.insert(if *before == 0 { name } else { format!("{name}-{before}") });
            *before += 1;
        }
        anchors.extend(line.split("<a id=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned));
    }
    anchors
}

/// Says what is wrong with a link of a page. `None`: it leads to an address of the web, or to a file and a heading that
/// exist.
fn fault(page: &Path, link: &str) -> Option<String> {
    if link.contains("://") {
        return None;
    }
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() { page.to_owned() } else { page.with_file_name(file) };
    if !target.exists() {
        return Some(format!("there is no {file}"));
    }
    let is_there = heading.is_empty() || anchors(&read(&target)).contains(heading);
    (!is_there).then(|| format!("{} has no heading #{heading}", target.display()))
}

/// Returns the pages that `docs/SUMMARY.md` names, and checks its form: headings of parts, and lists of links.
fn listed() -> Vec<PathBuf> {
    let summary = read(&root().join("docs/SUMMARY.md"));
    let mut listed = Vec::new();
    for line in summary.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        let entry = line.strip_prefix("- [").and_then(|rest| rest.strip_suffix(')'));
        let (title, file) =
            entry.and_then(|rest| rest.split_once("](")).unwrap_or_else(|| panic!("SUMMARY.md: {line}"));
        let page = root().join("docs").join(file);
        assert!(page.is_file(), "SUMMARY.md: there is no {file}");
        assert_eq!(read(&page).lines().next(), Some(format!("# {title}").as_str()), "SUMMARY.md: {line}");
        listed.push(page);
    }
    listed
}

#[test]
fn the_summary_names_every_page_once_by_its_title() {
    let mut listed = listed();
    listed.sort();
    assert_eq!(listed, book());
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut found = 0;
    let more = ["CHANGELOG.md", "bindings/python/README.md", "bindings/web/README.md", "verified/README.md"];
    for page in pages().into_iter().chain(more.map(|name| root().join(name))) {
        for link in links(&read(&page)) {
            found += 1;
            assert_eq!(fault(&page, &link), None, "{}: ({link})", page.display());
        }
    }
    assert!(found > 80, "{found} links");
}

#[test]
fn no_link_of_the_book_leaves_its_folder() {
    for page in book() {
        for link in links(&read(&page)) {
            assert!(!link.starts_with(['.', '/']), "{}: the built book has no {link}", page.display());
        }
    }
}

#[test]
fn wrong_links_are_found() {
    let page = root().join("docs/solve.md");
    assert_eq!(fault(&page, "formats.md#exit-codes"), None);
    assert_eq!(fault(&page, "#answers"), None);
    assert_eq!(fault(&page, "absent.md").as_deref(), Some("there is no absent.md"));
    assert!(fault(&page, "formats.md#answers").is_some_and(|fault| fault.ends_with("has no heading #answers")));
    let text =
        "[a](b.md) `[c](d.md)`\n```text\n[e](f.md)\n# g\n```\n## Null moves: `--x`, *y*\n## A\n## A\n<a id=\"z\"></a>";
    assert_eq!(links(text), ["b.md"]);
    let expected = ["null-moves---x-y", "a", "a-1", "z"];
    assert_eq!(anchors(text), expected.map(str::to_owned).into());
}
