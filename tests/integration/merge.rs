//! `matesolve merge`: whether the shares are of one run.

use crate::util::{PRINZ, Run, matesolve};

#[test]
fn shares_of_different_questions_do_not_belong_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let run = |arguments: &[&str]| -> Run { matesolve().current_dir(path).args(arguments).output().unwrap().into() };
    std::fs::write(path.join("in.epd"), format!("{PRINZ} id \"a\";\n{PRINZ} dm 2;\n{PRINZ} dm 1;\nx\n")).unwrap();
    // A share of the input whose question comes from the command line, or from its lines.
    let share = |name: &str, number: &str, option: Option<[&str; 2]>| {
        let batch = ["batch", "in.epd", "--shard", number, "--format", "jsonl", "-q"];
        let batch = [&batch[..], &["-o", name], option.as_ref().map_or(&[][..], |option| option)].concat();
        assert!([3, 5].contains(&run(&batch).code), "{batch:?}");
    };
    for (first, second, why) in [
        (Some(["-s", "#1"]), Some(["-s", "s#2"]), "line 1 that of -s '#1', line 2 that of -s 's#2'"),
        (Some(["-s", "#1"]), None, "line 1 that of -s '#1', line 2 that of the questions of the input"),
        (Some(["--mate", "1"]), Some(["--mate", "2"]), "line 1 that of --mate 1, line 2 that of --mate 2"),
    ] {
        share("1.jsonl", "1/2", first);
        share("2.jsonl", "2/2", second);
        for input in [&[][..], &["--input", "in.epd"]] {
            let merged = run(&[&["merge", "1.jsonl", "2.jsonl"], input].concat());
            assert!(merged.code == 2 && merged.err.contains(why), "{} {}", merged.code, merged.err);
        }
        // Of one question they go together, but without the input nobody knows whether they are all.
        share("2.jsonl", "2/2", first);
        let merged = run(&["merge", "1.jsonl", "2.jsonl"]);
        assert_eq!((merged.code, merged.out.lines().count()), (5, 4), "{}", merged.err);
        assert_eq!(merged.err, "results 4: twice 0; unknown whether these are all, without --input\n");
    }
}
