//! Writes small bitstreams for tests: unabbreviated records, blocks with their lengths.

/// A bitstream under construction.
pub(crate) struct Writer {
    bits: Vec<bool>,
    /// Abbreviation width of each open block, and the bit where its length field is.
    open: Vec<(u32, usize)>,
}

impl Writer {
    /// Starts with the magic number.
    pub(crate) fn new() -> Self {
        let mut writer = Self {
            bits: Vec::new(),
            open: Vec::new(),
        };
        writer.fixed(0xdec0_4342, 32);
        writer
    }
    pub(crate) fn fixed(&mut self, value: u64, width: u32) -> &mut Self {
        self.bits
            .extend((0..width).map(|bit| value >> bit & 1 != 0));
        self
    }
    pub(crate) fn vbr(&mut self, mut value: u64, width: u32) -> &mut Self {
        let more = 1 << (width - 1);
        while value >= more {
            self.fixed(value & (more - 1) | more, width);
            value >>= width - 1;
        }
        self.fixed(value, width)
    }
    /// Writes an abbreviation id in the width of the current block.
    pub(crate) fn id(&mut self, id: u64) -> &mut Self {
        let width = self.open.last().map_or(2, |(width, _)| *width);
        self.fixed(id, width)
    }
    pub(crate) fn align(&mut self) -> &mut Self {
        self.bits
            .resize(self.bits.len().next_multiple_of(32), false);
        self
    }
    /// Begins a block.
    pub(crate) fn begin(&mut self, block: u64, width: u32) -> &mut Self {
        self.id(1).vbr(block, 8).vbr(u64::from(width), 4).align();
        let length_at = self.bits.len();
        self.fixed(0, 32);
        self.open.push((width, length_at));
        self
    }
    /// Ends the current block.
    pub(crate) fn end(&mut self) -> &mut Self {
        self.id(0).align();
        let (_, length_at) = self.open.pop().expect("an open block");
        let words = (self.bits.len() - length_at - 32) / 32;
        for bit in 0..32 {
            self.bits[length_at + bit] = words >> bit & 1 != 0;
        }
        self
    }
    /// Returns a record without abbreviation.
    pub(crate) fn record(&mut self, code: u64, fields: &[u64]) -> &mut Self {
        self.id(3).vbr(code, 6).vbr(fields.len() as u64, 6);
        for &field in fields {
            self.vbr(field, 6);
        }
        self
    }
    /// Returns the bytes; open blocks keep a length of 0.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let byte = |bits: &[bool]| {
            bits.iter()
                .enumerate()
                .fold(0_u8, |byte, (i, &bit)| byte | u8::from(bit) << i)
        };
        self.bits.chunks(8).map(byte).collect()
    }
}
