//! The connections of `trellis serve`: no client can keep others from being answered, whatever it
//! sends or stops sending.
//!
//! One thread talks to all clients; a few more convert. Limits bound the resources of clients:
//! connections, bodies of requests, and the time that each step of a client may take.

use std::convert::Infallible;
use std::io;
use std::net;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, X_CONTENT_TYPE_OPTIONS,
};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use super::{Answer, Site, explore};

/// The largest body of a request, in bytes: a shader that was dropped on the page.
const LARGEST_BODY: u64 = 64 << 20;

/// Shaders that are read or converted at once.
const THREADS: usize = 4;

/// Bytes of request bodies that are held at once; half of it on 32-bit targets. A slow client holds
/// the bytes that it has sent.
const BODIES: usize = 16 << 26;

/// Connections at once; more wait. Systems allow a process 1024 files.
const CONNECTIONS: usize = 900;

/// The time for the head of a request, and until the next one on a connection that is kept.
const TIME_OF_HEAD: Duration = Duration::from_secs(10);

/// The time for a body, and for one before it to be done with.
const TIME_OF_BODY: Duration = Duration::from_secs(60);

/// The time of a connection, for clients that do not take their answers.
const TIME_OF_CONNECTION: Duration = Duration::from_secs(600);

/// The time after which a connection is taken again when it could not be, as there are too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers all clients. Returns only if that cannot begin.
pub(super) fn serve(listener: net::TcpListener, site: Arc<Site>) -> io::Error {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(THREADS)
        .build();
    let run = runtime.and_then(|runtime| runtime.block_on(take_connections(listener, site)));
    match run {
        Ok(never) => match never {},
        Err(error) => error,
    }
}

async fn take_connections(listener: net::TcpListener, site: Arc<Site>) -> io::Result<Infallible> {
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    // With 32 bits tokio permits less than a gibibyte of permits, and panics beyond.
    let bodies = Arc::new(Semaphore::new(BODIES.min(Semaphore::MAX_PERMITS)));
    loop {
        let permit = Arc::clone(&connections).acquire_owned().await;
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        let (site, bodies) = (Arc::clone(&site), Arc::clone(&bodies));
        tokio::spawn(async move {
            let _permit = permit;
            // A client that is gone, or that is not a browser, does not need an answer.
            let _ = timeout(TIME_OF_CONNECTION, talk(stream, site, bodies)).await;
        });
    }
}

async fn talk(
    stream: TcpStream,
    site: Arc<Site>,
    bodies: Arc<Semaphore>,
) -> Result<(), hyper::Error> {
    let respond = |request| {
        let (site, bodies) = (Arc::clone(&site), Arc::clone(&bodies));
        async move {
            let policy = site.policy.clone();
            Ok::<_, Infallible>(response(answer(request, site, bodies).await, policy))
        }
    };
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(TIME_OF_HEAD)
        .serve_connection(TokioIo::new(stream), service_fn(respond))
        .await
}

fn response(answer: Answer, policy: HeaderValue) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(answer.body));
    *response.status_mut() = answer.status;
    for (name, value) in [
        (CONTENT_TYPE, answer.content_type),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CACHE_CONTROL, "no-store"),
    ] {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    response
}

async fn answer(request: Request<Incoming>, site: Arc<Site>, bodies: Arc<Semaphore>) -> Answer {
    let (head, body) = request.into_parts();
    let answered = async {
        if let Some(answer) = on_a_thread(move || site.answer(&head)).await? {
            return Ok(answer);
        }
        let received = timeout(TIME_OF_BODY, async { contents(body, &bodies).await });
        let (contents, permit) = received.await.map_err(|_| {
            let why = "the shader did not arrive in time";
            Answer::refused(StatusCode::REQUEST_TIMEOUT, why)
        })??;
        on_a_thread(move || {
            let _permit = permit;
            explore(&contents)
        })
        .await
    };
    answered.await.unwrap_or_else(|refusal: Answer| refusal)
}

/// Runs slow work on a thread where no client waits for it.
async fn on_a_thread<T: Send + 'static>(
    run: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Answer> {
    tokio::task::spawn_blocking(run)
        .await
        .map_err(|error| Answer::refused(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()))
}

/// Reads the body of a request, with a permit for its bytes. One that is too large is read to its end, so
/// that the client takes the answer.
async fn contents(
    mut body: Incoming,
    bodies: &Arc<Semaphore>,
) -> Result<(Vec<u8>, Option<OwnedSemaphorePermit>), Answer> {
    let unreadable = || Answer::refused(StatusCode::BAD_REQUEST, "the request cannot be read");
    let (mut contents, mut permit) = (Vec::new(), None::<OwnedSemaphorePermit>);
    let mut size = 0u64;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| unreadable())?;
        let Some(data) = frame.data_ref() else {
            continue;
        };
        size = size.saturating_add(data.len() as u64);
        if size > LARGEST_BODY {
            (contents, permit) = (Vec::new(), None);
            continue;
        }
        let more = Arc::clone(bodies).acquire_many_owned(data.len() as u32);
        let more = more.await.map_err(|_| unreadable())?;
        match &mut permit {
            Some(permit) => permit.merge(more),
            None => permit = Some(more),
        }
        contents.extend_from_slice(data);
    }
    match size <= LARGEST_BODY {
        true => Ok((contents, permit)),
        false => {
            let why = "the shader is too large";
            Err(Answer::refused(StatusCode::PAYLOAD_TOO_LARGE, why))
        }
    }
}
