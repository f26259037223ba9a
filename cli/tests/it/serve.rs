//! `trellis serve`: what it answers, and to whom.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

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
        Self::of(&shaders())
    }

    fn of(folder: &Path) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_trellis"))
            .arg("serve")
            .arg(folder)
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

    /// Sends bytes and nothing more.
    fn send(&self, bytes: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(bytes.as_bytes()).unwrap();
        stream
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
    let other = "Host: a.example".to_owned();
    assert_eq!(status(&[server.host(), other]), 403);
    assert_eq!(status(&[server.host(), server.host()]), 403);
    let absolute = format!("GET http://127.0.0.1:{}/shaders", server.port);
    assert_eq!(server.ask(&absolute, &[server.host()], b"").0, 403);
}

#[test]
fn other_pages_cannot_frame_the_page() {
    let server = Server::start();
    let mut stream = server.send(&format!("GET / HTTP/1.0\r\n{}\r\n\r\n", server.host()));
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let policy = answer
        .lines()
        .find_map(|line| line.strip_prefix("content-security-policy: "));
    let policy = policy.unwrap();
    assert!(
        policy.starts_with("default-src 'none'; script-src 'nonce-"),
        "{policy}"
    );
    assert!(policy.ends_with("; frame-ancestors 'none'"), "{policy}");
    assert!(!policy.contains("unsafe-inline"), "{policy}");
}

#[cfg(unix)]
#[test]
fn links_of_folders_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let link = |to: &Path, name: &str| {
        std::os::unix::fs::symlink(to, folder.path().join(name)).unwrap();
    };
    link(&shaders().join("collatz.dxil"), "link.dxil");
    link(&shaders(), "folder");
    std::fs::write(folder.path().join("a.cfg"), "a: ret").unwrap();
    let server = Server::of(folder.path());
    let (_, names) = server.ask("GET /shaders", &[server.host()], b"");
    assert_eq!(String::from_utf8(names).unwrap(), r#"["a.cfg"]"#);
    // What becomes a link after it was listed.
    assert_eq!(
        server
            .ask("GET /shader?name=a.cfg", &[server.host()], b"")
            .0,
        200
    );
    std::fs::remove_file(folder.path().join("a.cfg")).unwrap();
    link(&shaders().join("collatz.dxil"), "a.cfg");
    assert_eq!(
        server
            .ask("GET /shader?name=a.cfg", &[server.host()], b"")
            .0,
        404
    );
}

#[test]
fn a_length_that_is_not_sent_takes_no_memory() {
    let server = Server::start();
    for request in [
        "GET / HTTP/1.1\r\nHost: evil",
        "POST /explore HTTP/1.1\r\nHost: evil",
    ] {
        let head = format!("{request}\r\nContent-Length: 9999999999999\r\n\r\nx");
        let mut stream = server.send(&head);
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(answer.starts_with(b"HTTP/1.1 403"));
    }
    let own = format!("POST /explore HTTP/1.1\r\n{}\r\n", server.host());
    drop(server.send(&format!("{own}Content-Length: 9999999999999\r\n\r\nx")));
    assert_eq!(server.ask("GET /shaders", &[server.host()], b"").0, 200);
}

#[test]
fn clients_that_stop_sending_keep_nobody_waiting() {
    let server = Server::start();
    let body = format!(
        "POST /explore HTTP/1.1\r\n{}\r\nContent-Length: 9\r\n\r\n{{}}",
        server.host()
    );
    let slow: Vec<TcpStream> = (0..500)
        .map(|number| server.send(if number % 2 == 0 { &body } else { "GET / HT" }))
        .collect();
    let collatz = std::fs::read(shaders().join("collatz.dxil")).unwrap();
    let request = [b"{}\n", &collatz[..]].concat();
    let time = || {
        let start = Instant::now();
        let (status, _) = server.ask("POST /explore", &[server.host()], &request);
        assert_eq!(status, 200);
        start.elapsed()
    };
    // The fastest of some, as the machine may be busy; a client's time for a head is ten seconds.
    let fastest = [(); 5].map(|()| time()).into_iter().min().unwrap();
    assert!(fastest < Duration::from_millis(500), "{fastest:?}");
    drop(slow);
}

#[test]
fn a_shader_that_is_too_large_is_refused() {
    let server = Server::start();
    let body = vec![b' '; (64 << 20) + 1];
    let answer = server.ask("POST /explore", &[server.host()], &body);
    assert_eq!(answer, (413, b"the shader is too large\n".to_vec()));
}

#[test]
fn shaders_are_listed_anew_for_each_page() {
    let folder = tempfile::tempdir().unwrap();
    let shader = |name: &str| {
        std::fs::copy(shaders().join("collatz.dxil"), folder.path().join(name)).unwrap();
    };
    shader("a.dxil");
    std::fs::write(folder.path().join("notes.txt"), "a: ret").unwrap();
    let server = Server::of(folder.path());
    let names = || {
        let (status, names) = server.ask("GET /shaders", &[server.host()], b"");
        (status, String::from_utf8(names).unwrap())
    };
    assert_eq!(names(), (200, r#"["a.dxil"]"#.to_owned()));
    shader("b.dxil");
    std::fs::write(folder.path().join("c.cfg"), "a: ret").unwrap();
    assert_eq!(names(), (200, r#"["a.dxil","b.dxil","c.cfg"]"#.to_owned()));
    assert_eq!(
        server
            .ask("GET /shader?name=b.dxil", &[server.host()], b"")
            .0,
        200
    );
    std::fs::remove_file(folder.path().join("b.dxil")).unwrap();
    // A page that has an older list gets the reason.
    let (status, why) = server.ask("GET /shader?name=b.dxil", &[server.host()], b"");
    assert_eq!(status, 500);
    assert!(why.starts_with(b"cannot read the file"));
    assert_eq!(names(), (200, r#"["a.dxil","c.cfg"]"#.to_owned()));
}
