//! Local root signatures: the contents of a shader's record in the shader table.

use crate::abi::{Class, class};
use crate::failure::{Failure, Result};

/// A parameter, in the order of the record.
#[derive(Clone, Debug)]
enum Parameter {
    Constants {
        space: u32,
        register: u32,
        words: u32,
    },
    Descriptor {
        class: Class,
        space: u32,
        register: u32,
    },
    Table(Vec<TableEntry>),
}

/// A range of a descriptor table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableEntry {
    pub(crate) class: Class,
    pub(crate) space: u32,
    pub(crate) register: u32,
    /// Number of descriptors; `u32::MAX` without end.
    pub(crate) count: u32,
    /// Index of the first descriptor, from where the table begins.
    pub(crate) heap_offset: u32,
}

/// Where the local root signature has a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LocalPlace {
    /// Constants, at a byte offset in the record.
    Constants { offset: u32, words: u32 },
    /// The address of a buffer, at a byte offset in the record.
    Descriptor { offset: u32 },
    /// A descriptor of a table whose address is at a byte offset in the record.
    Table {
        offset: u32,
        /// Index in the table.
        index: u32,
    },
}

/// A local root signature in the making.
#[derive(Clone, Debug, Default)]
pub(crate) struct LocalRoot {
    parameters: Vec<Parameter>,
    /// The table that is open.
    table: Option<Vec<TableEntry>>,
}

/// Size and alignment of the address of a descriptor or a table.
const ADDRESS: u64 = 8;

impl LocalRoot {
    pub(crate) fn constants(&mut self, space: u32, register: u32, words: u32) {
        self.parameters.push(Parameter::Constants {
            space,
            register,
            words,
        });
    }

    pub(crate) fn descriptor(&mut self, class: Class, space: u32, register: u32) -> Result<()> {
        if class > class::CBV {
            return Err(Failure::argument(format!(
                "resource class {class} of a root descriptor"
            )));
        }
        self.parameters.push(Parameter::Descriptor {
            class,
            space,
            register,
        });
        Ok(())
    }

    pub(crate) fn table(&mut self, entry: TableEntry) -> Result<()> {
        if entry.class > class::SAMPLER {
            return Err(Failure::argument(format!(
                "resource class {} of a descriptor table",
                entry.class
            )));
        }
        match &mut self.table {
            Some(table) => table.push(entry),
            None => self.parameters.push(Parameter::Table(vec![entry])),
        }
        Ok(())
    }

    pub(crate) fn begin_table(&mut self) -> Result<()> {
        if self.table.is_some() {
            return Err(Failure::argument("a descriptor table is open already"));
        }
        self.table = Some(Vec::new());
        Ok(())
    }

    pub(crate) fn end_table(&mut self) -> Result<()> {
        match self.table.take_if(|table| !table.is_empty()) {
            Some(table) => self.parameters.push(Parameter::Table(table)),
            None => {
                return Err(Failure::argument("no descriptor table with ranges is open"));
            }
        }
        Ok(())
    }

    /// Returns where a register is, if the local root signature has it.
    pub(crate) fn find(&self, class: Class, space: u32, register: u32) -> Option<LocalPlace> {
        let mut end = 0u64;
        for parameter in &self.parameters {
            let aligned = end.next_multiple_of(ADDRESS);
            let (at, size) = match parameter {
                Parameter::Constants { words, .. } => (end, u64::from(*words) * 4),
                _ => (aligned, ADDRESS),
            };
            end = at + size;
            let offset = u32::try_from(at).ok()?;
            match parameter {
                Parameter::Constants {
                    space: s,
                    register: r,
                    words,
                } => {
                    if class == class::CBV && (*s, *r) == (space, register) {
                        let words = *words;
                        return Some(LocalPlace::Constants { offset, words });
                    }
                }
                Parameter::Descriptor {
                    class: c,
                    space: s,
                    register: r,
                } => {
                    if (*c, *s, *r) == (class, space, register) {
                        return Some(LocalPlace::Descriptor { offset });
                    }
                }
                Parameter::Table(entries) => {
                    let entry = entries.iter().find(|e| {
                        let within = register.checked_sub(e.register);
                        (e.class, e.space) == (class, space) && within.is_some_and(|n| n < e.count)
                    });
                    if let Some(e) = entry {
                        let index = e.heap_offset.wrapping_add(register - e.register);
                        return Some(LocalPlace::Table { offset, index });
                    }
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{LocalPlace, LocalRoot, TableEntry};
    use crate::abi::class;

    #[test]
    fn parameters_are_laid_out_in_order() {
        let entry = TableEntry {
            class: class::UAV,
            space: 15,
            register: 3,
            count: u32::MAX,
            heap_offset: 11,
        };
        let mut root = LocalRoot::default();
        root.constants(15, 0, 5);
        root.descriptor(class::SRV, 15, 1).unwrap();
        root.constants(15, 1, 1);
        root.begin_table().unwrap();
        assert!(root.begin_table().is_err());
        assert!(root.end_table().is_err(), "it is empty");
        root.table(entry).unwrap();
        root.end_table().unwrap();
        root.table(TableEntry {
            class: class::SAMPLER,
            count: 1,
            ..entry
        })
        .unwrap();
        assert!(root.end_table().is_err(), "none is open");
        assert!(root.descriptor(class::SAMPLER, 0, 0).is_err());

        let find = |class, register| root.find(class, 15, register);
        assert_eq!(
            find(class::CBV, 0),
            Some(LocalPlace::Constants {
                offset: 0,
                words: 5
            })
        );
        assert_eq!(
            find(class::SRV, 1),
            Some(LocalPlace::Descriptor { offset: 24 })
        );
        assert_eq!(
            find(class::CBV, 1),
            Some(LocalPlace::Constants {
                offset: 32,
                words: 1
            })
        );
        let (offset, index) = (40, 11 + 7);
        assert_eq!(
            find(class::UAV, 10),
            Some(LocalPlace::Table { offset, index })
        );
        let (offset, index) = (48, 11);
        assert_eq!(
            find(class::SAMPLER, 3),
            Some(LocalPlace::Table { offset, index })
        );
        assert_eq!(find(class::SAMPLER, 4), None);
        assert_eq!(find(class::UAV, 2), None);
        assert_eq!(root.find(class::CBV, 14, 0), None);
    }
}
