//! Archives: zip, tar, and tar in Zstandard's frames.
//!
//! Members are counted over all that is in an archive. A zip has a list of them, so that each is read when
//! its turn comes. A tar is a stream: it is read once for the list and once, on a thread of its own, for
//! the contents, in order. The list is complete before anything is converted, and compares all checksums of
//! frames: an archive that is damaged there is refused as a whole, as what is in it is not certain.
//!
//! Nothing is unpacked to files. A member may be as large as a file; what a name says is used for the
//! name of the output only, and refused if it leads out of the archive.

mod frames;

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use frames::Frames;

use super::{Input, InputError, is_shader};
use crate::failure::{Failure, Kind};
use crate::files::read_member;
use crate::guard::guarded;
use crate::manifest::is_inner_path;

/// How many members of a tar may wait for a thread.
const WAITING: usize = 2;

/// The formats of archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Zip,
    Tar,
    /// In Zstandard's frames.
    TarZst,
}

impl Format {
    /// Returns the format of a file, by its name.
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let ends = |ending: &str| name.len() > ending.len() && name.ends_with(ending);
        if ends(".zip") {
            Some(Self::Zip)
        } else if ends(".tar") {
            Some(Self::Tar)
        } else if ends(".tar.zst") || ends(".tzst") {
            Some(Self::TarZst)
        } else {
            None
        }
    }
}

/// Lists the shaders of an archive, in its order.
pub(super) fn list(path: &Path, format: Format) -> Result<Vec<Input>, InputError> {
    let listed = guarded(|| {
        match format {
            Format::Zip => list_zip(path),
            Format::Tar | Format::TarZst => list_tar(path, format),
        }
        .map_err(|error| Failure::new(Kind::Archive, error.to_string()))
    });
    listed.map_err(|failure| InputError::Archive {
        path: path.to_owned(),
        message: failure.message,
    })
}

/// Returns an input for a member if it is a shader.
fn of_member(path: &Path, member: u64, name: &[u8], start: &[u8]) -> Option<Input> {
    let text = String::from_utf8_lossy(name);
    if !is_shader(Path::new(&*text), start) {
        return None;
    }
    // Archives of some programs have the separators of their system, or begin with the folder itself.
    let inner = text.replace('\\', "/");
    let inner = inner.strip_prefix("./").unwrap_or(&inner);
    let input = Input {
        member: Some(member),
        ..Input::file(path, inner)
    };
    Some(if std::str::from_utf8(name).is_err() {
        input.with_problem(
            Kind::Name,
            "the name is not UTF-8, so that an output cannot be named after it",
        )
    } else if !is_inner_path(inner) {
        input.with_problem(Kind::Name, "the name leads out of the archive")
    } else {
        input
    })
}

fn list_zip(path: &Path) -> io::Result<Vec<Input>> {
    let mut zip = open_zip(path)?;
    let mut found = Vec::new();
    for index in 0..zip.len() {
        let name = zip.name_for_index(index).and_then(Result::ok);
        let name = name.map(|name| name.into_owned().into_bytes());
        let member = index as u64;
        match zip.by_index(index) {
            Ok(mut file) if file.is_file() => {
                let name = name.unwrap_or_else(|| file.name_raw().to_vec());
                let mut start = Vec::with_capacity(4);
                // What cannot be unpacked is found out when it is read, if its name says that it is a
                // shader.
                let _ = (&mut file).take(4).read_to_end(&mut start);
                found.extend(of_member(path, member, &name, &start));
            }
            Ok(_) => {}
            Err(error) => {
                let input = of_member(path, member, &name.unwrap_or_default(), b"");
                found.extend(input.map(|i| i.with_problem(Kind::Archive, error.to_string())));
            }
        }
    }
    Ok(found)
}

/// A zip that is read.
pub(crate) type Zip = zip::ZipArchive<BufReader<File>>;

/// Opens a zip and reads its list.
pub(crate) fn open_zip(path: &Path) -> io::Result<Zip> {
    let file = BufReader::new(File::open(path)?);
    Ok(zip::ZipArchive::new(file)?)
}

/// Reads a member of a zip.
pub(crate) fn read_zip(zip: &mut Zip, member: u64) -> Result<Vec<u8>, Failure> {
    let cannot = |reason: &dyn std::fmt::Display| {
        Failure::new(
            Kind::Archive,
            format!("cannot read it from the archive: {reason}"),
        )
    };
    guarded(|| {
        let index = usize::try_from(member).map_err(|error| cannot(&error))?;
        let mut file = zip.by_index(index).map_err(|error| cannot(&error))?;
        let size = file.size();
        read_member(&mut file, size)
    })
}

/// The bytes of a tar, out of its frames if it has them.
enum Stream {
    Plain(BufReader<File>),
    Frames(Box<Frames>),
}

impl Stream {
    fn open(path: &Path, format: Format) -> io::Result<Self> {
        let file = BufReader::new(File::open(path)?);
        Ok(match format {
            Format::TarZst => Self::Frames(Box::new(Frames::new(file)?)),
            _ => Self::Plain(file),
        })
    }

    /// Reads what follows the tar in its frames, so that the last checksum is compared, too.
    fn finish(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(_) => Ok(()),
            Self::Frames(frames) => io::copy(frames, &mut io::sink()).map(drop),
        }
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.read(buffer),
            Self::Frames(frames) => frames.read(buffer),
        }
    }
}

fn list_tar(path: &Path, format: Format) -> io::Result<Vec<Input>> {
    let mut archive = tar::Archive::new(Stream::open(path, format)?);
    let mut found = Vec::new();
    for (member, entry) in (0..).zip(archive.entries()?) {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let name = entry.path_bytes().into_owned();
        let mut start = Vec::with_capacity(4);
        (&mut entry).take(4).read_to_end(&mut start)?;
        found.extend(of_member(path, member, &name, &start));
    }
    archive.into_inner().finish()?;
    Ok(found)
}

/// The contents of some members of a tar, in order.
pub(crate) struct TarReader {
    receiver: Receiver<Result<Vec<u8>, Failure>>,
    /// The last failure: after one of the stream, all members have it.
    last: Option<Failure>,
}

impl TarReader {
    /// Starts to read the given members, in ascending order, on a thread of its own, which waits while
    /// [`WAITING`] of them are not taken, and ends when this is dropped.
    pub(crate) fn start(path: PathBuf, format: Format, members: Vec<u64>) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(WAITING);
        std::thread::Builder::new()
            .name("trellis-archive".to_owned())
            .spawn(move || {
                let sent = guarded(|| {
                    send_members(&path, format, &members, &sender)
                        .map_err(|error| Failure::new(Kind::Archive, error.to_string()))
                });
                if let Err(failure) = sent {
                    // If nobody waits, nobody has to know.
                    let _ = sender.send(Err(failure));
                }
            })?;
        Ok(Self {
            receiver,
            last: None,
        })
    }

    /// Returns the next member.
    pub(crate) fn next(&mut self) -> Result<Vec<u8>, Failure> {
        let Ok(result) = self.receiver.recv() else {
            let changed = "the archive has changed since it was listed";
            let last = self.last.clone();
            return Err(last.unwrap_or_else(|| Failure::new(Kind::Archive, changed)));
        };
        if let Err(failure) = &result {
            self.last = Some(failure.clone());
        }
        result
    }
}

/// Sends the members until nobody takes them.
fn send_members(
    path: &Path,
    format: Format,
    members: &[u64],
    sender: &SyncSender<Result<Vec<u8>, Failure>>,
) -> io::Result<()> {
    let mut archive = tar::Archive::new(Stream::open(path, format)?);
    let mut wanted = members.iter().copied().peekable();
    for (member, entry) in (0..).zip(archive.entries()?) {
        let mut entry = entry?;
        if wanted.next_if_eq(&member).is_some() {
            let size = entry.size();
            if sender.send(read_member(&mut entry, size)).is_err() {
                break;
            }
        }
        if wanted.peek().is_none() {
            break;
        }
    }
    Ok(())
}
