token stream: fcall: class linkage, which D3D12 does not have: not supported (byte offset 0x494)
