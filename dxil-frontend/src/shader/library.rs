//! Entry points of libraries (`lib_6_x`): the shaders among them, and their names for callers.
//!
//! A library's metadata lists one entry without function, which holds the flags of the whole
//! library, and one entry per shader under its mangled name (`\01?hit@@YAXUPayload@@@Z`). A state
//! object of Direct3D takes mangled names and, where only one function has it, the name in the
//! source.

use super::{EntryPoint, Shader, ShaderKind};

/// Returns the source's name in a mangled one: `hit` of `\01?hit@@YAXUPayload@@@Z`; any other name
/// as it is.
pub fn source_name(name: &str) -> &str {
    match readable(name).strip_prefix('?') {
        Some(rest) => rest
            .split('@')
            .next()
            .filter(|name| !name.is_empty())
            .unwrap_or(rest),
        None => readable(name),
    }
}

/// Returns a name without LLVM's mark that it is not to be mangled again.
pub(crate) fn readable(name: &str) -> &str {
    name.strip_prefix('\u{1}').unwrap_or(name)
}

/// Returns whether a function has a name: mangled, or that in the source.
pub(crate) fn is_named(function: &str, name: &str) -> bool {
    readable(function) == readable(name) || source_name(function) == name
}

impl Shader {
    /// Returns the entry points that are shaders.
    pub fn shaders(&self) -> impl Iterator<Item = &EntryPoint> {
        self.entry_points
            .iter()
            .filter(|e| e.kind != ShaderKind::Library)
    }

    /// Returns the exported name of an entry point: the source's name if no other shader has the
    /// same, else the mangled one.
    pub fn export_name<'a>(&self, entry: &'a EntryPoint) -> &'a str {
        let short = source_name(&entry.name);
        if self
            .shaders()
            .filter(|e| source_name(&e.name) == short)
            .count()
            > 1
        {
            readable(&entry.name)
        } else {
            short
        }
    }

    /// Returns the shaders with their names, each as [`Shader::export_name`] has it.
    pub fn exports(&self) -> Vec<(&EntryPoint, &str)> {
        let mut sorted: Vec<&str> = self.shaders().map(|e| source_name(&e.name)).collect();
        sorted.sort_unstable();
        let several = |name: &str| {
            let first = sorted.partition_point(|other| *other < name);
            sorted.get(first + 1).is_some_and(|next| *next == name)
        };
        let name = |e| {
            if several(source_name(e)) {
                readable(e)
            } else {
                source_name(e)
            }
        };
        self.shaders().map(|e| (e, name(&e.name))).collect()
    }

    /// Returns the shader with a name, as in [`Shader::export_name`] or mangled.
    pub fn shader_named(&self, name: &str) -> Option<&EntryPoint> {
        if let Some(entry) = self.shaders().find(|e| readable(&e.name) == readable(name)) {
            return Some(entry);
        }
        let mut short = self.shaders().filter(|e| source_name(&e.name) == name);
        short.next().filter(|_| short.next().is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::source_name;
    use crate::shader::{EntryPoint, Properties, Shader, ShaderKind, Signatures, Version};

    fn library(names: &[(&str, ShaderKind)]) -> Shader {
        let entry = |&(name, kind): &(&str, ShaderKind)| EntryPoint {
            function: None,
            name: name.into(),
            kind,
            signatures: Signatures::default(),
            properties: Properties::default(),
        };
        Shader {
            kind: ShaderKind::Library,
            model: Version::default(),
            dxil_version: Version::default(),
            validator_version: Version::default(),
            entry_points: names.iter().map(entry).collect(),
            resources: Vec::new(),
            native_low_precision: false,
            denorm_mode: 0,
            feature_flags: 0,
        }
    }

    #[test]
    fn mangled_names() {
        assert_eq!(source_name("\u{1}?hit@@YAXUPayload@@@Z"), "hit");
        assert_eq!(source_name("?hit@scene@@YAXXZ"), "hit");
        assert_eq!(source_name("main"), "main");
        assert_eq!(source_name("?"), "");
        assert_eq!(source_name("?@"), "@");
    }

    #[test]
    fn names_of_callers() {
        let shader = library(&[
            ("", ShaderKind::Library),
            ("\u{1}?hit@@YAXUA@@@Z", ShaderKind::ClosestHit),
            ("\u{1}?hit@@YAXUB@@@Z", ShaderKind::AnyHit),
            ("\u{1}?miss@@YAXUA@@@Z", ShaderKind::Miss),
        ]);
        let names: Vec<&str> = shader.exports().into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["?hit@@YAXUA@@@Z", "?hit@@YAXUB@@@Z", "miss"]);
        assert!(
            shader
                .exports()
                .into_iter()
                .all(|(entry, name)| shader.export_name(entry) == name)
        );
        let kind = |name: &str| shader.shader_named(name).map(|e| e.kind);
        assert_eq!(kind("miss"), Some(ShaderKind::Miss));
        assert_eq!(kind("?miss@@YAXUA@@@Z"), Some(ShaderKind::Miss));
        assert_eq!(kind("\u{1}?hit@@YAXUB@@@Z"), Some(ShaderKind::AnyHit));
        assert_eq!(kind("hit"), None, "two have that name");
        assert_eq!(
            kind(""),
            None,
            "the entry of the whole library is not a shader"
        );
    }
}
