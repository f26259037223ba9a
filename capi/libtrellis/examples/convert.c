/* Translates a shader with a binding layout of its own, and prints what it has.
 *
 *     cc -o convert convert.c $(pkg-config --cflags --libs trellis)
 *     ./convert INPUT.dxil OUTPUT.spv
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trellis.h>

/* The layout: sets are register spaces, and each class has a hundred bindings. */
static trellis_answer bind(void *userdata, const trellis_resource_query *query, trellis_binding *binding)
{
    static const uint32_t shifts[] = { 100, 200, 0, 300 }; /* SRV, UAV, CBV, sampler */
    unsigned *count = userdata;

    if (query->resource_class >= sizeof(shifts) / sizeof(shifts[0]))
        return TRELLIS_REFUSED;
    ++*count;
    binding->place.kind = TRELLIS_PLACE_DESCRIPTOR;
    binding->place.set = query->register_space;
    binding->place.binding = query->register_index + shifts[query->resource_class];
    if (query->has_counter) {
        binding->counter = binding->place;
        binding->counter.binding = query->register_index + 400;
    }
    return TRELLIS_ANSWERED;
}

/* Prints an error, frees it, and ends the program. */
static void fail(const char *what, trellis_error *error)
{
    trellis_location location;

    fprintf(stderr, "%s: %s: %s", what, trellis_status_name(trellis_error_status(error)),
            trellis_error_text(error, NULL));
    if (trellis_error_location(error, &location, sizeof(location)) == TRELLIS_OK
        && location.byte_offset != TRELLIS_UNKNOWN_OFFSET)
        fprintf(stderr, " (byte %lu)", (unsigned long)location.byte_offset);
    fputc('\n', stderr);
    trellis_error_free(error);
    exit(1);
}

static void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    size_t capacity = 0, got;

    *size = 0;
    if (!file) {
        perror(path);
        exit(1);
    }
    do {
        if (*size == capacity) {
            capacity = capacity ? 2 * capacity : 4096;
            data = realloc(data, capacity);
            if (!data)
                abort();
        }
        got = fread(data + *size, 1, capacity - *size, file);
        *size += got;
    } while (got);
    fclose(file);
    return data;
}

static void set(trellis_options *options, const char *name, const char *value)
{
    trellis_error *error;

    if (trellis_options_set(options, name, strlen(name), value, strlen(value), &error))
        fail(name, error);
}

int main(int argc, char **argv)
{
    trellis_shader *shader;
    trellis_options *options;
    trellis_module *module;
    trellis_text *json;
    trellis_error *error;
    trellis_entry entry;
    const uint32_t *words;
    unsigned ranges = 0;
    size_t size, count, i;
    void *data;
    FILE *file;

    if (argc != 3) {
        fprintf(stderr, "usage: %s INPUT.dxil OUTPUT.spv\n", argv[0]);
        return 2;
    }
    data = read_file(argv[1], &size);
    if (trellis_shader_load(data, size, &shader, &error))
        fail(argv[1], error);
    free(data);

    for (i = 0; i < trellis_shader_entry_count(shader); ++i) {
        if (trellis_shader_entry(shader, i, &entry, sizeof(entry), &error))
            fail(argv[1], error);
        printf("entry point %s: stage %u, group %u x %u x %u\n", entry.name, (unsigned)entry.stage,
               (unsigned)entry.workgroup_size[0], (unsigned)entry.workgroup_size[1],
               (unsigned)entry.workgroup_size[2]);
    }

    if (trellis_options_new(&options, &error))
        fail("options", error);
    set(options, "target", "vulkan1.2");
    set(options, "debug.names", "false");
    if (trellis_options_set_bindings(options, bind, NULL, &ranges, &error))
        fail("bindings", error);

    /* The only entry point; of several, a name chooses. */
    if (trellis_convert(shader, options, NULL, 0, &module, &error))
        fail(argv[1], error);
    words = trellis_module_words(module, &count);
    printf("%u ranges of resources, %lu words of SPIR-V, trellis %s\n", ranges, (unsigned long)count,
           trellis_version());
    if (trellis_shader_reflect(shader, options, &json, &error))
        fail(argv[1], error);
    puts(trellis_text_data(json, NULL));

    file = fopen(argv[2], "wb");
    if (!file || fwrite(words, sizeof(*words), count, file) != count || fclose(file)) {
        perror(argv[2]);
        return 1;
    }
    trellis_text_free(json);
    trellis_module_free(module);
    trellis_options_free(options);
    trellis_shader_free(shader);
    return 0;
}
