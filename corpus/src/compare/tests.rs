use std::fs;

use super::read::side_of;
use super::{Change, Comparison, Gate, ReadError, Words, compare, percent, read};
use crate::sample;

/// Returns the comparison of two reports given as lists of shaders.
fn compared(before: &str, after: &str) -> Comparison {
    let side = |shaders: &str| {
        side_of(format!("{{\"shaders\":[{shaders}]}}").as_bytes()).expect("a report")
    };
    compare(&side(before), &side(after))
}

fn good(input: &str, words: u64) -> String {
    format!(
        "{{\"input\":\"{input}\",\"entry\":\"main\",\"status\":\"converted\",\"words\":{words}}}"
    )
}

fn bad(input: &str, message: &str) -> String {
    format!(
        "{{\"input\":\"{input}\",\"status\":\"failed\",\"error\":{{\"kind\":\"read\",\"message\":\"{message}\"}}}}"
    )
}

/// Returns a shader whose report has a hash of the output, 64 times one digit.
fn hashed(input: &str, words: u64, digit: char) -> String {
    let hash = String::from(digit).repeat(64);
    format!(
        "{{\"input\":\"{input}\",\"status\":\"converted\",\"words\":{words},\
         \"measured\":{{\"input_hash\":\"\",\"output_hash\":\"{hash}\"}}}}"
    )
}

/// Returns the paths with their changes.
fn changes(comparison: &Comparison) -> Vec<(&str, Change)> {
    let list = comparison.differences.iter();
    list.map(|d| (d.path.as_str(), d.change)).collect()
}

#[test]
fn outputs_of_one_size_are_told_apart_by_their_hashes() {
    let before = [
        hashed("a", 9, '1'),
        hashed("b", 9, '1'),
        hashed("c", 9, '1'),
        good("d", 9),
    ];
    let mut after = [
        hashed("a", 9, '1'),
        hashed("b", 9, '2'),
        hashed("c", 8, '2'),
        good("d", 9),
    ];
    let result = compared(&before.join(","), &after.join(","));
    assert_eq!(
        changes(&result),
        [("b", Change::Changed), ("c", Change::Shrank)]
    );
    assert_eq!((result.counts.same, result.counts.same_size), (2, 1));
    let gate = Gate {
        change: true,
        ..Gate::default()
    };
    assert_eq!(result.rejected(&gate), ["2 of 4 shaders differ"]);
    // A report of an older version has no hashes.
    let hashes = after
        .iter_mut()
        .map(|shader| shader.replace("output_hash", "other"));
    let result = compared(&before.join(","), &hashes.collect::<Vec<_>>().join(","));
    assert_eq!(changes(&result), [("c", Change::Shrank)]);
    assert_eq!((result.counts.same, result.counts.same_size), (3, 3));
}

#[test]
fn a_hash_that_is_none_is_an_error() {
    let shader = hashed("a", 9, 'x');
    let error = side_of(format!("{{\"shaders\":[{shader}]}}").as_bytes()).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("the output's hash of a: "), "{text}");
}

#[test]
fn each_change_is_found() {
    let before = [
        good("a", 100),
        good("b", 100),
        good("c", 100),
        good("d", 100),
        bad("e", "x"),
        bad("f", "x"),
        good("g", 7),
        bad("h", "x"),
    ];
    let after = [
        bad("h", "x"),
        good("z", 9),
        bad("y", "x"),
        bad("f", "y"),
        good("e", 50),
        bad("d", "x"),
        good("c", 100),
        good("b", 98),
        good("a", 110),
    ];
    let result = compared(&before.join(","), &after.join(","));
    assert_eq!(
        changes(&result),
        [
            ("a", Change::Grew),
            ("b", Change::Shrank),
            ("d", Change::Fails),
            ("e", Change::Converts),
            ("f", Change::OtherFailure),
            ("g", Change::Missing),
            ("y", Change::New),
            ("z", Change::New),
        ]
    );
    assert!(!result.equal);
    let counts = &result.counts;
    assert_eq!(
        (counts.shaders, counts.same, counts.new_failures),
        (10, 2, 1)
    );
    assert_eq!((result.all.before, result.all.after), (407, 367));
    let common = Words {
        before: 300,
        after: 308,
        percent: Some(2.67),
    };
    assert_eq!(result.common, common);
    let [grew, shrank, fails] = [0, 1, 2].map(|at| &result.differences[at]);
    assert_eq!((grew.growth(), grew.percent), (Some(10), Some(10.0)));
    assert_eq!((shrank.growth(), shrank.percent), (Some(-2), Some(-2.0)));
    assert_eq!(fails.failure.as_deref(), Some("read: x"));
    assert_eq!((fails.growth(), fails.before), (None, Some(100)));
}

#[test]
fn a_report_equals_itself() {
    let text = serde_json::to_string(&sample::report()).expect("JSON");
    let side = side_of(text.as_bytes()).expect("a report");
    let result = compare(&side, &side);
    assert!(result.equal && result.differences.is_empty());
    // The library without entry points is not counted.
    assert_eq!((result.counts.shaders, result.counts.same), (4, 4));
    assert_eq!(result.common.before, 1460);
    let everything = Gate {
        failures: true,
        change: true,
        growth: Some(0.0),
    };
    assert!(result.rejected(&everything).is_empty());
}

#[test]
fn a_file_that_fails_as_a_whole_fails_for_each_entry_point() {
    let library = r#"{"input":"lib","entry":"a","status":"converted","words":1},
        {"input":"lib","entry":"b","status":"converted","words":2}"#;
    let broken = bad("lib", "x");
    let result = compared(library, &broken);
    assert_eq!(
        changes(&result),
        [("lib", Change::Fails), ("lib", Change::Fails)]
    );
    let back = compared(&broken, library);
    assert_eq!((back.counts.converts, back.counts.shaders), (2, 2));
    // The side's own results are not replaced.
    let both = compared(&format!("{library},{broken}"), library);
    assert_eq!(changes(&both), [("lib", Change::Missing)]);
}

#[test]
fn gates_name_their_reasons() {
    let result = compared(
        &good("a", 100),
        &format!("{},{}", good("a", 107), bad("n", "x")),
    );
    let gate = Gate::default();
    assert!(result.rejected(&gate).is_empty(), "nothing is asked for");
    let seven = Gate {
        growth: Some(7.0),
        ..gate
    };
    assert!(result.rejected(&seven).is_empty(), "7 % are not more");
    let less = Gate {
        growth: Some(6.9),
        change: true,
        failures: true,
    };
    assert_eq!(
        result.rejected(&less),
        [
            "1 shader fails that did not fail before",
            "2 of 2 shaders differ",
            "the sum of words grew from 100 to 107 (+7.00 %), more than 6.9 %",
        ]
    );
    let shrank = compared(&good("a", 100), &good("a", 99));
    assert!(
        shrank
            .rejected(&Gate {
                growth: Some(0.0),
                ..gate
            })
            .is_empty()
    );
    let from_nothing = compared(&good("a", 0), &good("a", 1));
    assert_eq!(from_nothing.common.percent, None);
    assert_eq!(
        from_nothing.rejected(&seven),
        ["the sum of words grew from 0 to 1, more than 7 %"]
    );
}

#[test]
fn the_largest_changes_are_first() {
    let list = |words: [u64; 4]| {
        let names = ["a", "b", "c", "d"].into_iter().zip(words);
        names
            .map(|(name, words)| good(name, words))
            .collect::<Vec<_>>()
            .join(",")
    };
    let result = compared(&list([10, 10, 10, 10]), &list([11, 30, 11, 5]));
    let names = |change| -> Vec<String> {
        let largest = result.largest(change).into_iter();
        largest.map(|d| d.path.clone()).collect()
    };
    assert_eq!(names(Change::Grew), ["b", "a", "c"]);
    assert_eq!(names(Change::Shrank), ["d"]);
}

#[test]
fn hostile_reports_do_no_harm() {
    let most = [good("a", u64::MAX), good("b", u64::MAX)].join(",");
    let result = compared(&most, &most);
    assert!(result.equal);
    assert_eq!(result.all.after, u64::MAX, "sums saturate");
    let grown = compared(&good("a", 0), &good("a", u64::MAX));
    assert_eq!(grown.differences[0].growth(), Some(i128::from(u64::MAX)));
    assert_eq!(percent(u64::MAX, 0), Some(-100.0));
    // The same name many times: the n-th is matched with the n-th.
    let same = [good("a", 1), good("a", 2), good("a", 3)].join(",");
    let fewer = [good("a", 1), good("a", 4)].join(",");
    let result = compared(&same, &fewer);
    assert_eq!(
        changes(&result),
        [("a", Change::Grew), ("a", Change::Missing)]
    );
    let failures = vec![bad("a", "x"); 2000].join(",");
    let entries = vec![good("a", 1); 2000].join(",");
    assert_eq!(compared(&failures, &entries).counts.shaders, 3999);
    // A failure without its reason, and a number that is none.
    assert_eq!(
        compared("", "{\"input\":\"a\",\"status\":\"failed\"}")
            .counts
            .new_failures,
        1
    );
    let deep = "[".repeat(100_000);
    for text in [
        "",
        "[]",
        "{\"schema\":2,\"shaders\":[]}",
        "{\"shaders\":[{}]}",
        "{\"shaders\":[{\"input\":\"a\",\"status\":\"converted\",\"words\":-1}]}",
        deep.as_str(),
        "\u{0}",
    ] {
        assert!(side_of(text.as_bytes()).is_err(), "{text:.40}");
    }
}

#[test]
fn folders_are_compared_by_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    for path in [&a, &b] {
        fs::create_dir_all(path.join("deep")).expect("a folder");
        fs::write(path.join("same.spv"), [1; 8]).expect("a file");
        fs::write(path.join("readme.txt"), path.to_string_lossy().as_bytes()).expect("a file");
    }
    fs::write(a.join("deep/x.spv"), [1; 8]).expect("a file");
    fs::write(b.join("deep/x.spv"), [2; 8]).expect("a file");
    fs::write(a.join("deep/y.spv"), [1; 8]).expect("a file");
    fs::write(b.join("deep/y.spv"), [1; 13]).expect("a file");
    fs::write(b.join("z.spv"), []).expect("a file");
    let (before, after) = read(&a, &b).expect("two folders");
    let result = compare(&before, &after);
    assert_eq!(
        changes(&result),
        [
            ("deep/x.spv", Change::Changed),
            ("deep/y.spv", Change::Grew),
            ("z.spv", Change::New),
        ]
    );
    assert_eq!(
        result.differences[1].after,
        Some(4),
        "a part counts as a word"
    );
    assert!(compare(&before, &before).equal);
    assert_eq!(result.counts.same, 1);
}

#[test]
fn sides_that_cannot_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let [none, empty, file] = ["none", "empty", "file"].map(|name| folder.path().join(name));
    fs::create_dir(&empty).expect("a folder");
    fs::write(&file, "{}").expect("a file");
    assert!(matches!(read(&none, &file), Err(ReadError::Io { .. })));
    assert!(matches!(read(&file, &file), Err(ReadError::Report { .. })));
    assert!(matches!(read(&empty, &empty), Err(ReadError::Empty { .. })));
    for (a, b) in [(&empty, &file), (&file, &empty)] {
        match read(a, b) {
            Err(ReadError::Mixed { folder, file: path }) => {
                assert_eq!((&folder, &path), (&empty, &file));
            }
            other => panic!("{other:?}"),
        }
    }
}
