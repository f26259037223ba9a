//! The limits that a worker process sets on itself.

/// Ends this process when the batch is killed, even while a shader is converted. On other systems
/// than Linux it ends when it finds no next input. Nothing is written where it crashes, as that may
/// happen for many shaders.
pub(super) fn end_with_parent() {
    // Without these the worker works as well.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    #[cfg(unix)]
    let _ = rustix::process::setrlimit(
        rustix::process::Resource::Core,
        rustix::process::Rlimit {
            current: Some(0),
            maximum: Some(0),
        },
    );
}

/// Limits the memory that this process may map in addition to its current mappings, in bytes.
///
/// # Errors
/// Returns the reason if that is not possible here.
#[cfg(target_os = "linux")]
pub(super) fn memory(bytes: u64) -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, setrlimit};

    let read = std::fs::read_to_string("/proc/self/statm");
    let text = read.map_err(|error| format!("cannot read /proc/self/statm: {error}"))?;
    // The first number is the size of the address space in pages.
    let pages = text.split(' ').next().and_then(|pages| pages.parse().ok());
    let size = pages.and_then(|pages: u64| pages.checked_mul(rustix::param::page_size() as u64));
    let limit = size.and_then(|size| size.checked_add(bytes));
    let (Some(size), Some(limit)) = (size, limit) else {
        return Err("the size of this process is not known".to_owned());
    };
    let limit = Rlimit {
        current: Some(limit),
        maximum: Some(limit),
    };
    setrlimit(Resource::As, limit)
        .map_err(|error| format!("cannot set the limit on memory: {error}"))?;
    // Not every system that accepts a limit keeps it.
    let more = usize::try_from(size.saturating_add(bytes)).unwrap_or(usize::MAX >> 1);
    match Vec::<u8>::new().try_reserve_exact(more) {
        Err(_) => Ok(()),
        Ok(()) => Err("this system does not keep the limit on memory that it accepted".to_owned()),
    }
}

/// Limits the memory of this process, which only Linux can.
#[cfg(not(target_os = "linux"))]
pub(super) fn memory(_bytes: u64) -> Result<(), String> {
    Err(format!(
        "a limit on memory is not supported on {}",
        std::env::consts::OS
    ))
}
