//! `trellis serve`

mod http;

use std::collections::HashSet;
use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use clap::{Args, ValueHint};
use hyper::body::Bytes;
use hyper::header::{HOST, HeaderValue, ORIGIN};
use hyper::http::request::Parts;
use hyper::{Method, StatusCode};
use trellis_corpus::failure::Failure;
use trellis_corpus::guard::guarded;
use trellis_corpus::inputs::{self, Filter, Input, InputError};
use trellis_explorer::page::{Engine, page, policy_of};

use crate::commands::batch::wrong_inputs;
use crate::files;
use crate::problem::Problem;

const SERVE_EXAMPLES: &str = "\
Examples:
  trellis serve shaders/                 open the address that it prints
  trellis serve game.dxil --port 8080

Only this machine can connect, and only pages from that address are answered. The shaders stay where they are and are read \
when they are shown; a page lists them when it is opened. Links in folders are not followed. Nothing is written. Stop it with Ctrl+C.";

/// Arguments of `trellis serve`.
#[derive(Args)]
#[command(after_help = SERVE_EXAMPLES)]
pub(crate) struct ServeArgs {
    /// Shaders, graphs (*.cfg), folders of both, archives and manifests (*.json) of shaders; none:
    /// the page has only the files that are dropped on it
    #[arg(value_name = "IN", value_hint = ValueHint::AnyPath)]
    inputs: Vec<PathBuf>,
    /// Port on 127.0.0.1; 0 takes one that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
}

/// Serves the page until the process is ended.
pub(crate) fn run(args: &ServeArgs) -> Result<ExitCode, Problem> {
    let (shaders, left_out) = served(list(&args.inputs).map_err(|error| wrong_inputs(&error))?);
    // If standard error is closed, they cannot be shown.
    let _ = std::io::stderr().write_all(left_out.as_bytes());
    let cannot = |error: &dyn std::fmt::Display| {
        Problem::usage_error(format!("cannot listen on port {}: {error}", args.port))
            .help("choose another port, or 0 for one that is free")
    };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let listener = TcpListener::bind(address).map_err(|error| cannot(&error))?;
    let address = listener.local_addr().map_err(|error| cannot(&error))?;
    let text = match shaders.len() {
        1 => format!("http://{address}/ (1 shader)\n"),
        number => format!("http://{address}/ ({number} shaders)\n"),
    };
    files::write_standard(text.as_bytes())?;
    let page = page(Engine::Server, &[]);
    let policy = format!("{}; frame-ancestors 'none'", policy_of(&page));
    let site = Site {
        port: address.port(),
        policy: policy.try_into().map_err(|error| cannot(&error))?,
        page: page.into(),
        inputs: args.inputs.clone(),
        shaders: Mutex::new(shaders.into()),
    };
    // It answers until the process is ended.
    let error = http::serve(listener, Arc::new(site));
    Err(Problem::usage_error("cannot take connections any more").because(&error))
}

fn list(paths: &[PathBuf]) -> Result<Vec<Input>, InputError> {
    // The page shows control-flow graphs in the structurizer's text form, too.
    let filter = Filter::default().and_files_named("cfg").without_links();
    match paths {
        [] => Ok(Vec::new()),
        paths => inputs::collect(paths, &filter),
    }
}

/// Returns the inputs that can be served, and one line per input that cannot. The page names
/// shaders by path, so only the first of several with the same path is served.
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

/// The state that all requests share.
struct Site {
    port: u16,
    /// The content security policy.
    policy: HeaderValue,
    page: Bytes,
    /// Paths whose shaders are listed each time that a page requests their names.
    inputs: Vec<PathBuf>,
    shaders: Mutex<Arc<[Input]>>,
}

/// The response to a request.
struct Answer {
    status: StatusCode,
    content_type: &'static str,
    body: Bytes,
}

const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";

impl Answer {
    fn of(content_type: &'static str, body: impl Into<Bytes>) -> Self {
        Self {
            status: StatusCode::OK,
            content_type,
            body: body.into(),
        }
    }

    fn refused(status: StatusCode, why: &str) -> Self {
        Self {
            status,
            content_type: TEXT,
            body: format!("{why}\n").into(),
        }
    }
}

impl Site {
    /// Answers a request without its body; `None` for one whose body is to be [explored](explore).
    fn answer(&self, request: &Parts) -> Option<Answer> {
        if !self.is_own(request) {
            let why = "only pages of this address are answered";
            return Some(Answer::refused(StatusCode::FORBIDDEN, why));
        }
        Some(match (&request.method, request.uri.path()) {
            (&Method::GET, "/") => Answer::of("text/html; charset=utf-8", self.page.clone()),
            (&Method::GET, "/shaders") => self.names(),
            (&Method::GET, "/shader") => self.shader(request.uri.query().unwrap_or_default()),
            (&Method::POST, "/explore") => return None,
            _ => Answer::refused(StatusCode::NOT_FOUND, "there is no such page"),
        })
    }

    /// Returns true if a request comes from this server's page, or from no page: pages of other
    /// sites could send requests to this machine's server, too, and their host names could resolve
    /// to it.
    fn is_own(&self, request: &Parts) -> bool {
        let is_own = |host: &str| match host.rsplit_once(':') {
            Some((name, port)) => is_this_machine(name) && port.parse() == Ok(self.port),
            // HTTP's default port is omitted.
            None => is_this_machine(host) && self.port == 80,
        };
        let is_page = |origin: &str| origin.strip_prefix("http://").is_some_and(is_own);
        let all = |name, is_right: &dyn Fn(&str) -> bool| {
            let mut values = request.headers.get_all(name).iter();
            values.all(|value| value.to_str().is_ok_and(is_right))
        };
        // With an address in the request or two hosts, others may read it differently.
        request.uri.authority().is_none()
            && request.headers.get_all(HOST).iter().count() == 1
            && all(HOST, &is_own)
            && all(ORIGIN, &is_page)
    }

    /// Lists the shaders again, as files come and go, and returns their names.
    fn names(&self) -> Answer {
        // The old names are kept if listing fails, such as while a folder is replaced.
        let shaders = match list(&self.inputs) {
            Ok(inputs) => self.set_shaders(served(inputs).0.into()),
            Err(_) => self.shaders(),
        };
        let names: Vec<&str> = shaders.iter().map(|s| s.relative.as_str()).collect();
        Answer::of(JSON, serde_json::json!(names).to_string())
    }

    fn shaders(&self) -> Arc<[Input]> {
        Arc::clone(&self.shaders.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns false for a file outside of the folders: a link has replaced it, or a folder that it was in.
    fn has(&self, file: &Path) -> bool {
        let Ok(file) = file.canonicalize() else {
            // Reading it says why.
            return true;
        };
        let mut inputs = self.inputs.iter().flat_map(|input| input.canonicalize());
        inputs.any(|input| match input.is_dir() {
            true => file.starts_with(input),
            false => input
                .parent()
                .is_some_and(|folder| file.starts_with(folder)),
        })
    }

    fn set_shaders(&self, shaders: Arc<[Input]>) -> Arc<[Input]> {
        let mut current = self.shaders.lock().unwrap_or_else(PoisonError::into_inner);
        *current = Arc::clone(&shaders);
        shaders
    }

    /// Returns the bytes of the shader that a query names.
    fn shader(&self, query: &str) -> Answer {
        let name = query.strip_prefix("name=").map(decoded).unwrap_or_default();
        let shaders = self.shaders();
        let mut found = shaders.iter();
        let found = found.find(|shader| shader.relative.as_bytes() == name);
        match found
            .filter(|shader| self.has(&shader.path))
            .map(Input::read)
        {
            Some(Ok(bytes)) => Answer::of("application/octet-stream", bytes),
            Some(Err(failure)) => {
                Answer::refused(StatusCode::INTERNAL_SERVER_ERROR, &failure.message)
            }
            None => Answer::refused(StatusCode::NOT_FOUND, "there is no such shader"),
        }
    }
}

fn is_this_machine(name: &str) -> bool {
    name == "127.0.0.1" || name == "localhost"
}

/// Returns the response to a request about a shader.
fn explore(body: &[u8]) -> Answer {
    match guarded(|| Ok::<_, Failure>(trellis_explorer::answer_bytes(body))) {
        Ok(answer) => Answer::of(JSON, answer),
        Err(failure) => Answer::refused(StatusCode::INTERNAL_SERVER_ERROR, &failure.message),
    }
}

/// Decodes the percent-encoding of `encodeURIComponent`.
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
    use std::sync::Mutex;

    use hyper::Request;
    use hyper::header::HeaderValue;
    use trellis_corpus::inputs::{ArchiveMember, Input};

    use super::{Site, decoded, served};

    #[test]
    fn only_this_address_is_own() {
        let site = |port| Site {
            port,
            policy: HeaderValue::from_static(""),
            page: "".into(),
            inputs: Vec::new(),
            shaders: Mutex::new([].into()),
        };
        for (port, host, origin, is_own) in [
            (8080, "127.0.0.1:8080", "", true),
            (8080, "localhost:8080", "http://127.0.0.1:8080", true),
            (8080, "127.0.0.1:8080", "https://127.0.0.1:8080", false),
            (8080, "127.0.0.1:8080", "http://a.example", false),
            (8080, "127.0.0.1:8080", "null", false),
            (8080, "127.0.0.1:80", "", false),
            (8080, "127.0.0.1", "", false),
            (8080, "a.example:8080", "", false),
            // Browsers leave out the port of HTTP.
            (80, "127.0.0.1", "http://localhost", true),
            (80, "localhost:80", "http://127.0.0.1:80", true),
            (80, "a.example", "", false),
        ] {
            let mut request = Request::get("/").header("Host", host);
            if !origin.is_empty() {
                request = request.header("Origin", origin);
            }
            let (head, ()) = request.body(()).unwrap().into_parts();
            assert_eq!(site(port).is_own(&head), is_own, "{port} {host} {origin}");
        }
        let (head, ()) = Request::get("/").body(()).unwrap().into_parts();
        assert!(!site(80).is_own(&head));
    }

    #[test]
    fn what_is_not_served_is_named() {
        let mut member = Input::file("a.zip", "x.dxil");
        member.member = Some(ArchiveMember {
            place: 0,
            path: "x.dxil".to_owned(),
        });
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
