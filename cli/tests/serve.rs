//! `trellis serve`: what it answers, and to whom.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A server of the shaders of a folder, which ends with the test.
struct Server {
    process: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn shaders() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/shaders/control_flow")
}

impl Server {
    fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_trellis"))
            .arg("serve")
            .arg(shaders())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let output = process.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        let rest = line.strip_prefix("http://127.0.0.1:").unwrap();
        let port = rest.split('/').next().unwrap().parse().unwrap();
        Self { process, port }
    }

    /// Sends a request with these headers; returns the status and the body.
    fn ask(&self, request: &str, headers: &[String], body: &[u8]) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let headers: String = headers
            .iter()
            .map(|header| format!("{header}\r\n"))
            .collect();
        let head = format!(
            "{request} HTTP/1.0\r\n{headers}Content-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap();
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer[end + 4..].to_vec())
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}", self.port)
    }
}

#[test]
fn the_page_and_its_shaders_are_served() {
    let server = Server::start();
    let get = |path: &str| server.ask(&format!("GET {path}"), &[server.host()], b"");
    let (status, page) = get("/");
    assert_eq!(status, 200);
    assert!(page.starts_with(b"<!DOCTYPE html>"));
    let (_, names) = get("/shaders");
    let names: Vec<String> = serde_json::from_slice(&names).unwrap();
    assert!(names.iter().any(|name| name == "collatz.dxil"));
    let collatz = std::fs::read(shaders().join("collatz.dxil")).unwrap();
    assert_eq!(get("/shader?name=collatz.dxil"), (200, collatz.clone()));
    // Only what was listed is read.
    for name in [
        "..%2Fmanifest.json",
        "../manifest.json",
        "%2Fetc%2Fpasswd",
        "",
    ] {
        assert_eq!(get(&format!("/shader?name={name}")).0, 404, "{name}");
    }
    assert_eq!(get("/other").0, 404);
    let request = [b"{}\n", &collatz[..]].concat();
    let (status, answer) = server.ask("POST /explore", &[server.host()], &request);
    let answer: serde_json::Value = serde_json::from_slice(&answer).unwrap();
    assert_eq!((status, &answer["error"]), (200, &serde_json::Value::Null));
    assert_eq!(answer["entries"][0]["stage"], "compute");
}

#[test]
fn pages_of_other_sites_are_not_answered() {
    let server = Server::start();
    let own = format!("Origin: http://127.0.0.1:{}", server.port);
    let status = |headers: &[String]| server.ask("GET /shaders", headers, b"").0;
    assert_eq!(status(&[server.host(), own]), 200);
    assert_eq!(
        status(&[server.host(), "Origin: http://a.example".into()]),
        403
    );
    assert_eq!(status(&[server.host(), "Origin: null".into()]), 403);
    // A name of another site that leads to this machine.
    assert_eq!(status(&[format!("Host: a.example:{}", server.port)]), 403);
    assert_eq!(status(&[]), 403);
}
