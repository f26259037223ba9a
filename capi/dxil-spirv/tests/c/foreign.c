/* A library with the interface that reads DXBC, for tests: its one converter asks the remapper of SRVs
 * once, writes a line, and returns the number of its options as a word. */

#include "declarations.h"
#include <stdlib.h>
#include <string.h>

static dxil_spv_log_cb on_line;
static void *line_userdata;
static unsigned options;
static dxil_spv_srv_remapper_cb remapper;
static void *remapper_userdata;
static unsigned word;

void dxil_spv_set_thread_log_callback(dxil_spv_log_cb callback, void *userdata)
{
    on_line = callback;
    line_userdata = userdata;
}

dxil_spv_result dxil_spv_parse_dxil_blob(const void *data, size_t size, dxil_spv_parsed_blob *blob)
{
    if (size < 4 || memcmp(data, "DXBC", 4) != 0 || ((const char *)data)[size - 1] != 'g')
        return DXIL_SPV_ERROR_PARSER;
    *blob = malloc(1);
    return DXIL_SPV_SUCCESS;
}

void dxil_spv_parsed_blob_free(dxil_spv_parsed_blob blob)
{
    free(blob);
}

dxil_spv_shader_stage dxil_spv_parsed_blob_get_shader_stage(dxil_spv_parsed_blob blob)
{
    return blob != NULL ? DXIL_SPV_STAGE_PIXEL : DXIL_SPV_STAGE_UNKNOWN;
}

dxil_spv_result dxil_spv_create_converter_with_reflection(dxil_spv_parsed_blob blob,
    dxil_spv_parsed_blob reflection_blob, dxil_spv_converter *converter)
{
    *converter = blob != NULL && reflection_blob == NULL ? malloc(1) : NULL;
    return DXIL_SPV_SUCCESS;
}

/* The call must get to the function above, not to that of the library which loads this one. */
dxil_spv_result dxil_spv_create_converter(dxil_spv_parsed_blob blob, dxil_spv_converter *converter)
{
    return dxil_spv_create_converter_with_reflection(blob, NULL, converter);
}

void dxil_spv_converter_free(dxil_spv_converter converter)
{
    free(converter);
}

void dxil_spv_converter_set_srv_remapper(dxil_spv_converter converter, dxil_spv_srv_remapper_cb callback,
    void *userdata)
{
    (void)converter;
    remapper = callback;
    remapper_userdata = userdata;
}

dxil_spv_result dxil_spv_converter_add_option(dxil_spv_converter converter, const dxil_spv_option_base *option)
{
    (void)converter;
    if ((unsigned)option->type > 51)
        return DXIL_SPV_ERROR_UNSUPPORTED_FEATURE;
    options++;
    return DXIL_SPV_SUCCESS;
}

dxil_spv_result dxil_spv_converter_run(dxil_spv_converter converter)
{
    dxil_spv_d3d_binding d3d = { 0 };
    dxil_spv_srv_vulkan_binding vulkan = { 0 };
    (void)converter;
    d3d.register_index = 7;
    on_line(line_userdata, DXIL_SPV_LOG_LEVEL_WARN, "foreign\n");
    if (!remapper(remapper_userdata, &d3d, &vulkan) || vulkan.buffer_binding.binding != 107)
        return DXIL_SPV_ERROR_GENERIC;
    word = options;
    return DXIL_SPV_SUCCESS;
}

dxil_spv_result dxil_spv_converter_get_compiled_spirv(dxil_spv_converter converter, dxil_spv_compiled_spirv *compiled)
{
    (void)converter;
    compiled->data = &word;
    compiled->size = sizeof(word);
    return DXIL_SPV_SUCCESS;
}
