token stream: fcall: class linkage: Direct3D 12 has no class instances: not supported (byte offset 0x494)
