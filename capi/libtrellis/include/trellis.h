/* Trellis: translates Direct3D 12 shaders (DXIL) to Vulkan SPIR-V.
 *
 * The rules of all functions:
 *
 * - Functions that can fail return a `trellis_status`, `TRELLIS_OK` if they succeed. `error`, which may
 *   be null, gets an object with the reason, to be freed with `trellis_error_free`; null on success.
 * - Objects are opaque handles with a `trellis_..._free`. Null may be freed. A handle that is null
 *   elsewhere, was freed, or is of another kind is an error.
 * - Text and data have a length; input text needs no terminating zero. Pointers that a function
 *   returns are valid until their object is freed; such text has a zero after its length.
 * - Structs that the library writes are passed with their size, so that later versions can have more
 *   fields at the end: `trellis_entry entry; trellis_shader_entry(shader, 0, &entry, sizeof(entry),
 *   NULL)`.
 * - There is no global state. Any thread may use any object; an object that a call changes cannot be
 *   used by another call meanwhile (`TRELLIS_BUSY`). Objects do not depend on each other: a shader may
 *   be freed before the modules that were made of it.
 * - Callbacks run in the call that needs them, on its thread. They must return: neither `longjmp` nor an
 *   exception of C++ may leave them.
 */

#ifndef TRELLIS_H
#define TRELLIS_H

/* Made by cbindgen of Trellis's sources; do not edit. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 Version of this interface: the number of the header and of the library that it is of. It increases
 when something is added.
 */
#define TRELLIS_API_VERSION 1

/*
 Major version of the library, which `trellis_version` has, too.
 */
#define TRELLIS_VERSION_MAJOR 0

/*
 Minor version.
 */
#define TRELLIS_VERSION_MINOR 1

/*
 Patch version.
 */
#define TRELLIS_VERSION_PATCH 0

/*
 `trellis_options_set_root_signature`: root descriptors are device addresses before the root
 constants, instead of descriptors in set 0.
 */
#define TRELLIS_ROOT_ADDRESSES 1

/*
 Number of registers of a range without end.
 */
#define TRELLIS_UNBOUNDED 4294967295

/*
 A number that is not known, or does not apply.
 */
#define TRELLIS_UNKNOWN 4294967295

/*
 A byte offset that is not known.
 */
#define TRELLIS_UNKNOWN_OFFSET 18446744073709551615ull

/*
 Translates shaders, one after another. Each thread should have its own.
 */
typedef struct trellis_converter trellis_converter;

/*
 Why a call failed.
 */
typedef struct trellis_error trellis_error;

/*
 A SPIR-V module. Nothing of it changes.
 */
typedef struct trellis_module trellis_module;

/*
 Options of translations.
 */
typedef struct trellis_options trellis_options;

/*
 A shader, or a library of several, that was read. Nothing of it changes.
 */
typedef struct trellis_shader trellis_shader;

/*
 Text. Nothing of it changes.
 */
typedef struct trellis_text trellis_text;

/*
 Result of a call. Later versions may have more.
 */
typedef int32_t trellis_status;

/*
 Where in the shader an error is, as far as it is known.
 */
typedef struct trellis_location {
    /*
     Part of the container, such as `DXIL`, or `bitcode` or `metadata`; null if it is not known.
     */
    const char *part;
    /*
     Length of `part`.
     */
    size_t part_length;
    /*
     Function: its name, or its number as `#3`; null if it is not known.
     */
    const char *function;
    /*
     Length of `function`.
     */
    size_t function_length;
    /*
     Offset in the bytes that were read; `TRELLIS_UNKNOWN_OFFSET` if it is not known.
     */
    uint64_t byte_offset;
    /*
     Basic block of the function; `TRELLIS_UNKNOWN` if it is not known.
     */
    uint32_t block;
    /*
     Instruction of the function; `TRELLIS_UNKNOWN` if it is not known.
     */
    uint32_t instruction;
} trellis_location;

/*
 A stage. The numbers are D3D's.
 */
typedef uint32_t trellis_stage;

/*
 An entry point.
 */
typedef struct trellis_entry {
    /*
     Its name, as functions take it.
     */
    const char *name;
    /*
     Length of `name`.
     */
    size_t name_length;
    /*
     Its stage.
     */
    trellis_stage stage;
    /*
     Threads of a group, of compute, mesh and amplification shaders; else 0.
     */
    uint32_t workgroup_size[3];
    /*
     Least number of lanes of a wave that the shader accepts; 0 if it declares none.
     */
    uint32_t wave_size_min;
    /*
     Most lanes of a wave that the shader accepts; 0 if it declares none.
     */
    uint32_t wave_size_max;
    /*
     Number of lanes that it prefers; 0 if it declares none.
     */
    uint32_t wave_size_preferred;
} trellis_entry;

/*
 Result of a callback; other numbers are errors.
 */
typedef uint32_t trellis_answer;

/*
 Class of a resource: the letter of its register.
 */
typedef uint32_t trellis_class;

/*
 Shape of a resource. Later versions may have more.
 */
typedef uint32_t trellis_kind;

/*
 0 is false and 1 is true; other numbers are errors.
 */
typedef uint32_t trellis_bool;

/*
 A declared range of resources that a callback is asked about.

 Each range is asked about once in a translation, in the order of the shader's metadata, whether the
 entry point uses it or not. An unbounded range that is refused is asked about again with a
 `range_size` of 1: the shader's indices are ignored then.
 */
typedef struct trellis_resource_query {
    /*
     Size of this struct in the library.
     */
    size_t size;
    /*
     Name, empty if it is not known. It is valid during the call only.
     */
    const char *name;
    /*
     Length of `name`.
     */
    size_t name_length;
    /*
     Stage of the entry point.
     */
    trellis_stage stage;
    /*
     Class.
     */
    trellis_class resource_class;
    /*
     Shape.
     */
    trellis_kind resource_kind;
    /*
     Register space.
     */
    uint32_t register_space;
    /*
     First register.
     */
    uint32_t register_index;
    /*
     Number of registers; `TRELLIS_UNBOUNDED` for a range without end.
     */
    uint32_t range_size;
    /*
     Number of the range within its class.
     */
    uint32_t resource_index;
    /*
     Alignment of the offsets of all accesses to a raw or structured buffer, in bytes; 0 for
     other resources.
     */
    uint32_t alignment;
    /*
     Stride of a structured buffer in bytes; 0 for other resources.
     */
    uint32_t stride;
    /*
     Whether the UAV has a hidden counter, which needs a separate place.
     */
    trellis_bool has_counter;
} trellis_resource_query;

/*
 Which fields of a `trellis_place` have a meaning; the others are ignored.
 */
typedef uint32_t trellis_place_kind;

/*
 Kind of descriptor.
 */
typedef uint32_t trellis_descriptor;

/*
 Where a resource is: see `trellis_place_kind` for the fields that each kind has.
 */
typedef struct trellis_place {
    /*
     Kind of place.
     */
    trellis_place_kind kind;
    /*
     Kind of descriptor.
     */
    trellis_descriptor descriptor;
    /*
     Descriptor set.
     */
    uint32_t set;
    /*
     Binding.
     */
    uint32_t binding;
    /*
     An index, a number, or bytes.
     */
    uint32_t offset;
    /*
     Whether `root_constant` is added.
     */
    trellis_bool has_root_constant;
    /*
     Number of a root constant.
     */
    uint32_t root_constant;
    /*
     Number of constants.
     */
    uint32_t words;
    /*
     Bytes after the identifier in the shader record.
     */
    uint32_t record_offset;
    /*
     Binary logarithm of the size of a descriptor.
     */
    uint32_t size_log2;
    /*
     0.
     */
    uint32_t reserved[6];
} trellis_place;

/*
 A storage buffer with the offset and the size of each buffer in its descriptor, for devices that make
 descriptors only at coarser offsets (`interface.offset_layout`).
 */
typedef struct trellis_set_binding {
    /*
     Whether there is one.
     */
    trellis_bool used;
    /*
     Descriptor set.
     */
    uint32_t set;
    /*
     Binding.
     */
    uint32_t binding;
    /*
     0.
     */
    uint32_t reserved;
} trellis_set_binding;

/*
 The answer about a range of resources. It is all 0 when a callback gets it.
 */
typedef struct trellis_binding {
    /*
     The resource.
     */
    struct trellis_place place;
    /*
     The counter of a UAV; its descriptor is a storage buffer unless it specifies another.
     */
    struct trellis_place counter;
    /*
     Where buffers begin in their descriptors.
     */
    struct trellis_set_binding offsets;
} trellis_binding;

/*
 Says where a range of resources is. The answer must depend on the question only.
 */
typedef trellis_answer (*trellis_bind_function)(void *userdata,
                                                const struct trellis_resource_query *query,
                                                struct trellis_binding *binding);

/*
 The views of a descriptor heap of one kind (shader model 6.6), that a callback is asked about at the
 first use of such a view.
 */
typedef struct trellis_heap_query {
    /*
     Size of this struct in the library.
     */
    size_t size;
    /*
     Stage of the entry point.
     */
    trellis_stage stage;
    /*
     Class; only samplers are in the heap of samplers.
     */
    trellis_class resource_class;
    /*
     Shape.
     */
    trellis_kind resource_kind;
    /*
     As in `trellis_resource_query`.
     */
    uint32_t alignment;
    /*
     As in `trellis_resource_query`.
     */
    uint32_t stride;
    /*
     Whether the question is about the hidden counters of the UAVs.
     */
    trellis_bool counter;
} trellis_heap_query;

/*
 The answer about views of a descriptor heap. It is all 0 when a callback gets it.
 */
typedef struct trellis_heap_place {
    /*
     Descriptor set of the array.
     */
    uint32_t set;
    /*
     Binding of the array.
     */
    uint32_t binding;
    /*
     Kind of descriptor.
     */
    trellis_descriptor descriptor;
    /*
     0.
     */
    uint32_t reserved;
    /*
     Where buffers begin in their descriptors.
     */
    struct trellis_set_binding offsets;
} trellis_heap_place;

/*
 Says where views of a descriptor heap are.
 */
typedef trellis_answer (*trellis_heap_function)(void *userdata,
                                                const struct trellis_heap_query *query,
                                                struct trellis_heap_place *place);

/*
 The signature that an input or output is in.
 */
typedef uint32_t trellis_signature;

/*
 An input or output that a callback is asked about. Each is asked about once, in the order of the
 shader's metadata; render targets are not.
 */
typedef struct trellis_element_query {
    /*
     Size of this struct in the library.
     */
    size_t size;
    /*
     Semantic, as it is written in the source. D3D compares semantics without case. It is valid during
     the call only.
     */
    const char *semantic;
    /*
     Length of `semantic`.
     */
    size_t semantic_length;
    /*
     Semantic index of the first row.
     */
    uint32_t semantic_index;
    /*
     Stage of the entry point.
     */
    trellis_stage stage;
    /*
     The signature that it is in.
     */
    trellis_signature signature;
    /*
     0 for a semantic of the user's, else DXIL's number of the system value.
     */
    uint32_t system_value;
    /*
     First register; `TRELLIS_UNKNOWN` in questions about captures.
     */
    uint32_t start_row;
    /*
     Number of registers, each of which has a location.
     */
    uint32_t rows;
    /*
     Components of each register.
     */
    uint32_t columns;
    /*
     Stream of a geometry shader's output.
     */
    uint32_t stream;
} trellis_element_query;

/*
 The answer about an input or output. It is the place without a callback when a callback gets it.
 */
typedef struct trellis_element_place {
    /*
     Location of the first row; the others follow.
     */
    uint32_t location;
    /*
     First component in the location. Vertex inputs have none.
     */
    uint32_t component;
    /*
     Whether each primitive has one value (`PerPrimitiveEXT`): a choice for inputs of a pixel shader
     only.
     */
    trellis_bool per_primitive;
    /*
     0.
     */
    uint32_t reserved;
} trellis_element_place;

/*
 Says where an input or output is.
 */
typedef trellis_answer (*trellis_element_function)(void *userdata,
                                                   const struct trellis_element_query *query,
                                                   struct trellis_element_place *place);

/*
 A capture of an output, or of a part of one, by transform feedback (D3D's stream output).
 */
typedef struct trellis_capture {
    /*
     Number of the buffer, below 4.
     */
    uint32_t buffer;
    /*
     Bytes of a vertex in the buffer, a multiple of 4.
     */
    uint32_t stride;
    /*
     Offset in a vertex in bytes, a multiple of 4.
     */
    uint32_t offset;
    /*
     Number of components that are captured; 0: all components of all rows.
     */
    uint32_t components;
    /*
     The first of them, counted from the element's own first one.
     */
    uint32_t component;
    /*
     The row that they are in.
     */
    uint32_t row;
    /*
     0.
     */
    uint32_t reserved[2];
} trellis_capture;

/*
 Returns the captures of an output: writes `count`, at most `capacity`, and `count` captures.
 */
typedef trellis_answer (*trellis_capture_function)(void *userdata,
                                                   const struct trellis_element_query *query,
                                                   struct trellis_capture *captures,
                                                   size_t capacity,
                                                   size_t *count);

/*
 The callbacks about inputs and outputs; null for those whose places do not change.
 */
typedef struct trellis_stage_io {
    /*
     About vertex inputs: the location counts.
     */
    trellis_element_function vertex_input;
    /*
     About inputs from other stages.
     */
    trellis_element_function input;
    /*
     About outputs to other stages.
     */
    trellis_element_function output;
    /*
     About outputs of vertex, domain and geometry shaders, system values included.
     */
    trellis_capture_function capture;
} trellis_stage_io;

/*
 Facts about a SPIR-V module.
 */
typedef struct trellis_module_info {
    /*
     Name of the entry point in DXIL; in SPIR-V it is the same unless `interface.entry_point_name`
     is set.
     */
    const char *entry;
    /*
     Length of `entry`.
     */
    size_t entry_length;
    /*
     Its stage.
     */
    trellis_stage stage;
    /*
     Location of the first patch constant of a hull or domain shader, which both must agree on:
     pass the hull shader's as the domain shader's `interface.patch_location`. `TRELLIS_UNKNOWN`
     in other stages.
     */
    uint32_t patch_location;
} trellis_module_info;

/*
 Success.
 */
#define TRELLIS_OK 0

/*
 An argument is null, or out of range, or a number that is not defined.
 */
#define TRELLIS_INVALID_ARGUMENT 1

/*
 A handle is null, was freed, or is of another kind of object.
 */
#define TRELLIS_INVALID_HANDLE 2

/*
 The object is in use by another call: of another thread, or the call that made a callback.
 */
#define TRELLIS_BUSY 3

/*
 An option that is not known, or a value that it cannot have.
 */
#define TRELLIS_INVALID_OPTION 4

/*
 The bytes cannot be read: they are not a shader, or damaged.
 */
#define TRELLIS_UNREADABLE 5

/*
 The shader has no such entry point, or several and none was chosen.
 */
#define TRELLIS_NO_ENTRY 6

/*
 The shader uses something that is not translated.
 */
#define TRELLIS_UNSUPPORTED 7

/*
 The shader breaks a rule of DXIL.
 */
#define TRELLIS_INVALID_SHADER 8

/*
 A resource has no place, or one that it cannot have.
 */
#define TRELLIS_NO_BINDING 9

/*
 An input or output has no place, or one that it cannot have.
 */
#define TRELLIS_NO_STAGE_IO 10

/*
 There is no root signature, or it has no layout.
 */
#define TRELLIS_NO_ROOT_SIGNATURE 11

/*
 A bug in Trellis: please report it.
 */
#define TRELLIS_INTERNAL 12

/*
 An option requires a feature that this build of the library does not have.
 */
#define TRELLIS_UNAVAILABLE 13

/*
 The callback has no answer: there is no place.
 */
#define TRELLIS_REFUSED 0

/*
 The callback wrote its answer.
 */
#define TRELLIS_ANSWERED 1

/*
 Pixel shader.
 */
#define TRELLIS_STAGE_PIXEL 0

/*
 Vertex shader.
 */
#define TRELLIS_STAGE_VERTEX 1

/*
 Geometry shader.
 */
#define TRELLIS_STAGE_GEOMETRY 2

/*
 Hull shader.
 */
#define TRELLIS_STAGE_HULL 3

/*
 Domain shader.
 */
#define TRELLIS_STAGE_DOMAIN 4

/*
 Compute shader.
 */
#define TRELLIS_STAGE_COMPUTE 5

/*
 Ray generation shader.
 */
#define TRELLIS_STAGE_RAY_GENERATION 7

/*
 Intersection shader.
 */
#define TRELLIS_STAGE_INTERSECTION 8

/*
 Any-hit shader.
 */
#define TRELLIS_STAGE_ANY_HIT 9

/*
 Closest-hit shader.
 */
#define TRELLIS_STAGE_CLOSEST_HIT 10

/*
 Miss shader.
 */
#define TRELLIS_STAGE_MISS 11

/*
 Callable shader.
 */
#define TRELLIS_STAGE_CALLABLE 12

/*
 Mesh shader.
 */
#define TRELLIS_STAGE_MESH 13

/*
 Amplification shader.
 */
#define TRELLIS_STAGE_AMPLIFICATION 14

/*
 Node of a work graph, which is not translated.
 */
#define TRELLIS_STAGE_NODE 15

/*
 A shader resource view (`t`).
 */
#define TRELLIS_CLASS_SRV 0

/*
 An unordered access view (`u`).
 */
#define TRELLIS_CLASS_UAV 1

/*
 A constant buffer (`b`).
 */
#define TRELLIS_CLASS_CBV 2

/*
 A sampler (`s`).
 */
#define TRELLIS_CLASS_SAMPLER 3

/*
 1D texture.
 */
#define TRELLIS_KIND_TEXTURE_1D 1

/*
 2D texture.
 */
#define TRELLIS_KIND_TEXTURE_2D 2

/*
 2D texture with several samples.
 */
#define TRELLIS_KIND_TEXTURE_2DMS 3

/*
 3D texture.
 */
#define TRELLIS_KIND_TEXTURE_3D 4

/*
 Cube texture.
 */
#define TRELLIS_KIND_TEXTURE_CUBE 5

/*
 Array of 1D textures.
 */
#define TRELLIS_KIND_TEXTURE_1D_ARRAY 6

/*
 Array of 2D textures.
 */
#define TRELLIS_KIND_TEXTURE_2D_ARRAY 7

/*
 Array of 2D textures with several samples.
 */
#define TRELLIS_KIND_TEXTURE_2DMS_ARRAY 8

/*
 Array of cube textures.
 */
#define TRELLIS_KIND_TEXTURE_CUBE_ARRAY 9

/*
 Typed buffer.
 */
#define TRELLIS_KIND_TYPED_BUFFER 10

/*
 Raw buffer (`ByteAddressBuffer`).
 */
#define TRELLIS_KIND_RAW_BUFFER 11

/*
 Structured buffer.
 */
#define TRELLIS_KIND_STRUCTURED_BUFFER 12

/*
 Constant buffer.
 */
#define TRELLIS_KIND_CONSTANT_BUFFER 13

/*
 Sampler.
 */
#define TRELLIS_KIND_SAMPLER 14

/*
 Texture buffer (`tbuffer`).
 */
#define TRELLIS_KIND_TEXTURE_BUFFER 15

/*
 Acceleration structure.
 */
#define TRELLIS_KIND_ACCELERATION_STRUCTURE 16

/*
 Sampler feedback: a storage image of 64-bit texels.
 */
#define TRELLIS_KIND_FEEDBACK_TEXTURE_2D 17

/*
 Array of sampler feedback.
 */
#define TRELLIS_KIND_FEEDBACK_TEXTURE_2D_ARRAY 18

/*
 The natural one of the resource.
 */
#define TRELLIS_DESCRIPTOR_NATURAL 0

/*
 Uniform buffer.
 */
#define TRELLIS_DESCRIPTOR_UNIFORM_BUFFER 1

/*
 Storage buffer.
 */
#define TRELLIS_DESCRIPTOR_STORAGE_BUFFER 2

/*
 Uniform texel buffer.
 */
#define TRELLIS_DESCRIPTOR_UNIFORM_TEXEL_BUFFER 3

/*
 Storage texel buffer.
 */
#define TRELLIS_DESCRIPTOR_STORAGE_TEXEL_BUFFER 4

/*
 Sampled image.
 */
#define TRELLIS_DESCRIPTOR_SAMPLED_IMAGE 5

/*
 Storage image.
 */
#define TRELLIS_DESCRIPTOR_STORAGE_IMAGE 6

/*
 Sampler.
 */
#define TRELLIS_DESCRIPTOR_SAMPLER 7

/*
 Acceleration structure.
 */
#define TRELLIS_DESCRIPTOR_ACCELERATION_STRUCTURE 8

/*
 A storage buffer of 64-bit device addresses in the place of an array of descriptors
 (`interface.address_layout`).
 */
#define TRELLIS_DESCRIPTOR_DEVICE_ADDRESS 9

/*
 Nowhere: a UAV whose counter has no place.
 */
#define TRELLIS_PLACE_NONE 0

/*
 A descriptor, or an array for a range of several registers: `set`, `binding`, `descriptor`.
 */
#define TRELLIS_PLACE_DESCRIPTOR 1

/*
 An element of an array with the descriptors of a heap: `set`, `binding`, `descriptor`; `offset` is
 the index of the first register, to which root constant `root_constant` is added if
 `has_root_constant`.
 */
#define TRELLIS_PLACE_HEAP 2

/*
 Root constants, from number `offset` on.
 */
#define TRELLIS_PLACE_ROOT_CONSTANTS 3

/*
 A device address: root descriptor number `offset` (`interface.root_descriptors`).
 */
#define TRELLIS_PLACE_DEVICE_ADDRESS 4

/*
 Constants in the shader record, `offset` bytes after the identifier; `words` of them, or the
 number that the shader declares if 0.
 */
#define TRELLIS_PLACE_SHADER_RECORD 5

/*
 A device address in the shader record, `offset` bytes after the identifier.
 */
#define TRELLIS_PLACE_RECORD_ADDRESS 6

/*
 As `TRELLIS_PLACE_HEAP`, but the shader record has the start of the table: `record_offset` bytes
 after the identifier is the index of the table's first descriptor, times 2 to the power of
 `size_log2`; `offset` is the index of the first register in the table.
 */
#define TRELLIS_PLACE_RECORD_TABLE 7

/*
 An input.
 */
#define TRELLIS_SIGNATURE_INPUT 0

/*
 An output.
 */
#define TRELLIS_SIGNATURE_OUTPUT 1

/*
 A patch constant: an output of a hull shader, an input of a domain shader.
 */
#define TRELLIS_SIGNATURE_PATCH_CONSTANT 2

/*
 An output of a mesh shader that each primitive has once.
 */
#define TRELLIS_SIGNATURE_PRIMITIVE 3

/*
 Returns the version of the library, such as `0.1.0`, which ends with a zero.
 */
const char *trellis_version(void);

/*
 Returns the version of the interface that the library has: `TRELLIS_API_VERSION` of its header.
 */
uint32_t trellis_api_version(void);

/*
 Returns the name of a status, such as `unsupported`, which ends with a zero.
 */
const char *trellis_status_name(trellis_status status);

/*
 Frees an error.
 */
trellis_status trellis_error_free(struct trellis_error *error);

/*
 Returns the status of the call that made an error.
 */
trellis_status trellis_error_status(const struct trellis_error *error);

/*
 Returns the text of an error, without a line break at its end; an empty one if `error` is not one.
 `length` may be null.
 */
const char *trellis_error_text(const struct trellis_error *error, size_t *length);

/*
 Writes where in the shader an error is, as far as it is known.
 */
trellis_status trellis_error_location(const struct trellis_error *error,
                                      struct trellis_location *location,
                                      size_t location_size);

/*
 Frees a text.
 */
trellis_status trellis_text_free(struct trellis_text *text);

/*
 Returns where a text begins; an empty one if `text` is not one. `length` may be null.
 */
const char *trellis_text_data(const struct trellis_text *text, size_t *length);

/*
 Reads a shader or a library: a DXBC container with DXIL, or DXIL bitcode. The bytes are copied.
 */
trellis_status trellis_shader_load(const void *data,
                                   size_t size,
                                   struct trellis_shader **shader,
                                   struct trellis_error **error);

/*
 Links libraries: a library with the functions, resources and entry points of all, with each
 declaration bound to the definition in another library. Debug information is dropped.
 */
trellis_status trellis_shader_link(const struct trellis_shader *const *libraries,
                                   size_t count,
                                   struct trellis_shader **shader,
                                   struct trellis_error **error);

/*
 Frees a shader.
 */
trellis_status trellis_shader_free(struct trellis_shader *shader);

/*
 Returns the number of entry points; 0 if `shader` is not a shader.
 */
size_t trellis_shader_entry_count(const struct trellis_shader *shader);

/*
 Writes the facts of an entry point, by its number from 0 on.
 */
trellis_status trellis_shader_entry(const struct trellis_shader *shader,
                                    size_t index,
                                    struct trellis_entry *entry,
                                    size_t entry_size,
                                    struct trellis_error **error);

/*
 Describes a shader in JSON, as `trellis reflect` does: resources and their places by the options,
 signatures, properties of the stages, root signature. `options` may be null.
 */
trellis_status trellis_shader_reflect(const struct trellis_shader *shader,
                                      const struct trellis_options *options,
                                      struct trellis_text **json,
                                      struct trellis_error **error);

/*
 Makes options: the defaults.
 */
trellis_status trellis_options_new(struct trellis_options **options, struct trellis_error **error);

/*
 Frees options.
 */
trellis_status trellis_options_free(struct trellis_options *options);

/*
 Sets an option by its name, such as `target` or `interface.dual_source`, as `trellis_options_list` has
 them: group and name. The value is JSON, or the text itself: `vulkan1.2`, `true`, `4`,
 `{"set": 1, "binding": 0}`.
 */
trellis_status trellis_options_set(struct trellis_options *options,
                                   const char *name,
                                   size_t name_length,
                                   const char *value,
                                   size_t value_length,
                                   struct trellis_error **error);

/*
 Sets all options: the object in JSON that `trellis convert --options` reads. Options that it
 does not name get their defaults.
 */
trellis_status trellis_options_load(struct trellis_options *options,
                                    const char *json,
                                    size_t json_length,
                                    struct trellis_error **error);

/*
 Lists all options in JSON: an array of objects with `group`, `name`, `type`, `default` and `summary`.
 */
trellis_status trellis_options_list(struct trellis_text **json,
                                    struct trellis_error **error);

/*
 Sets the callbacks that return the locations of resources. Without `heap`, shaders with
 descriptor heaps are errors.
 */
trellis_status trellis_options_set_bindings(struct trellis_options *options,
                                            trellis_bind_function bind,
                                            trellis_heap_function heap,
                                            void *userdata,
                                            struct trellis_error **error);

/*
 Puts resources where a root signature has them: of a container with one, which the shader itself may
 be, or a serialized one. `trellis_shader_reflect` with these options has the `layout`. The flags are 0
 or `TRELLIS_ROOT_ADDRESSES`.
 */
trellis_status trellis_options_set_root_signature(struct trellis_options *options,
                                                  const void *data,
                                                  size_t size,
                                                  uint32_t flags,
                                                  struct trellis_error **error);

/*
 Sets the callbacks about inputs and outputs, from a struct of `functions_size` bytes.
 */
trellis_status trellis_options_set_stage_io(struct trellis_options *options,
                                            const struct trellis_stage_io *functions,
                                            size_t functions_size,
                                            void *userdata,
                                            struct trellis_error **error);

/*
 Sets the mesh shader before a pixel shader: its only entry point, or the one with a name; none if
 `mesh` is null.
 */
trellis_status trellis_options_set_mesh(struct trellis_options *options,
                                        const struct trellis_shader *mesh,
                                        const char *entry,
                                        size_t entry_length,
                                        struct trellis_error **error);

/*
 Makes a copy of options.
 */
trellis_status trellis_options_copy(const struct trellis_options *options,
                                    struct trellis_options **copy,
                                    struct trellis_error **error);

/*
 Translates an entry point: the one with the name `entry`, or if it is null the one that the
 option `entry` names, else the only one. `options` may be null. The module has passed a
 verifier.
 */
trellis_status trellis_convert(const struct trellis_shader *shader,
                               const struct trellis_options *options,
                               const char *entry,
                               size_t entry_length,
                               struct trellis_module **module,
                               struct trellis_error **error);

/*
 Makes a converter, with a copy of options, which may be null: for threads that translate many
 shaders.
 */
trellis_status trellis_converter_new(const struct trellis_options *options,
                                     struct trellis_converter **converter,
                                     struct trellis_error **error);

/*
 Frees a converter. Modules that it made remain.
 */
trellis_status trellis_converter_free(struct trellis_converter *converter);

/*
 Gives a converter a copy of other options, which may be null: for its next translations.
 */
trellis_status trellis_converter_set_options(struct trellis_converter *converter,
                                             const struct trellis_options *options,
                                             struct trellis_error **error);

/*
 Translates an entry point with the options of a converter: as `trellis_convert`.
 */
trellis_status trellis_converter_convert(struct trellis_converter *converter,
                                         const struct trellis_shader *shader,
                                         const char *entry,
                                         size_t entry_length,
                                         struct trellis_module **module,
                                         struct trellis_error **error);

/*
 Frees a module.
 */
trellis_status trellis_module_free(struct trellis_module *module);

/*
 Returns the words of a module, in the machine's byte order, and their number; null and 0 if `module` is
 not a module. `count` may be null.
 */
const uint32_t *trellis_module_words(const struct trellis_module *module,
                                     size_t *count);

/*
 Writes the facts about a module.
 */
trellis_status trellis_module_get_info(const struct trellis_module *module,
                                       struct trellis_module_info *info,
                                       size_t info_size,
                                       struct trellis_error **error);

/*
 Prints a module as assembly.
 */
trellis_status trellis_module_disassemble(const struct trellis_module *module,
                                          struct trellis_text **assembly,
                                          struct trellis_error **error);

#ifdef __cplusplus
}
#endif

#endif
