//! The text form: printed functions read back, and errors have a position.

use trellis_structurizer::text::{
    MAX_BLOCKS, MAX_BYTES, parse, parse_structured, print, print_structured,
};

const FULL: &str = "\
%c = const 7 : 1
%u = undef : 2
%s = selector 3
entry:
    hint unroll
    %a:2 %b:1 = op 5 side reads %c %u
    br head
head:
    %p = phi : 2 [entry %a] [body %q]
    %t = test le %s 4
    if %t body out flatten
body:                        # a use before its definition in the text is fine
    %q:2 = op 6 conv %p
    switch %q head 1=out 18446744073709551615=head branch
out:
    op 9 side
    ret %a
";

#[test]
fn the_full_form_survives_a_round_trip() {
    let once = print(&parse(FULL).unwrap());
    assert_eq!(print(&parse(&once).unwrap()), once);
    assert!(
        once.contains("%v4:1 = op 5 side reads %v0 %v1")
            || once.contains("%v3:2 %v4:1 = op 5 side reads %v0 %v1"),
        "{once}"
    );
    assert!(
        once.contains("switch %v7 b1 1=b3 18446744073709551615=b1 branch"),
        "{once}"
    );
}

#[test]
fn the_short_form_makes_conditions_and_instructions() {
    let func =
        parse("a: b c\nb: {empty} switch c b 7=c\nc: {conv unroll_count 4} break d a\nd: ret")
            .unwrap();
    let expected = "\
%v0 = const 1000001 : 2
b0:
    %v1:1 = op 0 side
    if %v1 b1 b2
b1:
    switch %v0 b2 0=b1 7=b2
b2:
    op 2 side conv
    hint unroll_count 4
    break b3 b0
b3:
    op 3 side
    ret
";
    assert_eq!(print(&func), expected);
}

#[test]
fn merges_are_part_of_structured_text() {
    let text = "a: b c | merge m\nb: m\nc: m\nm: l\nl: e k | loop e k dont_unroll\nk: l\ne: ret\n";
    let once = print_structured(&parse_structured(text).unwrap());
    assert!(
        once.contains("    merge b3\n") && once.contains("    loop b6 b5 dont_unroll\n"),
        "{once}"
    );
    assert_eq!(print_structured(&parse_structured(&once).unwrap()), once);
    assert_eq!(
        parse(text).unwrap_err().to_string(),
        "line 1, column 16: expected a function without merges, found `m`"
    );
}

#[test]
fn errors_say_line_column_and_what_was_expected() {
    let cases = [
        (
            "",
            "line 1, column 1: expected a block like `a: b c`, found the end of the text",
        ),
        (
            "a:",
            "line 2, column 1: expected a terminator, found the end of the text",
        ),
        (
            "a: b",
            "line 1, column 4: expected a block that has a label, found `b`",
        ),
        (
            "a: a\na: ret",
            "line 2, column 1: expected a label that is not taken, found `a`",
        ),
        (
            "a: ret ret",
            "line 1, column 8: expected the end of the line, found `ret`",
        ),
        (
            "a: {wave} ret",
            "line 1, column 5: expected empty, conv, pure, uniform, flatten, branch, unroll, dont_unroll, unroll_count or `}`, found `wave`",
        ),
        (
            "a:\n  if %x a a",
            "line 2, column 6: expected a value that is defined, found `%x`",
        ),
        (
            "a:\n  %x = op 1\n  ret",
            "line 2, column 3: expected a result with its type, like `%x:1`, found `%x`",
        ),
        (
            "a:\n  jump b",
            "line 2, column 3: expected a phi, an instruction, a merge or a terminator, found `jump`",
        ),
        (
            "br a",
            "line 1, column 1: expected a label like `a:`, found `br`",
        ),
        (
            "a:\n  op 4294967296\n ret",
            "line 2, column 6: expected the client's number of the instruction, found `4294967296`",
        ),
        (
            "a:\nb: ret",
            "line 2, column 1: expected a terminator before the next block, found `b`",
        ),
        (
            "%a = const 1 : 1\n%a = const 2 : 1\nb: ret",
            "line 2, column 1: expected a value that is not taken, found `%a`",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(parse(text).unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn texts_have_limits() {
    let mut blocks: String = (0..MAX_BLOCKS - 1)
        .map(|i| format!("b{i}: b{}\n", i + 1))
        .collect();
    blocks += &format!("b{}: ret\n", MAX_BLOCKS - 1);
    assert_eq!(parse(&blocks).expect("it is read").num_blocks(), MAX_BLOCKS);
    blocks += "one_more: ret\n";
    assert_eq!(
        parse(&blocks).unwrap_err().to_string(),
        "line 131073, column 1: expected at most 131072 blocks, found `one_more`"
    );
    blocks += &" ".repeat(MAX_BYTES);
    let error = parse(&blocks).unwrap_err().to_string();
    assert!(error.starts_with("line 1, column 1: expected at most 16777216 bytes, found "));
}

#[test]
fn any_bytes_are_read_or_refused() {
    let mut state = 1u64;
    for _ in 0..2000 {
        let mut text = FULL.as_bytes().to_vec();
        for _ in 0..4 {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let at = (state >> 33) as usize % text.len();
            text[at] = (state >> 20) as u8 & 127;
        }
        if let Ok(func) = parse(&String::from_utf8_lossy(&text)) {
            let _ = print(&func);
        }
    }
}
