//! Numbers. They are types and constants, not enumerations: C may pass any number.

/// Version of this interface: the number of the header and of the library that it is of. It increases
/// when something is added.
pub const TRELLIS_API_VERSION: u32 = 1;

/// Major version of the library, which `trellis_version` has, too.
pub const TRELLIS_VERSION_MAJOR: u32 = 0;
/// Minor version.
pub const TRELLIS_VERSION_MINOR: u32 = 1;
/// Patch version.
pub const TRELLIS_VERSION_PATCH: u32 = 0;

/// Result of a call. Later versions may have more.
pub type Status = i32;

/// Success.
pub const TRELLIS_OK: Status = 0;
/// An argument is null, or out of range, or a number that is not defined.
pub const TRELLIS_INVALID_ARGUMENT: Status = 1;
/// A handle is null, was freed, or is of another kind of object.
pub const TRELLIS_INVALID_HANDLE: Status = 2;
/// The object is in use by another call: of another thread, or the call that made a callback.
pub const TRELLIS_BUSY: Status = 3;
/// An option that is not known, or a value that it cannot have.
pub const TRELLIS_INVALID_OPTION: Status = 4;
/// The bytes cannot be read: they are not a shader, or damaged.
pub const TRELLIS_UNREADABLE: Status = 5;
/// The shader has no such entry point, or several and none was chosen.
pub const TRELLIS_NO_ENTRY: Status = 6;
/// The shader uses something that is not translated.
pub const TRELLIS_UNSUPPORTED: Status = 7;
/// The shader breaks a rule of DXIL.
pub const TRELLIS_INVALID_SHADER: Status = 8;
/// A resource has no place, or one that it cannot have.
pub const TRELLIS_NO_BINDING: Status = 9;
/// An input or output has no place, or one that it cannot have.
pub const TRELLIS_NO_STAGE_IO: Status = 10;
/// There is no root signature, or it has no layout.
pub const TRELLIS_NO_ROOT_SIGNATURE: Status = 11;
/// A bug in Trellis: please report it.
pub const TRELLIS_INTERNAL: Status = 12;
/// An option requires a feature that this build of the library does not have.
pub const TRELLIS_UNAVAILABLE: Status = 13;

/// 0 is false and 1 is true; other numbers are errors.
pub type Bool = u32;

/// Result of a callback; other numbers are errors.
pub type Answer = u32;

/// The callback has no answer: there is no place.
pub const TRELLIS_REFUSED: Answer = 0;
/// The callback wrote its answer.
pub const TRELLIS_ANSWERED: Answer = 1;

/// A stage. The numbers are D3D's.
pub type Stage = u32;

/// Pixel shader.
pub const TRELLIS_STAGE_PIXEL: Stage = 0;
/// Vertex shader.
pub const TRELLIS_STAGE_VERTEX: Stage = 1;
/// Geometry shader.
pub const TRELLIS_STAGE_GEOMETRY: Stage = 2;
/// Hull shader.
pub const TRELLIS_STAGE_HULL: Stage = 3;
/// Domain shader.
pub const TRELLIS_STAGE_DOMAIN: Stage = 4;
/// Compute shader.
pub const TRELLIS_STAGE_COMPUTE: Stage = 5;
/// Ray generation shader.
pub const TRELLIS_STAGE_RAY_GENERATION: Stage = 7;
/// Intersection shader.
pub const TRELLIS_STAGE_INTERSECTION: Stage = 8;
/// Any-hit shader.
pub const TRELLIS_STAGE_ANY_HIT: Stage = 9;
/// Closest-hit shader.
pub const TRELLIS_STAGE_CLOSEST_HIT: Stage = 10;
/// Miss shader.
pub const TRELLIS_STAGE_MISS: Stage = 11;
/// Callable shader.
pub const TRELLIS_STAGE_CALLABLE: Stage = 12;
/// Mesh shader.
pub const TRELLIS_STAGE_MESH: Stage = 13;
/// Amplification shader.
pub const TRELLIS_STAGE_AMPLIFICATION: Stage = 14;
/// Node of a work graph, which is not translated.
pub const TRELLIS_STAGE_NODE: Stage = 15;

/// Class of a resource: the letter of its register.
pub type Class = u32;

/// A shader resource view (`t`).
pub const TRELLIS_CLASS_SRV: Class = 0;
/// An unordered access view (`u`).
pub const TRELLIS_CLASS_UAV: Class = 1;
/// A constant buffer (`b`).
pub const TRELLIS_CLASS_CBV: Class = 2;
/// A sampler (`s`).
pub const TRELLIS_CLASS_SAMPLER: Class = 3;

/// Shape of a resource. Later versions may have more.
pub type Kind = u32;

/// 1D texture.
pub const TRELLIS_KIND_TEXTURE_1D: Kind = 1;
/// 2D texture.
pub const TRELLIS_KIND_TEXTURE_2D: Kind = 2;
/// 2D texture with several samples.
pub const TRELLIS_KIND_TEXTURE_2DMS: Kind = 3;
/// 3D texture.
pub const TRELLIS_KIND_TEXTURE_3D: Kind = 4;
/// Cube texture.
pub const TRELLIS_KIND_TEXTURE_CUBE: Kind = 5;
/// Array of 1D textures.
pub const TRELLIS_KIND_TEXTURE_1D_ARRAY: Kind = 6;
/// Array of 2D textures.
pub const TRELLIS_KIND_TEXTURE_2D_ARRAY: Kind = 7;
/// Array of 2D textures with several samples.
pub const TRELLIS_KIND_TEXTURE_2DMS_ARRAY: Kind = 8;
/// Array of cube textures.
pub const TRELLIS_KIND_TEXTURE_CUBE_ARRAY: Kind = 9;
/// Typed buffer.
pub const TRELLIS_KIND_TYPED_BUFFER: Kind = 10;
/// Raw buffer (`ByteAddressBuffer`).
pub const TRELLIS_KIND_RAW_BUFFER: Kind = 11;
/// Structured buffer.
pub const TRELLIS_KIND_STRUCTURED_BUFFER: Kind = 12;
/// Constant buffer.
pub const TRELLIS_KIND_CONSTANT_BUFFER: Kind = 13;
/// Sampler.
pub const TRELLIS_KIND_SAMPLER: Kind = 14;
/// Texture buffer (`tbuffer`).
pub const TRELLIS_KIND_TEXTURE_BUFFER: Kind = 15;
/// Acceleration structure.
pub const TRELLIS_KIND_ACCELERATION_STRUCTURE: Kind = 16;
/// Sampler feedback: a storage image of 64-bit texels.
pub const TRELLIS_KIND_FEEDBACK_TEXTURE_2D: Kind = 17;
/// Array of sampler feedback.
pub const TRELLIS_KIND_FEEDBACK_TEXTURE_2D_ARRAY: Kind = 18;

/// Kind of descriptor.
pub type Descriptor = u32;

/// The natural one of the resource.
pub const TRELLIS_DESCRIPTOR_NATURAL: Descriptor = 0;
/// Uniform buffer.
pub const TRELLIS_DESCRIPTOR_UNIFORM_BUFFER: Descriptor = 1;
/// Storage buffer.
pub const TRELLIS_DESCRIPTOR_STORAGE_BUFFER: Descriptor = 2;
/// Uniform texel buffer.
pub const TRELLIS_DESCRIPTOR_UNIFORM_TEXEL_BUFFER: Descriptor = 3;
/// Storage texel buffer.
pub const TRELLIS_DESCRIPTOR_STORAGE_TEXEL_BUFFER: Descriptor = 4;
/// Sampled image.
pub const TRELLIS_DESCRIPTOR_SAMPLED_IMAGE: Descriptor = 5;
/// Storage image.
pub const TRELLIS_DESCRIPTOR_STORAGE_IMAGE: Descriptor = 6;
/// Sampler.
pub const TRELLIS_DESCRIPTOR_SAMPLER: Descriptor = 7;
/// Acceleration structure.
pub const TRELLIS_DESCRIPTOR_ACCELERATION_STRUCTURE: Descriptor = 8;
/// A storage buffer of 64-bit device addresses in the place of an array of descriptors
/// (`interface.address_layout`).
pub const TRELLIS_DESCRIPTOR_DEVICE_ADDRESS: Descriptor = 9;

/// Which fields of a `trellis_place` have a meaning; the others are ignored.
pub type PlaceKind = u32;

/// Nowhere: a UAV whose counter has no place.
pub const TRELLIS_PLACE_NONE: PlaceKind = 0;
/// A descriptor, or an array for a range of several registers: `set`, `binding`, `descriptor`.
pub const TRELLIS_PLACE_DESCRIPTOR: PlaceKind = 1;
/// An element of an array with the descriptors of a heap: `set`, `binding`, `descriptor`; `offset` is
/// the index of the first register, to which root constant `root_constant` is added if
/// `has_root_constant`.
pub const TRELLIS_PLACE_HEAP: PlaceKind = 2;
/// Root constants, from number `offset` on.
pub const TRELLIS_PLACE_ROOT_CONSTANTS: PlaceKind = 3;
/// A device address: root descriptor number `offset` (`interface.root_descriptors`).
pub const TRELLIS_PLACE_DEVICE_ADDRESS: PlaceKind = 4;
/// Constants in the shader record, `offset` bytes after the identifier; `words` of them, or the
/// number that the shader declares if 0.
pub const TRELLIS_PLACE_SHADER_RECORD: PlaceKind = 5;
/// A device address in the shader record, `offset` bytes after the identifier.
pub const TRELLIS_PLACE_RECORD_ADDRESS: PlaceKind = 6;
/// As `TRELLIS_PLACE_HEAP`, but the shader record has the start of the table: `record_offset` bytes
/// after the identifier is the index of the table's first descriptor, times 2 to the power of
/// `size_log2`; `offset` is the index of the first register in the table.
pub const TRELLIS_PLACE_RECORD_TABLE: PlaceKind = 7;

/// The signature that an input or output is in.
pub type Signature = u32;

/// An input.
pub const TRELLIS_SIGNATURE_INPUT: Signature = 0;
/// An output.
pub const TRELLIS_SIGNATURE_OUTPUT: Signature = 1;
/// A patch constant: an output of a hull shader, an input of a domain shader.
pub const TRELLIS_SIGNATURE_PATCH_CONSTANT: Signature = 2;
/// An output of a mesh shader that each primitive has once.
pub const TRELLIS_SIGNATURE_PRIMITIVE: Signature = 3;

/// `trellis_options_set_root_signature`: root descriptors are device addresses before the root
/// constants, instead of descriptors in set 0.
pub const TRELLIS_ROOT_ADDRESSES: u32 = 1;

/// Number of registers of a range without end.
pub const TRELLIS_UNBOUNDED: u32 = 0xFFFF_FFFF;
/// A number that is not known, or does not apply.
pub const TRELLIS_UNKNOWN: u32 = 0xFFFF_FFFF;
/// A byte offset that is not known.
pub const TRELLIS_UNKNOWN_OFFSET: u64 = 0xFFFF_FFFF_FFFF_FFFF;
