//! Archives: zip, tar, and tar in Zstandard's frames or compressed by gzip.
//!
//! Members are counted over all that is in an archive. A zip has a list of them, so that each is read when
//! its turn comes. A tar is a stream: it is read once for the list and once, on a separate thread, for
//! the contents, in order. The list is complete before anything is converted, and compares all checksums of
//! frames: an archive that is damaged there is refused as a whole, as its contents are not certain.
//!
//! Nothing is unpacked to files. A member may be as large as a file; its path is used for the name of
//! the output only, and refused if it leads out of the archive.

mod frames;
mod links;
mod repeated;
mod stream;

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use trellis_dxil::frontend::is_dxil;

use super::{ArchiveMember, Input, InputError, NOT_UTF8, is_named_shader};
use crate::failure::{Failure, Kind};
use crate::files::read_member;
use crate::guard::guarded;
use crate::manifest::is_inner_path;
use links::{LONGEST_TARGET, Links, Member, MemberKind, Target};
use stream::{Entry, for_members};

/// How many members of a tar may wait for a thread.
const WAITING: usize = 2;

/// The formats of archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Zip,
    Tar,
    /// In Zstandard's frames.
    TarZst,
    /// Compressed by gzip.
    TarGz,
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
        } else if ends(".tar.gz") || ends(".tgz") {
            Some(Self::TarGz)
        } else {
            None
        }
    }
}

/// Lists the shaders of an archive, in its order; links are next to their targets, as they have the
/// same contents.
pub(super) fn list(path: &Path, format: Format) -> Result<Vec<Input>, InputError> {
    let listed = guarded(|| {
        let mut list = List::new(path);
        let read = match format {
            Format::Zip => list_zip(&mut list),
            format => list_tar(&mut list, format),
        };
        read.map_err(|error| Failure::new(Kind::Archive, error.to_string()))?;
        Ok(list.finish())
    });
    listed.map_err(|failure| InputError::Archive {
        path: path.to_owned(),
        message: failure.message,
    })
}

/// The members found in an archive.
struct List<'a> {
    path: &'a Path,
    found: Vec<Input>,
    /// Everything that a link may lead to, and the links.
    members: Vec<Member>,
}

impl<'a> List<'a> {
    fn new(path: &'a Path) -> Self {
        Self {
            path,
            found: Vec::new(),
            members: Vec::new(),
        }
    }

    /// Adds a file if it is a shader.
    fn add_file(&mut self, place: u64, name: Vec<u8>, start: &[u8]) {
        let input = of_member(self.path, place, &name, is_dxil(start));
        let what = MemberKind::File {
            is_shader: input.is_some(),
            is_dxil: is_dxil(start),
        };
        self.found.extend(input);
        self.members.push(Member { place, name, what });
    }

    fn add_problem(&mut self, place: u64, name: &[u8], kind: Kind, message: &str) {
        // Whatever its name is, as the missing members are unknown.
        let input = of_member(self.path, place, name, true);
        self.found
            .extend(input.map(|input| input.with_problem(kind, message)));
    }

    /// Follows the links.
    fn finish(mut self) -> Vec<Input> {
        let members = std::mem::take(&mut self.members);
        if members.iter().any(Member::is_link) {
            self.add_links(&members);
        }
        // Members of a tar are read in their order.
        self.found.sort_by_key(Input::place);
        self.found
    }

    fn add_links(&mut self, members: &[Member]) {
        let links = Links::new(members);
        for (index, link) in members.iter().enumerate() {
            if !link.is_link() {
                continue;
            }
            match links.follow(index) {
                Target::File(file) => {
                    let Member { place, what, .. } = &members[file];
                    let is_dxil = matches!(what, MemberKind::File { is_dxil, .. } if *is_dxil);
                    let input = of_member(self.path, *place, &link.name, is_dxil);
                    self.found.extend(input);
                }
                Target::Nothing => {}
                Target::Problem(why) => {
                    self.add_problem(link.place, &link.name, Kind::Link, why);
                }
            }
        }
    }
}

/// Returns an input for a member if it is a shader.
fn of_member(path: &Path, member: u64, name: &[u8], is_dxil: bool) -> Option<Input> {
    let text = String::from_utf8_lossy(name);
    if !is_dxil && !is_named_shader(Path::new(&*text)) {
        return None;
    }
    // Archives of some programs have the separators of their system, or begin with the folder itself.
    let inner = text.replace('\\', "/");
    let inner = inner.strip_prefix("./").unwrap_or(&inner);
    let input = Input {
        member: Some(ArchiveMember {
            place: member,
            path: inner.to_owned(),
        }),
        ..Input::file(path, inner)
    };
    Some(if std::str::from_utf8(name).is_err() {
        input.with_problem(Kind::Name, NOT_UTF8)
    } else if !is_inner_path(inner) {
        input.with_problem(Kind::Name, "the name leads out of the archive")
    } else {
        input
    })
}

fn list_zip(list: &mut List<'_>) -> io::Result<()> {
    let mut zip = open_zip(list.path)?;
    for index in 0..zip.len() {
        let name = zip.name_for_index(index).and_then(Result::ok);
        let name = name.map(|name| name.into_owned().into_bytes());
        let place = index as u64;
        let mut file = match zip.by_index(index) {
            Ok(file) => file,
            Err(error) => {
                let name = name.unwrap_or_default();
                if is_named_shader(Path::new(&*String::from_utf8_lossy(&name))) {
                    list.add_problem(place, &name, Kind::Archive, &error.to_string());
                }
                continue;
            }
        };
        let name = name.unwrap_or_else(|| file.name_raw().to_vec());
        if file.is_file() {
            let mut start = Vec::with_capacity(4);
            // A member that cannot be unpacked fails when it is read, if it is a shader by its
            // name.
            let _ = (&mut file).take(4).read_to_end(&mut start);
            list.add_file(place, name, &start);
        } else if file.is_symlink() {
            let mut target = Vec::new();
            let read = file.take(LONGEST_TARGET).read_to_end(&mut target);
            match read {
                Ok(_) => list.members.push(Member {
                    place,
                    name,
                    what: MemberKind::SymbolicLink(target),
                }),
                Err(error) => {
                    let why = format!("cannot read where the link leads to: {error}");
                    list.add_problem(place, &name, Kind::Archive, &why);
                }
            }
        } else {
            let what = MemberKind::Folder;
            list.members.push(Member { place, name, what });
        }
    }
    if zip.has_duplicate_names() {
        add_repeated(list, &mut zip)?;
    }
    Ok(())
}

/// Adds the members that have the name of a later one: the library does not give access to them.
/// Their kinds are not known, so the last one's is used.
fn add_repeated(list: &mut List<'_>, zip: &mut Zip) -> io::Result<()> {
    let start = zip.central_directory_start();
    let file = BufReader::new(File::open(list.path)?);
    let found = list.found.len();
    for (name, more) in repeated::names(file, start)? {
        let Some(index) = zip.index_for_name_raw(&name) else {
            continue;
        };
        let place = index as u64;
        let known = list.found[..found].binary_search_by_key(&Some(place), Input::place);
        let Ok(known) = known else {
            continue;
        };
        let why = "the zip has several members of this name, of which only the last one is read";
        let input = list.found[known].clone().with_problem(Kind::Name, why);
        list.found.extend((0..more).map(|_| input.clone()));
    }
    Ok(())
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

/// Reads one member of an archive.
pub(super) fn read(path: &Path, member: u64) -> Result<Vec<u8>, Failure> {
    let cannot =
        |error: io::Error| Failure::new(Kind::Archive, format!("cannot read the archive: {error}"));
    match Format::of_path(path) {
        Some(format) if format != Format::Zip => {
            TarReader::start(path.to_owned(), format, vec![member])
                .map_err(cannot)?
                .next()
        }
        _ => guarded(|| read_zip(&mut open_zip(path).map_err(cannot)?, member)),
    }
}

fn list_tar(list: &mut List<'_>, format: Format) -> io::Result<()> {
    for_members(list.path, format, |place, entry| {
        add_entry(list, place, entry).map(ControlFlow::Continue)
    })
}

fn add_entry(list: &mut List<'_>, place: u64, entry: &mut Entry<'_>) -> io::Result<()> {
    let kind = entry.header().entry_type();
    let name = entry.path_bytes().into_owned();
    let target = |entry: &Entry<'_>| {
        let target = entry.link_name_bytes().unwrap_or_default();
        target[..target.len().min(LONGEST_TARGET as usize)].to_vec()
    };
    let what = match kind {
        kind if kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse() => {
            let mut start = Vec::with_capacity(4);
            entry.take(4).read_to_end(&mut start)?;
            list.add_file(place, name, &start);
            return Ok(());
        }
        tar::EntryType::Link => MemberKind::HardLink(target(entry)),
        tar::EntryType::Symlink => MemberKind::SymbolicLink(target(entry)),
        tar::EntryType::Directory => MemberKind::Folder,
        // Devices and pipes have no contents.
        _ => return Ok(()),
    };
    list.members.push(Member { place, name, what });
    Ok(())
}

/// The contents of some members of a tar, in order.
pub(crate) struct TarReader {
    receiver: Receiver<Result<Vec<u8>, Failure>>,
    /// The last failure: after one of the stream, all members have it.
    last: Option<Failure>,
}

impl TarReader {
    /// Starts to read the given members, each as often as it is given, on a separate thread, which waits while
    /// [`WAITING`] of them are not taken, and ends when this is dropped. It reads the archive once for each run of
    /// them in ascending order.
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
                    // Without a receiver there is nobody to report to.
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

/// Sends the members until the receiver is gone. Each pass over the archive sends the wanted
/// members that are in its order: an archive that is given twice is read twice.
fn send_members(
    path: &Path,
    format: Format,
    members: &[u64],
    sender: &SyncSender<Result<Vec<u8>, Failure>>,
) -> io::Result<()> {
    let mut wanted = members.iter().copied().peekable();
    let mut is_taken = true;
    let mut before = usize::MAX;
    // A pass that finds nothing is one over an archive that has changed.
    while is_taken && (1..before).contains(&wanted.len()) {
        before = wanted.len();
        for_members(path, format, |member, entry| {
            if wanted.next_if_eq(&member).is_some() {
                let size = entry.size();
                let contents = read_member(entry, size);
                // Links have the contents of their targets.
                while is_taken && wanted.next_if_eq(&member).is_some() {
                    is_taken = sender.send(contents.clone()).is_ok();
                }
                is_taken = is_taken && sender.send(contents).is_ok();
            }
            Ok(match wanted.peek() {
                Some(&next) if is_taken && next > member => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            })
        })?;
    }
    Ok(())
}
