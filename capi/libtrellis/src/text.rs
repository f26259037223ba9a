//! Text that C reads: with a length, and a zero after it.

use std::ffi::c_char;

use trellis_c_support::handle::Object;

/// Text for C.
#[derive(Clone, Debug)]
pub(crate) struct Text(Box<[u8]>);

impl Object for Text {
    const MAGIC: u32 = 0x7E87_0001;
}

impl Text {
    pub(crate) fn new(text: &str) -> Self {
        let mut bytes = Vec::with_capacity(text.len() + 1);
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(0);
        Self(bytes.into_boxed_slice())
    }

    /// Returns where it begins.
    pub(crate) fn as_ptr(&self) -> *const c_char {
        self.0.as_ptr().cast()
    }

    /// Returns its length without the zero.
    pub(crate) fn len(&self) -> usize {
        self.0.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn a_zero_follows() {
        let text = Text::new("a\0b");
        assert_eq!(text.len(), 3);
        assert_eq!(&*text.0, b"a\0b\0");
        assert_eq!(Text::new("").len(), 0);
    }
}
