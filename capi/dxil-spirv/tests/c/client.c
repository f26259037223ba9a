/* A client in C: converts a shader with remappers, and writes the words to a file.
 * client INPUT OUTPUT */

#include "declarations.h"
#include <stdio.h>
#include <stdlib.h>

static unsigned asked;
static unsigned lines;

static void on_line(void *userdata, dxil_spv_log_level level, const char *text)
{
    lines += userdata == &lines && level == DXIL_SPV_LOG_LEVEL_ERROR && text[0] != 0;
}

static dxil_spv_bool on_srv(void *userdata, const dxil_spv_d3d_binding *d3d, dxil_spv_srv_vulkan_binding *vulkan)
{
    asked += userdata == &asked;
    vulkan->buffer_binding.set = d3d->register_space;
    vulkan->buffer_binding.binding = 100 + d3d->register_index;
    vulkan->buffer_binding.descriptor_type = DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_SSBO;
    return 1;
}

static dxil_spv_bool on_uav(void *userdata, const dxil_spv_uav_d3d_binding *d3d, dxil_spv_uav_vulkan_binding *vulkan)
{
    asked += userdata == &asked;
    vulkan->buffer_binding.set = d3d->d3d_binding.register_space;
    vulkan->buffer_binding.binding = 200 + d3d->d3d_binding.register_index;
    vulkan->buffer_binding.descriptor_type = DXIL_SPV_VULKAN_DESCRIPTOR_TYPE_SSBO;
    return 1;
}

static dxil_spv_bool on_cbv(void *userdata, const dxil_spv_d3d_binding *d3d, dxil_spv_cbv_vulkan_binding *vulkan)
{
    asked += userdata == &asked;
    vulkan->push_constant = 0;
    vulkan->vulkan.uniform_binding.set = d3d->register_space;
    vulkan->vulkan.uniform_binding.binding = d3d->register_index;
    return 1;
}

static void check(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "failed: %s\n", what);
    exit(1);
}

#define CHECK(condition) check(condition, #condition)

int main(int argc, char **argv)
{
    static unsigned char data[1 << 20];
    unsigned major, minor, patch;
    size_t size;
    FILE *file;
    dxil_spv_parsed_blob blob;
    dxil_spv_converter converter;
    dxil_spv_compiled_spirv compiled;
    const char *name;
    dxil_spv_option_shader_demote_to_helper demote = { { DXIL_SPV_OPTION_SHADER_DEMOTE_TO_HELPER }, 1 };

    CHECK(argc == 3);
    file = fopen(argv[1], "rb");
    CHECK(file != NULL);
    size = fread(data, 1, sizeof(data), file);
    fclose(file);

    dxil_spv_get_version(&major, &minor, &patch);
    CHECK(major == 2 && minor == 68 && patch == 0);
    dxil_spv_begin_thread_allocator_context();
    dxil_spv_set_thread_log_callback(on_line, &lines);
    CHECK(dxil_spv_parse_dxil_blob(data, 10, &blob) == DXIL_SPV_ERROR_PARSER);
    CHECK(lines == 1);
    CHECK(dxil_spv_parse_dxil_blob(data, size, &blob) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_parsed_blob_get_shader_stage(blob) == DXIL_SPV_STAGE_COMPUTE);
    CHECK(dxil_spv_create_converter(blob, &converter) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_add_option(converter, &demote.base) == DXIL_SPV_SUCCESS);
    dxil_spv_converter_set_srv_remapper(converter, on_srv, &asked);
    dxil_spv_converter_set_uav_remapper(converter, on_uav, &asked);
    dxil_spv_converter_set_cbv_remapper(converter, on_cbv, &asked);
    CHECK(dxil_spv_converter_run(converter) == DXIL_SPV_SUCCESS);
    CHECK(asked == 3);
    CHECK(dxil_spv_converter_get_compiled_entry_point(converter, &name) == DXIL_SPV_SUCCESS);
    CHECK(name[0] == 'm' && name[4] == 0);
    CHECK(dxil_spv_converter_get_compiled_spirv(converter, &compiled) == DXIL_SPV_SUCCESS);
    file = fopen(argv[2], "wb");
    CHECK(file != NULL);
    CHECK(fwrite(compiled.data, 1, compiled.size, file) == compiled.size);
    CHECK(fclose(file) == 0);
    dxil_spv_converter_free(converter);
    dxil_spv_parsed_blob_free(blob);
    dxil_spv_end_thread_allocator_context();
    CHECK(lines == 1);
    return 0;
}
