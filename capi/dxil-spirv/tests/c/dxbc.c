/* A client whose shader is DXBC: dxbc CONTAINER. With "none" as second argument there is no library for it. */

#include "declarations.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned asked, lines;
static char last[1024];

static void on_line(void *userdata, dxil_spv_log_level level, const char *text)
{
    (void)level;
    lines += userdata == &lines;
    strncpy(last, text, sizeof(last) - 1);
}

static dxil_spv_bool on_srv(void *userdata, const dxil_spv_d3d_binding *d3d, dxil_spv_srv_vulkan_binding *vulkan)
{
    asked += userdata == &asked;
    vulkan->buffer_binding.binding = 100 + d3d->register_index;
    return 1;
}

static void check(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "failed: %s (%s)\n", what, last);
    exit(1);
}

#define CHECK(condition) check(condition, #condition)

int main(int argc, char **argv)
{
    static unsigned char data[4096];
    size_t size;
    FILE *file;
    dxil_spv_parsed_blob blob;
    dxil_spv_converter converter;
    dxil_spv_compiled_spirv compiled;
    unsigned number = 5;
    dxil_spv_option_shader_demote_to_helper demote = { { DXIL_SPV_OPTION_SHADER_DEMOTE_TO_HELPER }, 1 };
    dxil_spv_option_base newer = { (dxil_spv_option)60 };

    CHECK(argc >= 2);
    file = fopen(argv[1], "rb");
    CHECK(file != NULL);
    size = fread(data, 1, sizeof(data), file);
    fclose(file);
    dxil_spv_set_thread_log_callback(on_line, &lines);
    if (argc > 2)
    {
        CHECK(dxil_spv_parse_dxil_blob(data, size, &blob) == DXIL_SPV_ERROR_UNSUPPORTED_FEATURE);
        CHECK(lines == 1);
        puts(last);
        return 0;
    }
    CHECK(dxil_spv_parse_dxil_blob(data, size - 1, &blob) == DXIL_SPV_ERROR_PARSER);
    lines = 0;
    CHECK(dxil_spv_parse_dxil_blob(data, size, &blob) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_parsed_blob_get_shader_stage(blob) == DXIL_SPV_STAGE_PIXEL);
    CHECK(dxil_spv_parsed_blob_get_num_entry_points(blob, &number) == DXIL_SPV_SUCCESS);
    CHECK(number == 5);
    CHECK(dxil_spv_create_converter(blob, &converter) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_add_option(converter, &demote.base) == DXIL_SPV_SUCCESS);
    CHECK(dxil_spv_converter_add_option(converter, NULL) == DXIL_SPV_ERROR_INVALID_ARGUMENT);
    CHECK(dxil_spv_converter_add_option(converter, &newer) == DXIL_SPV_SUCCESS);
    dxil_spv_converter_set_srv_remapper(converter, on_srv, &asked);
    lines = 0;
    CHECK(dxil_spv_converter_run(converter) == DXIL_SPV_SUCCESS);
    CHECK(asked == 1 && lines == 1 && strcmp(last, "foreign\n") == 0);
    CHECK(dxil_spv_converter_get_compiled_spirv(converter, &compiled) == DXIL_SPV_SUCCESS);
    CHECK(compiled.size == 4 && *(const unsigned *)compiled.data == 1);
    /* The converter keeps what it refers to. */
    dxil_spv_parsed_blob_free(blob);
    CHECK(dxil_spv_parsed_blob_get_shader_stage(blob) == DXIL_SPV_STAGE_UNKNOWN);
    CHECK(dxil_spv_converter_run(converter) == DXIL_SPV_SUCCESS);
    dxil_spv_converter_free(converter);
    CHECK(dxil_spv_converter_run(converter) == DXIL_SPV_ERROR_INVALID_ARGUMENT);
    return 0;
}
