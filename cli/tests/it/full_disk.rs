//! A batch stops on a full disk: a small file system in memory, in a namespace of mounts.

use std::path::Path;
use std::process::Command;

#[test]
fn a_full_disk_stops_the_batch() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("disk")).unwrap();
    let mount = "mount -t tmpfs -o size=64k none disk || exit 77";
    let script = format!("{mount}; exec \"$0\" batch \"$1\" -o disk --jobs 1 --quiet");
    let output = Command::new("unshare")
        .args(["--map-root-user", "--mount", "sh", "-c", &script])
        .arg(env!("CARGO_BIN_EXE_trellis"))
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/shaders/control_flow"))
        .current_dir(folder.path())
        .output();
    let output = match output {
        Ok(output) if ![Some(1), Some(77)].contains(&output.status.code()) => output,
        _ => {
            eprintln!("skipped: a file system cannot be mounted in a namespace");
            return;
        }
    };
    let [printed, errors] = [output.stdout, output.stderr].map(|b| String::from_utf8(b).unwrap());
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(printed.contains(", failed 1, not run "), "{printed}");
    assert!(
        errors.contains("error: the disk of disk is full\n"),
        "{errors}"
    );
}
