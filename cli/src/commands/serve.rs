//! `trellis serve`

use std::collections::HashSet;
use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use tiny_http::{Header, Method, Request, Response, Server};
use trellis_corpus::failure::Failure;
use trellis_corpus::guard::guarded;
use trellis_corpus::inputs::{self, Filter, Input};
use trellis_explorer::page::{Engine, page};

use crate::commands::batch::wrong_inputs;
use crate::files;
use crate::problem::Problem;

pub(crate) const SERVE_EXAMPLES: &str = "\
Examples:
  trellis serve shaders/                 open the address that it prints
  trellis serve game.dxil --port 8080

Only this machine can connect, and only pages from that address are answered. The shaders stay where they are and are read \
when they are shown; nothing is written. Stop it with Ctrl+C.";

/// The largest request, in bytes: a shader that was dropped on the page.
const LARGEST_REQUEST: u64 = 64 << 20;

/// Requests that are answered at once.
const THREADS: usize = 4;

/// Arguments of `trellis serve`.
#[derive(Args)]
pub(crate) struct ServeArgs {
    /// Shaders, folders, archives and manifests (*.json); none: the page has only what is dropped on it
    #[arg(value_name = "IN", value_hint = ValueHint::AnyPath)]
    inputs: Vec<PathBuf>,
    /// Port on 127.0.0.1; 0 takes one that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
}

/// Serves the page until the process is ended.
pub(crate) fn run(args: &ServeArgs) -> Result<ExitCode, Problem> {
    let inputs = if args.inputs.is_empty() {
        Vec::new()
    } else {
        let filter = Filter::default();
        inputs::collect(&args.inputs, &filter).map_err(|error| wrong_inputs(&error))?
    };
    let (shaders, left_out) = served(inputs);
    // If standard error is closed, they cannot be shown.
    let _ = std::io::stderr().write_all(left_out.as_bytes());
    let cannot = |error: &dyn std::fmt::Display| {
        Problem::usage_error(format!("cannot listen on port {}: {error}", args.port))
            .help("choose another port, or 0 for one that is free")
    };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let server = Server::http(address).map_err(|error| cannot(&*error))?;
    let Some(address) = server.server_addr().to_ip() else {
        return Err(cannot(&"the address is not one of IP"));
    };
    let text = match shaders.len() {
        1 => format!("http://{address}/ (1 shader)\n"),
        number => format!("http://{address}/ ({number} shaders)\n"),
    };
    files::write_standard(text.as_bytes())?;
    let site = Site {
        port: address.port(),
        page: page(Engine::Server, &[]),
        shaders,
    };
    let answer_all = || -> std::io::Error {
        loop {
            match server.recv() {
                Ok(request) => site.respond(request),
                Err(error) => return error,
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..THREADS {
            scope.spawn(answer_all);
        }
        // It answers until the process is ended.
        let error = answer_all();
        Err(Problem::usage_error("cannot take connections any more").because(&error))
    })
}

/// Returns the inputs that can be served, and a line for each other one. The page names a shader by its path,
/// so that of several with one path the first is served.
fn served(inputs: Vec<Input>) -> (Vec<Input>, String) {
    let mut names = HashSet::new();
    let mut left_out = String::new();
    let mut shaders = Vec::with_capacity(inputs.len());
    for input in inputs {
        let why = match &input.problem {
            Some(problem) => problem.message.as_str(),
            None if !names.insert(input.relative.clone()) => "another input has the same name",
            None => {
                shaders.push(input);
                continue;
            }
        };
        left_out += &files::printable(&format!("not served: {input}: {why}"));
        left_out.push('\n');
    }
    (shaders, left_out)
}

/// What is served.
struct Site {
    port: u16,
    page: String,
    shaders: Vec<Input>,
}

/// A status, a type of contents, and the contents.
type Answer = (u16, &'static str, Vec<u8>);

const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";

fn refused(status: u16, why: &str) -> Answer {
    (status, TEXT, format!("{why}\n").into_bytes())
}

impl Site {
    /// Answers a request. A connection that is closed meanwhile does not need an answer.
    fn respond(&self, mut request: Request) {
        let (status, content_type, body) = self.answer(&mut request);
        let mut response = Response::from_data(body).with_status_code(status);
        for (name, value) in [
            ("Content-Type", content_type),
            ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", "no-store"),
        ] {
            if let Ok(header) = Header::from_bytes(name, value) {
                response = response.with_header(header);
            }
        }
        let _ = request.respond(response);
    }

    fn answer(&self, request: &mut Request) -> Answer {
        if !self.is_own(request) {
            return refused(403, "only pages of this address are answered");
        }
        let url = request.url().to_owned();
        let (path, query) = url.split_once('?').unwrap_or((&url, ""));
        match (request.method(), path) {
            (Method::Get, "/") => (200, "text/html; charset=utf-8", self.page.clone().into()),
            (Method::Get, "/shaders") => {
                let names: Vec<&str> = self.shaders.iter().map(|s| s.relative.as_str()).collect();
                (200, JSON, serde_json::json!(names).to_string().into_bytes())
            }
            (Method::Get, "/shader") => self.shader(query),
            (Method::Post, "/explore") => explore(request),
            _ => refused(404, "there is no such page"),
        }
    }

    /// Returns true if a request comes from this server's page, or from no page: pages of other sites
    /// could ask a server of this machine, too, and a name of theirs could lead here.
    fn is_own(&self, request: &Request) -> bool {
        let value = |name: &'static str| {
            let header = request.headers().iter().find(|h| h.field.equiv(name));
            header.map(|header| header.value.as_str())
        };
        let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{}", self.port));
        let is_own = |host: &str| hosts.iter().any(|own| own == host);
        value("Host").is_some_and(is_own)
            && value("Origin")
                .is_none_or(|origin| origin.strip_prefix("http://").is_some_and(is_own))
    }

    /// Returns the bytes of the shader that a query names.
    fn shader(&self, query: &str) -> Answer {
        let name = query.strip_prefix("name=").map(decoded).unwrap_or_default();
        let found = self
            .shaders
            .iter()
            .find(|shader| shader.relative.as_bytes() == name);
        match found.map(Input::read) {
            Some(Ok(bytes)) => (200, "application/octet-stream", bytes),
            Some(Err(failure)) => refused(500, &failure.message),
            None => refused(404, "there is no such shader"),
        }
    }
}

/// Answers what the page asks about a shader.
fn explore(request: &mut Request) -> Answer {
    use std::io::Read as _;
    let mut body = Vec::new();
    let read = request
        .as_reader()
        .take(LARGEST_REQUEST + 1)
        .read_to_end(&mut body);
    if read.is_err() {
        return refused(400, "the request cannot be read");
    }
    if body.len() as u64 > LARGEST_REQUEST {
        return refused(413, "the shader is too large");
    }
    let answer = guarded(|| Ok::<_, Failure>(trellis_explorer::answer_bytes(&body)));
    match answer {
        Ok(answer) => (200, JSON, answer),
        Err(failure) => refused(500, &failure.message),
    }
}

/// Decodes what `encodeURIComponent` encodes.
fn decoded(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = (first == b'%')
            .then(|| std::str::from_utf8(after.get(..2)?).ok())
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(digits.unwrap_or(first));
        rest = if digits.is_some() { &after[2..] } else { after };
    }
    out
}

#[cfg(test)]
mod tests {
    use trellis_corpus::inputs::Input;

    use super::{decoded, served};

    #[test]
    fn what_is_not_served_is_named() {
        let mut member = Input::file("a.zip", "x.dxil");
        member.member = Some(0);
        let again = Input::file("b/x.dxil", "x.dxil");
        let (shaders, left_out) = served(vec![member.clone(), again]);
        assert_eq!(shaders, [member]);
        assert_eq!(
            left_out,
            "not served: b/x.dxil: another input has the same name\n"
        );
    }

    #[test]
    fn names_in_queries_are_decoded() {
        assert_eq!(decoded("a%2Fb%20c.dxil"), b"a/b c.dxil");
        assert_eq!(decoded("100%"), b"100%");
        assert_eq!(decoded("%zz%4"), b"%zz%4");
    }
}
