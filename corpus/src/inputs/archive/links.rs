//! Links in archives, followed by name.
//!
//! A hard link names a member before it, a symbolic link any member, seen from its own folder. Both
//! have the contents of their targets. Names are taken as they are written: a link is not looked
//! for below another link to a folder, and nothing outside the archive is looked at.
//!
//! The cost is sorting the names, and [`LONGEST_CHAIN`] lookups per link.

use std::collections::BTreeMap;

/// How many links one may lead over.
const LONGEST_CHAIN: usize = 40;

/// The longest path that a link leads to: the limit of most systems.
pub(super) const LONGEST_TARGET: u64 = 4096;

/// One of all members of an archive, in its order.
pub(super) struct Member {
    /// Its place in the archive.
    pub(super) place: u64,
    pub(super) name: Vec<u8>,
    pub(super) what: MemberKind,
}

impl Member {
    pub(super) fn is_link(&self) -> bool {
        matches!(
            self.what,
            MemberKind::HardLink(_) | MemberKind::SymbolicLink(_)
        )
    }
}

/// The kind of a member.
pub(super) enum MemberKind {
    /// `is_shader`: by its name or its first bytes; `is_dxil`: by its first bytes.
    File {
        is_shader: bool,
        is_dxil: bool,
    },
    Folder,
    /// A second name of the member with this one.
    HardLink(Vec<u8>),
    SymbolicLink(Vec<u8>),
}

/// The target of a link.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The file with this index.
    File(usize),
    /// A folder without shaders, so nothing is converted.
    Nothing,
    /// Nothing that can be converted, for this reason.
    Problem(&'static str),
}

/// All members of an archive by their names.
pub(super) struct Links<'a> {
    members: &'a [Member],
    /// The members of each name, in order.
    by_name: BTreeMap<Vec<u8>, Vec<usize>>,
    /// The names of shaders.
    shaders: Vec<Vec<u8>>,
}

impl<'a> Links<'a> {
    pub(super) fn new(members: &'a [Member]) -> Self {
        let mut by_name: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
        let mut shaders = Vec::new();
        for (index, member) in members.iter().enumerate() {
            let Some(name) = resolved(b"", &member.name) else {
                continue;
            };
            if matches!(member.what, MemberKind::File { is_shader, .. } if is_shader) {
                shaders.push(name.clone());
            }
            by_name.entry(name).or_default().push(index);
        }
        shaders.sort_unstable();
        Self {
            members,
            by_name,
            shaders,
        }
    }

    /// Returns the target of the member with this index.
    pub(super) fn follow(&self, link: usize) -> Target {
        let mut at = link;
        for _ in 0..=LONGEST_CHAIN {
            let Some(member) = self.members.get(at) else {
                return NOWHERE;
            };
            let (name, end) = match &member.what {
                MemberKind::File { .. } => return Target::File(at),
                MemberKind::Folder => return self.folder(&member.name, true),
                // A later member of the name is another file.
                MemberKind::HardLink(target) => (resolved(b"", target), at),
                MemberKind::SymbolicLink(target) if target.starts_with(b"/") => return OUT,
                MemberKind::SymbolicLink(target) => {
                    let folder = member.name.iter().rposition(|&b| is_separator(b));
                    let folder = &member.name[..folder.unwrap_or(0)];
                    (resolved(folder, target), usize::MAX)
                }
            };
            let Some(name) = name else {
                return OUT;
            };
            let named = self.by_name.get(&name).map_or(&[][..], Vec::as_slice);
            // Unpacking the archive leaves the last one.
            match named[..named.partition_point(|&index| index < end)].last() {
                Some(&next) => at = next,
                None => return self.folder(&name, false),
            }
        }
        Target::Problem("the link leads to itself, or over too many links")
    }

    /// Returns the target of a link to a folder, which `exists` or has a member.
    fn folder(&self, name: &[u8], exists: bool) -> Target {
        let Some(mut start) = resolved(b"", name) else {
            return OUT;
        };
        if !start.is_empty() {
            start.push(b'/');
        }
        let below = |name: Option<&Vec<u8>>| name.is_some_and(|name| name.starts_with(&start));
        let first = self.shaders.partition_point(|name| *name < start);
        if below(self.shaders.get(first)) {
            let why = "the link leads to a folder, which is not followed in an archive";
            return Target::Problem(why);
        }
        let mut rest = self.by_name.range(start.clone()..);
        match exists || below(rest.next().map(|(name, _)| name)) {
            true => Target::Nothing,
            false => NOWHERE,
        }
    }
}

const NOWHERE: Target = Target::Problem("the link leads to nothing that is in the archive");
const OUT: Target = Target::Problem("the link leads out of the archive");

fn is_separator(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\')
}

/// Returns a path in a folder of the archive without `.` and `..`; `None` if it leads out of the archive.
fn resolved(folder: &[u8], path: &[u8]) -> Option<Vec<u8>> {
    let mut parts = Vec::new();
    for part in [folder, path]
        .into_iter()
        .flat_map(|path| path.split(|&b| is_separator(b)))
    {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join(&b'/'))
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_CHAIN, Links, Member, MemberKind, NOWHERE, OUT, Target};

    fn file(name: &str) -> Member {
        let is_shader = name.ends_with(".dxil");
        member(
            name,
            MemberKind::File {
                is_shader,
                is_dxil: false,
            },
        )
    }

    fn hard(name: &str, target: &str) -> Member {
        member(name, MemberKind::HardLink(target.into()))
    }

    fn symbolic(name: &str, target: &str) -> Member {
        member(name, MemberKind::SymbolicLink(target.into()))
    }

    fn member(name: &str, what: MemberKind) -> Member {
        Member {
            place: 0,
            name: name.into(),
            what,
        }
    }

    fn followed(members: &[Member]) -> Vec<Target> {
        let links = Links::new(members);
        (0..members.len())
            .map(|index| links.follow(index))
            .collect()
    }

    #[test]
    fn links_lead_to_members() {
        let members = [
            file("./a/x.dxil"),
            hard("a/y.dxil", "a/x.dxil"),
            symbolic("b/z.dxil", "../a/./y.dxil"),
            symbolic("b/later", "w.dxil"),
            file("b/w.dxil"),
            file("a/x.dxil"),
            hard("c", "./a/x.dxil"),
        ];
        let files = [0, 0, 0, 4, 4, 5, 5].map(Target::File);
        assert_eq!(followed(&members), files);
    }

    #[test]
    fn links_that_lead_to_no_file_have_a_reason() {
        let members = [
            symbolic("a.dxil", "../a.dxil"),
            symbolic("b.dxil", "/a.dxil"),
            symbolic("c.dxil", "gone"),
            hard("d.dxil", "later.dxil"),
            file("later.dxil"),
            hard("e.dxil", "e.dxil"),
        ];
        let found = followed(&members);
        let file = Target::File(4);
        assert_eq!(found, [OUT, OUT, NOWHERE, NOWHERE, file, NOWHERE]);
    }

    #[test]
    fn loops_end() {
        let mut members = vec![
            symbolic("a", "b"),
            symbolic("b", "a"),
            symbolic("c", "c"),
            file("0"),
        ];
        for index in 0..=LONGEST_CHAIN {
            members.push(symbolic(&(index + 1).to_string(), &index.to_string()));
        }
        let found = followed(&members);
        let is_problem =
            |target: &Target| matches!(target, Target::Problem(why) if why.contains("itself"));
        assert!(found[..3].iter().all(is_problem));
        assert_eq!(found[3 + LONGEST_CHAIN], Target::File(3));
        assert!(is_problem(&found[4 + LONGEST_CHAIN]));
    }

    #[test]
    fn folders_are_named_if_there_are_shaders_in_them() {
        let members = [
            symbolic("a", "shaders/new"),
            symbolic("b", "texts"),
            symbolic("c/all", ".."),
            symbolic("d", "empty"),
            file("shaders/new/x.dxil"),
            file("texts/x.txt"),
            member("empty/", MemberKind::Folder),
        ];
        let found = followed(&members);
        let is_problem =
            |target: &Target| matches!(target, Target::Problem(why) if why.contains("a folder"));
        assert!(is_problem(&found[0]) && is_problem(&found[2]));
        assert_eq!((&found[1], &found[3]), (&Target::Nothing, &Target::Nothing));
    }
}
