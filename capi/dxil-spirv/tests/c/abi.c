/* Uses each function with the types of functions.h. With the reference's own header instead of
 * ours (-DHEADER='"dxil_spirv_c.h"'), it shows that both agree. */

#ifndef HEADER
#define HEADER "declarations.h"
#endif
#include HEADER

#define FUNCTION(result, name, ...) result (*const use_##name)(__VA_ARGS__) = dxil_spv_##name;
#include "functions.h"
#undef FUNCTION
